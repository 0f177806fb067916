//! Games joined in the middle: what a single picture says of the position, and when a replay takes up a game elsewhere.

use crate::recorded::{Game, home};
use crate::scene::{copy, frame, scene, tint};
use image::RgbaImage;
use shakmaty::{Chess, Color, EnPassantMode, Position, Square};
use torres::bot::game_finder::{GameFinder, Starts};
use torres::bot::played_color::PlayedColor;
use torres::chess::same_position;
use torres::fixture::BeliefKind;
use torres::frame::Frame;
use torres::geometry::BoardMap;
use torres::vision::Appearance;
use torres::vision::join::{NotJoined, TurnBy, join};

const YELLOW: [u8; 3] = [255, 255, 51];

#[test]
fn of_every_recorded_frame_the_position_is_right_or_not_given() {
    let mut joined_games = 0;
    for entry in std::fs::read_dir(home()).unwrap() {
        let dir = entry.unwrap().path();
        // Boards that move or turn are looked up elsewhere; what looks alike is never read.
        let name = dir.file_name().unwrap().to_string_lossy().into_owned();
        if !dir.join("fixture.json").is_file() || name.contains("turned") || name.contains("moved") {
            continue;
        }
        let game = Game::read(&dir);
        let mut joined = 0;
        for (number, shown) in game.frames.iter().enumerate() {
            let Ok(found) = join(&game.appearance, &shown.image, &game.map, None) else {
                continue;
            };
            let Some(truth) = game.truth(number) else { continue };
            let what = format!("{name}, line {}", number + 1);
            assert_eq!(found.position.board(), truth.board(), "{what}");
            assert_eq!(found.position.turn(), truth.turn(), "{what}");
            // Rights may be assumed that are lost, never the other way round.
            let (assumed, had) = (
                found.position.castles().castling_rights(),
                truth.castles().castling_rights(),
            );
            assert!((had & !assumed).is_empty(), "{what}");
            if found.last.is_some() {
                let passed = |p: &Chess| p.ep_square(EnPassantMode::Legal);
                assert_eq!(passed(&found.position), passed(truth), "{what}");
            }
            joined += 1;
        }
        let alike = name.contains("alike");
        assert!(!alike || joined == 0, "{name}: pieces that look alike cannot be read");
        joined_games += usize::from(joined >= 8);
    }
    assert!(joined_games >= 6, "only {joined_games} games can be joined");
}

#[test]
fn a_game_joined_late_has_its_turn_by_the_marked_move() {
    let game = Game::named("joined-late");
    for ply in game.plies() {
        let found = join(&game.appearance, &game.frames[ply].image, &game.map, None);
        let truth = game.truth(ply).unwrap();
        match found {
            Ok(found) => {
                assert!(same_position(&found.position, truth));
                assert_eq!(found.turn_by, TurnBy::LastMove);
                assert!(found.assumed.castling.is_empty(), "both have castled");
                assert_eq!(found.assumed.to_string(), "nothing");
            }
            Err(why) => panic!("line {}: {why}", ply + 1),
        }
    }
}

#[test]
fn a_game_is_joined_the_right_way_round_whatever_colour_was_calibrated() {
    for name in ["staged-black", "staged-white", "joined-late"] {
        let game = Game::named(name);
        let calibrated = BoardMap {
            orientation: game.map.orientation.turned(),
            ..game.map
        };
        let mut joined = 0;
        for ply in game.plies() {
            let opening = GameFinder::new(
                &Starts::of(None, None),
                &game.appearance,
                calibrated,
                PlayedColor::AtBottom,
            );
            let still = frame(&game.frames[ply].image, 0.0);
            let Ok((found, tracker, _)) = opening.join(&still, None) else {
                continue;
            };
            assert_eq!(
                found.position().board(),
                game.truth(ply).unwrap().board(),
                "{name}, line {}",
                ply + 1
            );
            assert_eq!(tracker.map().orientation, game.map.orientation);
            joined += 1;
        }
        assert!(joined > 3, "{name}: only {joined}");
    }
}

/// Reported (chess-minimax): for Black it exchanges the ranks and leaves the files.
#[test]
fn a_game_for_the_other_colour_is_found_in_a_mirror_image() {
    let shots = scene("game");
    let (image, map) = (&shots[0].image, &shots[0].map);
    let appearance = Appearance::learn(image, map, shots[0].position.board()).unwrap();
    let mut mirrored = image.clone();
    for square in Square::ALL {
        copy(image, square, &mut mirrored, square.flip_vertical(), map);
    }
    let mut finder = GameFinder::new(&Starts::of(None, None), &appearance, *map, PlayedColor::AtBottom);
    let (game, tracker) = (0..40)
        .find_map(|nth| finder.step(&frame(&mirrored, 100.0 * f64::from(nth))))
        .expect("a game");
    assert_eq!(game.plies(), 0);
    assert_eq!(tracker.map().orientation, map.orientation.turned().mirrored());
}

#[test]
fn without_marks_somebody_else_must_know_whose_turn_it_is() {
    let shots = scene("slide");
    let (image, map) = (&shots[0].image, &shots[0].map);
    let appearance = Appearance::learn(image, map, shots[0].position.board()).unwrap();
    assert_eq!(join(&appearance, image, map, None), Err(NotJoined::TurnUnknown));
    for turn in Color::ALL {
        let found = join(&appearance, image, map, Some(turn)).unwrap();
        assert_eq!(found.position.board(), shots[0].position.board());
        assert_eq!((found.position.turn(), found.turn_by), (turn, TurnBy::Caller));
        assert!(found.assumed.castling.contains(Square::H1));
        assert!(found.assumed.to_string().contains("h1"), "{}", found.assumed);
    }
    // A square that is coloured is no move, two that no piece connects are none either, and one covered ends it all.
    let mut colored = image.clone();
    tint(&mut colored, Square::C4, map, YELLOW, 0.5);
    assert_eq!(join(&appearance, &colored, map, None), Err(NotJoined::TurnUnknown));
    tint(&mut colored, Square::D6, map, YELLOW, 0.5);
    assert_eq!(join(&appearance, &colored, map, None), Err(NotJoined::TurnUnknown));
    let mut covered = image.clone();
    for (x, y) in (0..30).flat_map(|y| (0..30).map(move |x| (x, y))) {
        let r = map.square_rect(Square::H1);
        covered.put_pixel(r.x as u32 + 4 + x, r.y as u32 + 4 + y, image::Rgba([200, 30, 200, 255]));
    }
    assert_eq!(
        join(&appearance, &covered, map, Some(Color::White)),
        Err(NotJoined::Unread(vec![Square::H1]))
    );
}

#[test]
fn a_replay_takes_up_a_game_that_went_on_unseen_and_follows_it() {
    let game = Game::named("staged-white");
    let plies = game.plies();
    // Nobody looked while six plies were played.
    let (from, to) = (plies[5], plies[11]);
    let lost = (from..to).collect::<Vec<usize>>();
    let kept: Vec<usize> = (0..game.frames.len()).filter(|k| !lost.contains(k)).collect();
    let replayed = game.replay(kept.iter().map(|k| game.frames[*k].clone()).collect());
    let resync = replayed.beliefs.iter().find(|b| b.kind == BeliefKind::Resync);
    let resync = resync.expect("the game is taken up again");
    let shown = game.truth(kept[resync.frame]).expect("at a picture at rest");
    assert!(same_position(resync.position.as_ref().unwrap(), shown));
    let last = replayed.after.last().unwrap().as_ref().unwrap();
    let end = (0..game.frames.len()).rev().find_map(|k| game.truth(k)).unwrap();
    assert_eq!(last.board(), end.board(), "and followed to its end");
    for belief in replayed.beliefs.iter().filter(|b| b.kind == BeliefKind::Move) {
        if let Some(truth) = game.truth(kept[belief.frame]) {
            assert_eq!(belief.position.as_ref().unwrap().board(), truth.board());
        }
    }
}

#[test]
fn a_spoiled_board_is_never_taken_up_however_much_of_it_is() {
    let game = Game::named("staged-white");
    let ply = game.plies()[7];
    let position = game.truth(ply).unwrap().clone();
    let spoiled = shuffled(&game, ply, &position);
    let mut frames: Vec<Frame> = game.frames[..=ply].to_vec();
    let at = frames.last().unwrap().at.as_ms();
    frames.extend([300.0, 1200.0].map(|later| frame(&spoiled, at + later)));
    let replayed = game.replay(frames);
    assert!(replayed.beliefs.iter().all(|b| b.kind != BeliefKind::Resync));
    assert_eq!(replayed.beliefs.last().map(|b| b.kind), Some(BeliefKind::Unknown));
    assert_eq!(*replayed.after.last().unwrap(), None);
}

/// The picture with three pairs of pieces swapped, each on squares of one colour that the last move has not touched.
fn shuffled(game: &Game, ply: usize, position: &Chess) -> RgbaImage {
    let before: &RgbaImage = &game.frames[ply].image;
    let mut image = before.clone();
    let board = position.board();
    let pawns: Vec<Square> = board.pawns().into_iter().filter(|s| s.is_dark()).collect();
    let others = board.knights() | board.bishops() | board.rooks();
    let others: Vec<Square> = others.into_iter().filter(|s| s.is_dark()).collect();
    let last = game.fixture.shots[ply].truth.as_ref().and_then(|t| t.played);
    let touched = |s: &Square| last.is_some_and(|m| m.from() == Some(*s) || m.to() == Some(*s));
    let pairs = pawns
        .iter()
        .zip(&others)
        .filter(|(a, b)| !touched(a) && !touched(b))
        .take(3);
    let mut swapped = 0;
    for (a, b) in pairs {
        copy(before, *a, &mut image, *b, &game.map);
        copy(before, *b, &mut image, *a, &game.map);
        swapped += 1;
    }
    assert_eq!(swapped, 3);
    image
}
