//! A game as PGN, with evaluations and times in comments.
//!
//! The seven tag roster first (Portable Game Notation specification, 8.1.1), then what else is known; comments in the
//! `[%eval]`, `[%emt]`, `[%clk]` form of the PGN supplement, as Lichess and ChessBase write and read them.

use super::event::Eval;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move, Outcome, Position};
use std::fmt::Write;
use std::time::Duration;
use torres_chess::TimeControl;

/// One ply with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// The move; legal where it is played.
    pub played: Move,
    /// The evaluation after it, White's view.
    pub eval: Option<Eval>,
    /// Time spent on it.
    pub elapsed: Option<Duration>,
    /// Time left on the mover's clock after it.
    pub clock: Option<Duration>,
    /// Anything else, in words.
    pub remark: Option<String>,
}

impl Ply {
    /// A move of which nothing else is known.
    pub fn bare(played: Move) -> Ply {
        Ply {
            played,
            eval: None,
            elapsed: None,
            clock: None,
            remark: None,
        }
    }
}

/// A game to be written down.
#[derive(Clone, Debug)]
pub struct Game {
    /// What was played, such as `Torres demo`.
    pub event: String,
    /// Where.
    pub site: String,
    /// When it began, in the user's time zone.
    pub started: jiff::Zoned,
    /// The number in a series.
    pub round: Option<u32>,
    /// Who has White.
    pub white: String,
    /// Who has Black.
    pub black: String,
    /// The clocks, if there were any.
    pub time_control: Option<TimeControl>,
    /// The first position.
    pub start: Chess,
    /// The moves.
    pub plies: Vec<Ply>,
    /// Who won; `Unknown` while it runs or when it was broken off.
    pub outcome: Outcome,
    /// How it ended, such as `normal`, `time forfeit`, `abandoned`.
    pub termination: String,
}

/// The line length that the export format allows.
const LINE: usize = 80;

/// The game in PGN export format, a newline at its end. Stops before a move that is not legal, with a comment that says
/// so.
pub fn write(game: &Game) -> String {
    let mut out = String::new();
    for (name, value) in tags(game) {
        // Quotes and backslashes are escaped; a tag has no line breaks.
        let value: String = value
            .chars()
            .filter(|c| !c.is_control())
            .flat_map(|c| matches!(c, '"' | '\\').then_some('\\').into_iter().chain([c]))
            .collect();
        let _ = writeln!(out, "[{name} \"{value}\"]");
    }
    out.push('\n');
    wrap(&mut out, &movetext(game));
    out
}

/// A move with its number, as a caption: `12. Nf3`, `12... Nf6`. The move must be legal in the position.
pub fn numbered(position: &Chess, played: Move) -> String {
    let dots = position.turn().fold_wb(".", "...");
    let san = SanPlus::from_move(position.clone(), played);
    format!("{}{dots} {san}", position.fullmoves())
}

fn tags(game: &Game) -> Vec<(&'static str, String)> {
    let start = game.start.clone();
    let mut tags = vec![
        ("Event", game.event.clone()),
        ("Site", game.site.clone()),
        ("Date", game.started.strftime("%Y.%m.%d").to_string()),
        ("Round", game.round.map_or("-".into(), |r| r.to_string())),
        ("White", game.white.clone()),
        ("Black", game.black.clone()),
        ("Result", game.outcome.to_string()),
        ("Time", game.started.strftime("%H:%M:%S").to_string()),
        ("TimeControl", game.time_control.map_or("-".into(), time_control)),
        ("PlyCount", game.plies.len().to_string()),
        ("Termination", game.termination.clone()),
    ];
    if start != Chess::default() {
        tags.push(("SetUp", "1".into()));
        tags.push(("FEN", torres_chess::fen(&start)));
    }
    tags
}

/// `900+10`, or `900` without increment.
fn time_control(control: TimeControl) -> String {
    let (initial, increment) = (control.initial.as_secs_f64(), control.increment.as_secs_f64());
    if increment > 0.0 {
        format!("{initial}+{increment}")
    } else {
        format!("{initial}")
    }
}

/// The words of the movetext: a move number, a move, a comment, the result.
fn movetext(game: &Game) -> Vec<String> {
    let mut position = game.start.clone();
    let mut words = Vec::new();
    let mut numbered = false;
    for ply in &game.plies {
        if !position.is_legal(ply.played) {
            words.push("{ an illegal move follows }".into());
            break;
        }
        let number = position.fullmoves();
        match position.turn() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if !numbered => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, ply.played).to_string());
        let comment = comment(ply);
        // After a comment Black's move needs its number again.
        numbered = position.turn() == Color::Black && comment.is_empty();
        words.extend(comment);
    }
    words.push(game.outcome.to_string());
    words
}

/// The words of a ply's comment, braces included; a bracketed command is one word, so that no line break splits it.
fn comment(ply: &Ply) -> Vec<String> {
    let eval = ply.eval.map(|eval| match eval {
        Eval::Cp(cp) => format!("[%eval {:.2}]", f64::from(cp) / 100.0),
        Eval::Mate(moves) => format!("[%eval #{moves}]"),
    });
    let elapsed = ply.elapsed.map(|t| format!("[%emt {}]", hours(t)));
    let clock = ply.clock.map(|t| format!("[%clk {}]", hours(t)));
    // A brace would end the comment.
    let remark = ply.remark.iter().flat_map(|r| r.split_whitespace());
    let remark = remark.map(|word| word.replace(['{', '}'], "|"));
    let words: Vec<String> = [eval, elapsed, clock].into_iter().flatten().chain(remark).collect();
    if words.is_empty() {
        return words;
    }
    [vec!["{".into()], words, vec!["}".into()]].concat()
}

/// `H:MM:SS.t`.
fn hours(time: Duration) -> String {
    let tenths = (time.as_millis() + 50) / 100;
    let seconds = tenths / 10;
    format!(
        "{}:{:02}:{:02}.{}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60,
        tenths % 10
    )
}

fn wrap(out: &mut String, words: &[String]) {
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length >= LINE {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgn_reader::{RawComment, RawTag, Reader, Visitor};
    use shakmaty::KnownOutcome;
    use std::collections::HashMap;
    use std::ops::ControlFlow;
    use torres_chess::{parse_fen, parse_move};

    /// What a reader of PGN makes of it.
    #[derive(Default)]
    struct Read {
        tags: HashMap<String, String>,
        position: Chess,
        moves: Vec<Move>,
        comments: Vec<String>,
        outcome: Option<Outcome>,
    }

    struct Judge;

    impl Visitor for Judge {
        type Tags = Read;
        type Movetext = Read;
        type Output = Read;

        fn begin_tags(&mut self) -> ControlFlow<Read, Read> {
            ControlFlow::Continue(Read::default())
        }
        fn tag(&mut self, read: &mut Read, name: &[u8], value: RawTag<'_>) -> ControlFlow<Read> {
            let name = String::from_utf8(name.to_vec()).unwrap();
            read.tags.insert(name, value.decode_utf8().unwrap().into_owned());
            ControlFlow::Continue(())
        }
        fn begin_movetext(&mut self, mut read: Read) -> ControlFlow<Read, Read> {
            if let Some(fen) = read.tags.get("FEN") {
                read.position = parse_fen(fen).unwrap();
            }
            ControlFlow::Continue(read)
        }
        fn san(&mut self, read: &mut Read, san: SanPlus) -> ControlFlow<Read> {
            let played = san.san.to_move(&read.position).unwrap();
            read.position.play_unchecked(played);
            read.moves.push(played);
            ControlFlow::Continue(())
        }
        fn comment(&mut self, read: &mut Read, comment: RawComment<'_>) -> ControlFlow<Read> {
            read.comments
                .push(String::from_utf8(comment.as_bytes().to_vec()).unwrap());
            ControlFlow::Continue(())
        }
        fn outcome(&mut self, read: &mut Read, outcome: Outcome) -> ControlFlow<Read> {
            read.outcome = Some(outcome);
            ControlFlow::Continue(())
        }
        fn end_game(&mut self, read: Read) -> Read {
            read
        }
    }

    fn read(pgn: &str) -> Read {
        let mut reader = Reader::new(pgn.as_bytes());
        let game = reader.read_game(&mut Judge).unwrap().unwrap();
        assert!(reader.read_game(&mut Judge).unwrap().is_none(), "one game");
        game
    }

    fn game(fen: Option<&str>, moves: &str) -> Game {
        let start = fen.map_or_else(Chess::default, |fen| parse_fen(fen).unwrap());
        let mut position = start.clone();
        let plies = moves
            .split_whitespace()
            .map(|uci| {
                let played = parse_move(uci, &position).unwrap();
                position.play_unchecked(played);
                Ply::bare(played)
            })
            .collect();
        Game {
            event: "A \"quoted\" \\ event".into(),
            site: "here".into(),
            started: "2024-02-29T13:05:09+01:00[Europe/Madrid]".parse().unwrap(),
            round: None,
            white: "Torres".into(),
            black: "Bot, level 3".into(),
            time_control: Some(TimeControl {
                initial: Duration::from_secs(900),
                increment: Duration::from_secs(10),
            }),
            start,
            plies,
            outcome: Outcome::Known(KnownOutcome::Draw),
            termination: "normal".into(),
        }
    }

    #[test]
    fn a_reader_finds_the_same_moves_tags_and_result() {
        // Both castlings, en passant, a promotion, a check.
        let game = game(
            None,
            "e2e3 f7f5 d2d4 a7a5 d1d3 b8a6 g2g3 a5a4 h2h4 b7b6 d3c3 h7h5 b2b4 a4b3 g3g4 f5g4 b1a3 a6b8 c1b2 e7e5 d4d5 \
             a8a3 g1e2 c7c5 d5c6 b3a2 e1c1 g8f6 c6c7 a2a1q b2a1 f8e7 f2f3 e8g8",
        );
        let read = read(&write(&game));
        assert_eq!(read.moves, game.plies.iter().map(|p| p.played).collect::<Vec<_>>());
        assert_eq!(read.outcome, Some(game.outcome));
        let expected = [
            ("Event", "A \"quoted\" \\ event"),
            ("Site", "here"),
            ("Date", "2024.02.29"),
            ("Round", "-"),
            ("White", "Torres"),
            ("Black", "Bot, level 3"),
            ("Result", "1/2-1/2"),
            ("TimeControl", "900+10"),
            ("Termination", "normal"),
        ];
        for (name, value) in expected {
            assert_eq!(read.tags[name], value, "{name}");
        }
        assert!(!read.tags.contains_key("FEN"));
    }

    #[test]
    fn a_game_from_a_position_with_black_to_move_says_so() {
        let fen = "4k3/P6p/8/8/8/8/p6P/4K3 b - - 3 40";
        let game = game(Some(fen), "a2a1q e1e2 a1a7");
        let pgn = write(&game);
        assert!(pgn.contains("40... a1=Q+ 41. Ke2 Qxa7"), "{pgn}");
        let read = read(&pgn);
        assert_eq!((read.tags["SetUp"].as_str(), read.tags["FEN"].as_str()), ("1", fen));
        assert_eq!(read.moves.len(), 3);
    }

    #[test]
    fn a_caption_numbers_the_move_for_either_side() {
        let game = game(None, "f2f3 e7e5 g2g4 d8h4");
        let mut position = game.start.clone();
        let mut captions = Vec::new();
        for ply in &game.plies {
            captions.push(numbered(&position, ply.played));
            position.play_unchecked(ply.played);
        }
        assert_eq!(captions, ["1. f3", "1... e5", "2. g4", "2... Qh4#"]);
    }

    #[test]
    fn comments_carry_evaluation_time_and_clock_and_never_break_the_game() {
        let mut game = game(None, "e2e4 e7e5 g1f3");
        game.plies[0].eval = Some(Eval::Cp(31));
        game.plies[0].elapsed = Some(Duration::from_millis(1_234));
        game.plies[0].clock = Some(Duration::from_millis(899_960));
        game.plies[1].eval = Some(Eval::Mate(-3));
        game.plies[2].remark = Some("a { brace } \nand a line".into());
        let pgn = write(&game);
        assert!(
            pgn.contains("} 1... e5 {"),
            "after a comment Black's move has its number: {pgn}"
        );
        let read = read(&pgn);
        let one_line = |c: &String| c.split_whitespace().collect::<Vec<_>>().join(" ");
        let comments: Vec<String> = read.comments.iter().map(one_line).collect();
        let expected = [
            "[%eval 0.31] [%emt 0:00:01.2] [%clk 0:15:00.0]",
            "[%eval #-3]",
            "a | brace | and a line",
        ];
        assert_eq!(comments, expected);
        assert_eq!(read.moves.len(), 3);
    }

    #[test]
    fn lines_stay_under_eighty_columns_and_commands_whole() {
        let mut game = game(None, &"g1f3 g8f6 f3g1 f6g8 ".repeat(15));
        for ply in &mut game.plies {
            ply.eval = Some(Eval::Cp(-1_234));
            ply.clock = Some(Duration::from_secs(5_000));
        }
        let pgn = write(&game);
        assert!(pgn.lines().all(|line| line.chars().count() < LINE), "{pgn}");
        assert_eq!(pgn.matches("[%eval -12.34]").count(), 60);
        assert_eq!(read(&pgn).moves.len(), 60);
    }

    #[test]
    fn an_illegal_move_ends_the_movetext_with_a_word_about_it() {
        let mut game = game(None, "e2e4 e7e5");
        game.plies.swap(0, 1);
        let read = read(&write(&game));
        assert!(read.moves.is_empty());
        assert_eq!(read.comments.len(), 1);
    }

    #[test]
    fn a_time_control_without_increment_names_none() {
        let control = |increment| TimeControl {
            initial: Duration::from_secs(900),
            increment: Duration::from_secs(increment),
        };
        assert_eq!(time_control(control(0)), "900");
        assert_eq!(time_control(control(10)), "900+10");
    }
}
