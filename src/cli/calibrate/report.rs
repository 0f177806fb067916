//! What a calibration found, told to the user.

use super::Found;
use shakmaty::{Piece, Square};
use torres_calibration::{By, Calibration, Clocks, Measured, place_tells_whose};
use torres_geometry::FrameRect;

/// Prints it, a line for each thing.
pub(super) fn report(calibration: &Calibration, found: &Found) {
    board(calibration, found);
    pieces(calibration);
    mouse(calibration, found.mouse);
    clocks(calibration);
    let (scene, vouched) = (&found.scene, found.answer.vouched());
    match vouched {
        Some(vouched) if vouched.opponent.declared_bot => println!("opponent  {}", vouched.in_words()),
        Some(_) => println!("opponent  panel kept, but you did not state that it is a bot: `torres play` will refuse"),
        None => println!("opponent  none: `torres play` will refuse; see --opponent-panel and --opponent-is-a-bot"),
    }
    println!("saved     {}", scene.path.display());
    println!(
        "picture   {} (look at it: is everything where it should be{}?)",
        scene.picture_path().display(),
        vouched.map_or(String::new(), |vouched| match &vouched.opponent.name {
            Some(name) => format!(", and does the panel enlarged at its bottom say '{name}'"),
            None => ", and does the panel enlarged at its bottom name the bot".to_owned(),
        })
    );
}

/// Where it lies, and what of it was taken on the user's word.
fn board(calibration: &Calibration, found: &Found) {
    let rect = calibration.board;
    println!(
        "board     {:.1} × {:.1} px at {:.1}, {:.1} of the window, {}",
        rect.width(),
        rect.height(),
        rect.x(),
        rect.y(),
        calibration.bottom
    );
    if calibration.stated {
        println!(
            "note      its edges are too faint to be found again: it is taken to lie there in its window, as long as its squares can be read"
        );
    }
    let differs: Vec<String> = found.scene.finding.differs.iter().map(Square::to_string).collect();
    if !differs.is_empty() {
        println!(
            "warning   learned by your word, but not read as you stated on {} (red in the picture); a game is followed from where all is read",
            differs.join(" ")
        );
    }
    println!("noise     {} of 255", calibration.noise);
}

/// Which pieces look the same, where some do.
fn pieces(calibration: &Calibration) {
    let alike = calibration.appearance.alike().groups();
    if alike.is_empty() {
        return;
    }
    let letters = |group: &Vec<Piece>| group.iter().map(|p| p.char()).collect::<String>();
    let groups: Vec<String> = alike.iter().map(letters).collect();
    println!(
        "pieces    {} look the same: Torres follows them from the position it knows, and cannot join such a game in the middle",
        groups.join(", ")
    );
}

/// Whether the site's clocks were seen.
fn clocks(calibration: &Calibration) {
    match &calibration.clocks {
        Some(Clocks { upper, lower, .. }) => {
            let both = [*upper, *lower].map(FrameRect::from);
            let shows = match place_tells_whose(&both, calibration.board.height()) {
                true => "which digit is which",
                false => "whose they are and which digit is which",
            };
            println!(
                "clocks    seen at {},{} and {},{} of the window: read in a game, once it has shown {shows}",
                upper.x, upper.y, lower.x, lower.y
            );
        }
        None => println!("clocks    none seen beside the board: Torres goes by its own, and looks for them in a game"),
    }
}

/// How its scale was measured, and how it moves.
fn mouse(calibration: &Calibration, measured: Option<Measured>) {
    match measured {
        Some(Measured::Proven(scale)) => println!(
            "mouse     {:.3} input units a pixel: the pointer was put over the board, and is there",
            scale.get()
        ),
        Some(Measured::Seen(scale, _)) => println!(
            "mouse     {:.3} input units a pixel, measured by clicking a piece",
            scale.get()
        ),
        Some(Measured::Unknown) => println!(
            "mouse     NOT MEASURED: a click on a piece changed nothing on the board, and `torres play` would end; calibrate again while it is your turn"
        ),
        None => println!("mouse     not measured; `torres play` measures it before its first move"),
    }
    match calibration.move_input.by {
        By::Auto => {}
        By::Drag => println!("moves     dragged, by your word"),
        By::Clicks => println!("moves     clicked, by your word"),
    }
}
