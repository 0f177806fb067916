//! The saved calibration: what is in it, what it is good for afterwards, and what is refused.
#![cfg(target_os = "linux")]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};
use shakmaty::Color;
use torres::journal::{Event, event};
use torres_test_support::desktop::BareWindow;
use torres_test_support::play::{GAME, Practice, Script, engine_for, journal, text};
use torres_test_support::wait_for;

fn read(practice: &Practice) -> Value {
    serde_json::from_slice(&std::fs::read(practice.stage.calibration()).unwrap()).unwrap()
}

fn write(practice: &Practice, calibration: &Value) {
    std::fs::write(practice.stage.calibration(), calibration.to_string()).unwrap();
}

fn short_game() -> Script {
    Script::new("f2f3 e7e5 g2g4 d8h4")
}

/// The site with a short game, calibrated with panel and statement.
fn calibrated() -> Practice {
    let practice = Practice::staged(&short_game(), Color::White);
    practice.stage.calibrate(&[]);
    practice
}

/// Nothing was pressed on the page but what calibrating needs.
fn was_not_played(practice: &Practice, presses_before: usize) {
    assert_eq!(practice.site.events("pointer").len(), presses_before);
    assert_eq!(practice.moves(), Vec::<String>::new());
}

#[test]
fn the_file_has_what_the_design_says_and_survives_a_move_of_the_window() {
    let practice = calibrated();
    let file = read(&practice);
    assert_eq!(file["format"], 1);
    assert_eq!(file["made"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(file["made"]["date"].as_str().unwrap().len(), "2026-11-20".len());
    assert_eq!(file["window"]["title"], "Torres practice site");
    assert!(file["window"]["app"].is_string());
    // `site.css` puts the board there in a window of this size.
    for (field, expected) in [("x", 20.0), ("y", 20.0), ("width", 600.0), ("height", 600.0)] {
        let found = file["board"][field].as_f64().unwrap();
        assert!((found - expected).abs() <= 1.0, "{field} is {found}, not {expected}");
    }
    assert_eq!(file["bottom"], "white");
    assert_eq!(file["input_per_pixel"], 1.0);
    assert!(file["look"].is_object());
    assert!(file["noise"].is_number());
    assert_eq!(
        file["opponent"]["panel"],
        json!({"x": 642, "y": 22, "width": 336, "height": 48})
    );
    assert!(file["opponent"]["picture"].is_string());
    assert_eq!(file["opponent"]["declared_bot"], true);
    let picture = image::open(practice.stage.calibration().with_extension("png")).unwrap();
    assert!(picture.width() >= 600 && picture.height() >= 600);

    // The window is moved; the file is still all that is needed.
    let before = practice.stage.client();
    practice.stage.browser().window().unwrap().move_to(7, 31).unwrap();
    wait_for("the window to move", || {
        (practice.stage.client() != before).then_some(())
    });
    let script = short_game();
    let mut play = practice.stage.play(&["--engine", &engine_for(&script, Color::White)]);
    play.ends_with(0, GAME);
    practice.shows(&script);
}

/// Makes the window narrower, and with it the board.
fn shrink(practice: &Practice) {
    let client = practice.stage.client();
    let window = practice.stage.browser().window().unwrap();
    window.resize(client.width - 120, client.height).unwrap();
    wait_for("the window to shrink", || {
        (practice.stage.client().width == client.width - 120).then_some(())
    });
}

#[test]
fn a_board_that_got_another_size_since_is_played_on_where_the_panel_shows_the_same() {
    let practice = calibrated();
    shrink(&practice);
    // The page follows a moment later.
    practice.stage.resting_screenshot();
    let script = short_game();
    let mut play = practice.stage.play(&["--engine", &engine_for(&script, Color::White)]);
    play.ends_with(0, GAME);
    practice.shows(&script);
}

#[test]
fn a_board_of_another_size_is_not_played_on_where_the_panel_is_covered() {
    let practice = calibrated();
    let presses = practice.site.events("pointer").len();
    let client = practice.stage.client();
    shrink(&practice);
    practice.stage.resting_screenshot();
    // Beside the board, where the panel is now.
    let cover = BareWindow::open(
        practice.stage.display().name(),
        ((client.x + 510) as i16, client.y as i16),
        (360, 120),
    );
    cover.fill(0x204060);
    let mut play = practice.stage.play(&["--move-ms", "50"]);
    play.ends_with(1, GAME);
    assert!(play.said().contains("opponent panel changed"), "{}", play.said());
    was_not_played(&practice, presses);
}

#[test]
fn where_the_only_board_shows_another_position_that_is_said_though_no_window_was_named() {
    let fen = "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9";
    let practice = Practice::open("", &["--fen", fen]);
    let (status, said) = practice.stage.run(&["calibrate", text(&practice.stage.calibration())]);
    assert_eq!(status, 1, "{said}");
    let because = "in the window 'Torres practice site' a board was found at 20,20 (600 × 600 px), but";
    assert!(said.contains(because), "{said}");
}

#[test]
fn damaged_truncated_newer_and_unvouched_files_are_refused_by_name() {
    let practice = calibrated();
    let presses = practice.site.events("pointer").len();
    let good = read(&practice);
    let path = practice.stage.calibration();
    let refused = |why: &str| {
        let mut play = practice.stage.play(&["--move-ms", "50"]);
        play.ends_with(2, GAME);
        let said = play.said();
        assert!(said.contains(why), "'{why}' is not in: {said}");
        said
    };
    let refused_by_name = |why: &str| {
        let said = refused(why);
        assert!(said.contains(text(&path)), "the file is not named: {said}");
    };
    let with = |field: &str, value: Value| {
        let mut changed = good.clone();
        changed[field] = value;
        write(&practice, &changed);
    };

    let whole = good.to_string();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    refused_by_name("is damaged");
    std::fs::write(&path, "no calibration at all").unwrap();
    refused_by_name("is damaged");
    with("format", json!(2));
    refused_by_name("format 2");
    with("board", json!({"x": 20, "y": 20, "width": -600, "height": 600}));
    refused_by_name("is damaged");
    with("look", json!({}));
    refused_by_name("is damaged");
    std::fs::remove_file(&path).unwrap();
    refused_by_name("cannot read");

    // The opponent guard: no panel, or a panel without the user's statement.
    with("opponent", Value::Null);
    refused("names no opponent");
    let mut unsaid = good["opponent"].clone();
    unsaid["declared_bot"] = json!(false);
    with("opponent", unsaid);
    refused("no statement that the opponent is a bot");
    was_not_played(&practice, presses);
}

/// A picture of so many plain pixels, as a calibration's file has it.
fn plain(side: u32) -> String {
    let mut png = std::io::Cursor::new(Vec::new());
    let picture = RgbImage::from_pixel(side, side, Rgb([38, 36, 33]));
    picture.write_to(&mut png, ImageFormat::Png).unwrap();
    STANDARD.encode(png.into_inner())
}

#[test]
fn a_panel_that_shows_too_little_is_neither_calibrated_nor_played_with() {
    let practice = Practice::staged(&short_game(), Color::White);
    let stage = &practice.stage;
    let (calibration, client) = (stage.calibration(), stage.client());
    // At the right end of the bot's panel, where nothing is drawn.
    for side in [25, 1] {
        let panel = format!("{},{},{side},{side}", client.x + 940, client.y + 30);
        let (status, said) = stage.run(&[
            "calibrate",
            text(&calibration),
            "--window",
            "Torres practice site",
            "--opponent-is-a-bot",
            "--opponent-panel",
            &panel,
        ]);
        assert_eq!(status, 2, "{side}: {said}");
        assert!(
            said.contains(&panel) && said.contains("too little to be known by"),
            "{side}: {said}"
        );
        assert!(!calibration.exists(), "{side}: it is saved all the same");
    }
    stage.calibrate(&[]);
    let presses = practice.site.events("pointer").len();
    let good = read(&practice);
    for side in [25, 1] {
        let mut edited = good.clone();
        edited["opponent"]["picture"] = plain(side).into();
        edited["opponent"]["panel"] = json!({"x": 940, "y": 30, "width": side, "height": side});
        write(&practice, &edited);
        let mut play = stage.play(&["--move-ms", "50"]);
        play.ends_with(2, GAME);
        let said = play.said();
        assert!(
            said.contains(text(&calibration)) && said.contains("too little to be known by"),
            "{said}"
        );
        let (status, said) = stage.run(&["calibrate", text(&calibration), "--check"]);
        assert!(
            status == 2 && said.contains("too little to be known by"),
            "{status}: {said}"
        );
    }
    was_not_played(&practice, presses);
}

/// Where an element lies, as `--opponent-panel` takes it.
fn panel_of(practice: &Practice, id: &str) -> String {
    let lies = practice.stage.devtools().run(&format!(
        "(() => {{ const box = document.getElementById('{id}').getBoundingClientRect();
           return [box.left, box.top, box.width, box.height].map(Math.round); }})()"
    ));
    let client = practice.stage.client();
    let number = |index: usize| lies[index].as_i64().unwrap();
    let (x, y) = (i64::from(client.x) + number(0), i64::from(client.y) + number(1));
    format!("{x},{y},{},{}", number(2), number(3))
}

/// Below what the window shows, the annotated picture has the panel as the file keeps it, twice as large.
fn shows_enlarged(drawn: &RgbImage, window: u32, picture: &Value) {
    let png = STANDARD.decode(picture.as_str().unwrap()).unwrap();
    let panel = image::load_from_memory(&png).unwrap().into_rgb8();
    assert!(drawn.height() > window + 2 * panel.height(), "{:?}", drawn.dimensions());
    let places = (0..drawn.height() - 2 * panel.height())
        .rev()
        .flat_map(|y| (0..40).map(move |x| (x, y)));
    let is_there = |(left, top): (u32, u32)| {
        let mut pixels = panel.enumerate_pixels();
        pixels.all(|(x, y, pixel)| {
            let corner = (left + 2 * x, top + 2 * y);
            [(0, 0), (1, 0), (0, 1), (1, 1)]
                .iter()
                .all(|(dx, dy)| drawn.get_pixel(corner.0 + dx, corner.1 + dy) == pixel)
        })
    };
    assert!(
        places.filter(|(_, y)| *y >= window).any(is_there),
        "the panel is not shown enlarged"
    );
}

#[test]
fn a_panel_on_the_own_side_and_one_that_another_name_has_too_are_warned_of() {
    let practice = Practice::staged(&short_game(), Color::White);
    let stage = &practice.stage;
    let calibrate = |file: &str, panel: &str, name: &str| {
        let path = stage.path(file);
        let stated = [
            "--opponent-is-a-bot",
            "--opponent-name",
            name,
            "--opponent-panel",
            panel,
        ];
        let window = ["calibrate", text(&path), "--window", "Torres practice site"];
        let (status, said) = stage.run(&[&window[..], &stated].concat());
        assert_eq!(status, 0, "{said}");
        let picture = text(&path.with_extension("png")).to_owned();
        let warned = said.lines().filter(|line| line.starts_with("warning"));
        let warned: Vec<String> = warned.map(str::to_owned).collect();
        assert!(warned.iter().all(|line| line.contains(&picture)), "{said}");
        (warned, path)
    };
    let own = panel_of(&practice, "player-panel");
    let (warned, path) = calibrate("own.json", &own, "Somebody");
    assert!(warned.len() == 1 && warned[0].contains("your own name"), "{warned:?}");
    let (status, said) = stage.run(&["calibrate", text(&path), "--check"]);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("warning opponent  its panel: it lies nearer to the board's lower edge"),
        "{said}"
    );

    let (warned, path) = calibrate("first.json", &stage.panel(), "Robin");
    assert_eq!(warned, Vec::<String>::new());
    let (status, said) = stage.run(&["calibrate", text(&path), "--check"]);
    assert!(status == 0 && !said.contains("warning"), "{said}");
    let drawn = image::open(path.with_extension("png")).unwrap().into_rgb8();
    let kept: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    shows_enlarged(&drawn, stage.client().height, &kept["opponent"]["picture"]);
    // In a folder of its own nothing but the name is another one.
    let (warned, path) = calibrate("alone/first.json", &stage.panel(), "Robyn");
    assert_eq!(warned, Vec::<String>::new());
    let other = image::open(path.with_extension("png")).unwrap().into_rgb8();
    assert_ne!(drawn, other, "the name is drawn");
    let (warned, _) = calibrate("second.json", &stage.panel(), "Robyn");
    assert!(
        warned.len() == 1 && warned[0].contains("first.json has the same picture for 'Robin'"),
        "{warned:?}"
    );
}

#[test]
fn calibrating_without_panel_or_statement_leaves_a_file_that_is_not_played_with() {
    let practice = Practice::staged(&short_game(), Color::White);
    practice.stage.calibrate_plainly(&[]);
    assert_eq!(read(&practice)["opponent"], Value::Null);
    let mut play = practice.stage.play(&["--move-ms", "50"]);
    play.ends_with(2, GAME);
    assert!(play.said().contains("--opponent-panel"), "{}", play.said());

    let panel = practice.stage.panel();
    practice.stage.calibrate_plainly(&["--opponent-panel", &panel]);
    assert_eq!(read(&practice)["opponent"]["declared_bot"], false);
    let mut play = practice.stage.play(&["--move-ms", "50"]);
    play.ends_with(2, GAME);
    assert!(play.said().contains("--opponent-is-a-bot"), "{}", play.said());

    // The statement without a panel to hold it against is no statement.
    let path = practice.stage.path("other.json");
    let (status, said) = practice.stage.run(&["calibrate", text(&path), "--opponent-is-a-bot"]);
    assert_eq!(status, 2, "{said}");
    assert!(!path.exists());
    assert_eq!(practice.moves(), Vec::<String>::new());
}

#[test]
fn a_calibration_from_a_picture_lets_play_measure_the_mouse() {
    let script = short_game();
    let practice = Practice::staged(&script, Color::White);
    // A screenshot of the whole desktop, whose pixels are the desktop's.
    let picture = practice.stage.path("screenshot.png");
    let (panel, path) = (practice.stage.panel(), practice.stage.calibration());
    let args = ["calibrate", text(&path), "--image", text(&picture)];
    let vouched = ["--opponent-panel", &panel, "--opponent-is-a-bot"];
    wait_for("a screenshot that shows the page whole", || {
        practice.stage.resting_screenshot().save(&picture).unwrap();
        let (status, _) = practice.stage.run(&[&args[..], &vouched].concat());
        (status == 0).then_some(())
    });
    let file = read(&practice);
    assert_eq!(
        (&file["input_per_pixel"], &file["window"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(practice.touches(), [], "a picture needs no mouse");

    let mut play = practice.stage.play(&["--engine", &engine_for(&script, Color::White)]);
    play.ends_with(0, GAME);
    practice.shows(&script);
}

/// Runs `calibrate` at a terminal, and gives it these answers.
fn at_a_terminal(practice: &Practice, arguments: &str, answers: &str) -> (i32, String) {
    let calibration = practice.stage.calibration();
    let line = format!("calibrate '{}' {arguments}", text(&calibration));
    let mut run = practice.stage.at_a_terminal(&line, answers);
    (run.status(GAME), run.said())
}

#[test]
fn at_a_terminal_the_panel_is_proposed_and_the_rest_is_asked_for() {
    let practice = Practice::staged(&short_game(), Color::White);
    // A rectangle that shows nothing, and then the second thoughts of somebody who looks at the picture.
    let client = practice.stage.client();
    let nothing = format!("{},{},25,25", client.x + 940, client.y + 30);
    let answers = format!("99\n{nothing}\n1\nyes\nLevel four\nno\n1\nyes\nLevel three\nyes\n");
    let (status, said) = at_a_terminal(&practice, "--window 'Torres practice site'", &answers);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("there is no number 99"), "{said}");
    assert!(said.contains("too little to be known by"), "{said}");
    let asked_back = |name: &str| said.contains(&format!("say '{name}'? (yes/no)"));
    assert!(asked_back("Level four") && asked_back("Level three"), "{said}");
    let opponent = &read(&practice)["opponent"];
    assert_eq!(opponent["declared_bot"], true);
    assert_eq!(opponent["name"], "Level three");
    // The panel that `site.css` makes is 336 × 48 at 642, 22: what is drawn in it, and no more than that.
    let edge = |name: &str| opponent["panel"][name].as_i64().unwrap();
    let (x, y, width, height) = (edge("x"), edge("y"), edge("width"), edge("height"));
    assert!(
        x >= 642 && y >= 22 && x + width <= 978 && y + height <= 70,
        "{opponent}"
    );
    assert!(width >= 100 && height >= 24, "{opponent}");
    let mut play = practice
        .stage
        .play(&["--engine", &engine_for(&short_game(), Color::White)]);
    play.ends_with(0, GAME);
    practice.shows(&short_game());

    // The calibration and what was vouched for are in the journal, the panel's picture beside it, and told.
    let out = practice.stage.out();
    let journal = journal(&out);
    let vouched: Vec<&Event> = journal
        .iter()
        .map(|entry| &entry.event)
        .filter(|it| matches!(it, Event::Vouched(_)))
        .collect();
    let [
        Event::Vouched(event::Vouched {
            name,
            panel,
            declared_bot,
            picture,
            also,
            second: None,
        }),
    ] = vouched[..]
    else {
        panic!("{vouched:?}");
    };
    assert_eq!(
        (name.as_deref(), *declared_bot, also),
        (Some("Level three"), true, &None)
    );
    assert_eq!((panel.x, panel.y), (x as f64, y as f64));
    let kept = image::open(out.join(picture)).unwrap();
    assert_eq!((i64::from(kept.width()), i64::from(kept.height())), (width, height));
    let calibrated_by = format!(
        "calibrated by {}: the board at ",
        practice.stage.calibration().display()
    );
    let (status, told) = practice.stage.run(&["explain", text(&out)]);
    assert_eq!(status, 0, "{told}");
    assert!(
        told.contains("names 'Level three', a bot") && told.contains("opponent.png") && told.contains(&calibrated_by),
        "{told}"
    );
}

#[test]
fn a_name_on_the_command_line_is_asked_back_at_a_terminal() {
    let practice = Practice::staged(&short_game(), Color::White);
    let stated = format!(
        "--window 'Torres practice site' --opponent-is-a-bot --opponent-name Robin --opponent-panel {}",
        practice.stage.panel()
    );
    let (status, said) = at_a_terminal(&practice, &stated, "no\n");
    assert!(status == 2 && said.contains("nothing is saved"), "{status}: {said}");
    assert!(!practice.stage.calibration().exists(), "{said}");
    let (status, said) = at_a_terminal(&practice, &stated, "yes\n");
    assert_eq!(status, 0, "{said}");
    assert_eq!(read(&practice)["opponent"]["name"], "Robin");
}

#[test]
fn a_panel_that_nobody_calls_a_bots_is_not_played_against() {
    let practice = Practice::staged(&short_game(), Color::White);
    let (status, said) = at_a_terminal(&practice, "--window 'Torres practice site'", "1\ny\nno\n");
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("the whole word"), "{said}");
    assert_eq!(
        read(&practice)["opponent"]["declared_bot"],
        false,
        "only a whole yes is a statement"
    );
    let mut play = practice.stage.play(&[]);
    play.ends_with(2, GAME);
}

#[test]
fn rectangles_that_cannot_be_meant_are_refused_and_a_clock_is_pointed_out() {
    let practice = calibrated();
    let calibration = practice.stage.calibration();
    let calibration = text(&calibration);
    let client = practice.stage.client();
    let at = |x: i32, y: i32, width: u32, height: u32| format!("{},{},{width},{height}", client.x + x, client.y + y);
    let on_board = at(300, 300, 100, 100);
    let panel = [
        "calibrate",
        calibration,
        "--window",
        "Torres practice site",
        "--opponent-is-a-bot",
        "--opponent-panel",
    ];
    let (status, said) = practice.stage.run(&[&panel[..], &[&on_board]].concat());
    assert!(status == 2 && said.contains("lies on the board"), "{status}: {said}");
    let (status, said) = practice.stage.run(&["calibrate", calibration, "--new-game", &on_board]);
    assert!(status == 2 && said.contains("lies on the board"), "{status}: {said}");
    // The bot's name and the clock below it.
    let with_clock = at(642, 22, 336, 110);
    let (status, said) = practice.stage.run(&[&panel[..], &[&with_clock]].concat());
    assert!(status == 0 && said.contains("looks like a clock"), "{status}: {said}");
    let (status, said) = practice.stage.run(&[&panel[..], &[&practice.stage.panel()]].concat());
    assert!(status == 0 && !said.contains("looks like a clock"), "{status}: {said}");
}

#[test]
fn a_check_says_whether_a_calibration_holds_and_what_has_changed() {
    let practice = calibrated();
    let calibration = practice.stage.calibration();
    let touches = practice.touches();
    let before = read(&practice);
    let check = || practice.stage.run(&["calibrate", text(&calibration), "--check"]);
    let (status, said) = check();
    assert_eq!(status, 0, "{said}");
    assert!(
        !said.contains("CHANGED") && said.contains("all 64 squares can be read"),
        "{said}"
    );

    let mut devtools = practice.stage.devtools();
    devtools.run("document.getElementById('bot-name').textContent = 'Somebody'; 0");
    let (status, said) = check();
    assert_eq!(status, 1, "{said}");
    let changed = |said: &str| -> Vec<String> {
        let lines = said.lines().filter_map(|line| line.strip_prefix("CHANGED "));
        lines
            .map(|line| line.split_whitespace().next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(changed(&said), ["opponent"], "{said}");

    // Other pieces: knights and bishops are balls.
    devtools.run("document.head.insertAdjacentHTML('beforeend', '<style>piece.knight, piece.bishop { background-image: radial-gradient(circle at 50% 50%, #c40 40%, transparent 42%) !important }</style>'); 0");
    wait_for("the other pieces to be seen", || {
        let (status, said) = check();
        assert_eq!(status, 1, "{said}");
        changed(&said).contains(&"look".to_owned()).then_some(())
    });
    assert_eq!(practice.touches(), touches, "a check touches nothing");
    assert_eq!(read(&practice), before, "a check writes nothing");

    let mut lacking = before;
    assert!(lacking["look"]["pieces"].as_object_mut().unwrap().remove("K").is_some());
    std::fs::write(&calibration, lacking.to_string()).unwrap();
    let (status, said) = check();
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("no picture of K"), "{said}");
}
