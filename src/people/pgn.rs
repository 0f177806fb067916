//! A game as PGN, and a game that is to be gone on with from PGN or FEN.
//!
//! Portable Game Notation specification, 8.1.1 (the seven tags) and 9.7.2 (a start of one's own).

use super::change::{End, Reason};
use super::game::PeopleGame;
use super::game_id::GameId;
use super::position;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Color, Position};
use std::fmt::Write;
use std::io::Cursor;
use std::ops::ControlFlow;
use torres_printing::shortened;
use torres_site::game::Game;

/// Characters of a line at most.
const LINE: usize = 80;
/// Plies of a game that can be gone on with.
const MOST_PLIES: usize = 600;
/// A message quotes no more characters.
const QUOTED: usize = 80;

/// What somebody wants to start from: a FEN, or a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Beginning {
    /// The first position.
    pub start: Chess,
    /// The moves that were played, UCI.
    pub moves: Vec<String>,
    /// Where they lead.
    pub end: Chess,
}

/// Reads a FEN, or the first game of a PGN: its main line.
///
/// # Errors
/// What is wrong with it, or that nothing can be played any more where it leads.
pub(super) fn read(text: &str) -> Result<Beginning, String> {
    let text = text.trim();
    let looks_like_fen = !text.contains(['[', '.']) && text.split(' ').next().is_some_and(|first| first.contains('/'));
    let neither = "there is neither a FEN nor a game in PGN";
    let (start, moves) = match looks_like_fen {
        true => (position::read(text)?, Vec::new()),
        false => {
            let game = Reader::new(Cursor::new(text)).read_game(&mut Mainline);
            game.map_err(|error| error.to_string())?.ok_or(neither)??
        }
    };
    // Words that are no moves are passed over as if they were comments.
    if !looks_like_fen && moves.is_empty() && !text.starts_with('[') {
        return Err(neither.into());
    }
    let mut game = Game::new(start.clone());
    for uci in &moves {
        let played = uci.parse().ok().and_then(|uci| game.play(&uci).map(|_| ()));
        played.ok_or_else(|| format!("{uci} is not legal"))?;
    }
    match game.ending() {
        None => Ok(Beginning {
            start,
            moves,
            end: game.position().clone(),
        }),
        Some(ending) => Err(format!("the game is over where that leads: {}", ending.reason())),
    }
}

struct Mainline;

impl Visitor for Mainline {
    type Tags = Chess;
    /// The present position, the first, and the moves.
    type Movetext = (Chess, Chess, Vec<String>);
    type Output = Result<(Chess, Vec<String>), String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            match position::read(&value.decode_utf8_lossy()) {
                Ok(position) => *start = position,
                Err(why) => return ControlFlow::Break(Err(why)),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue((start.clone(), start, Vec::new()))
    }

    fn san(&mut self, (position, _, moves): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        if moves.len() == MOST_PLIES {
            return ControlFlow::Break(Err(format!("the game has more than {MOST_PLIES} plies")));
        }
        match san.san.to_move(position) {
            Ok(played) => {
                moves.push(torres_chess::uci(played));
                position.play_unchecked(played);
                ControlFlow::Continue(())
            }
            Err(_) => {
                let move_text = shortened(&san.to_string(), QUOTED);
                let after = moves.len();
                ControlFlow::Break(Err(format!("{move_text} is not legal after {after} plies")))
            }
        }
    }

    fn end_game(&mut self, (_, start, moves): Self::Movetext) -> Self::Output {
        Ok((start, moves))
    }
}

/// A game in PGN export format. `site` is where it was played.
pub(super) fn write(id: &GameId, game: &PeopleGame, site: &str) -> String {
    let rules = game.game();
    let name = |color| {
        let seat = game.seats().get(color).as_ref();
        seat.map_or("?", |person| person.name.as_str())
    };
    let result = game.end().map_or("*", End::score);
    let control = game.control().map_or("-".into(), |control| {
        format!("{}+{}", control.initial.as_secs(), control.increment.as_secs())
    });
    let mut tags = vec![
        ("Event", "Torres".to_owned()),
        ("Site", format!("{site}/game/{id}")),
        ("Date", "????.??.??".into()),
        ("Round", "-".into()),
        ("White", name(Color::White).into()),
        ("Black", name(Color::Black).into()),
        ("Result", result.into()),
        ("TimeControl", control),
    ];
    if let Some(end) = game.end() {
        let how = match end.reason {
            Reason::Time => "time forfeit",
            Reason::Abandoned | Reason::Withdrawn => "abandoned",
            _ => "normal",
        };
        tags.push(("Termination", how.into()));
    }
    if *rules.start() != Chess::default() {
        tags.push(("SetUp", "1".into()));
        tags.push(("FEN", torres_chess::fen(rules.start())));
    }
    let mut out = String::new();
    for (name, value) in tags {
        let escape = |c: char| matches!(c, '"' | '\\').then_some('\\').into_iter().chain([c]);
        let value: String = value.chars().filter(|c| !c.is_control()).flat_map(escape).collect();
        let _ = writeln!(out, "[{name} \"{value}\"]");
    }
    let mut column = LINE;
    for word in words(rules).iter().map(String::as_str).chain([result]) {
        let fits = column + 1 + word.len() < LINE;
        out.push(if fits { ' ' } else { '\n' });
        out.push_str(word);
        column = if fits { column + 1 } else { 0 } + word.len();
    }
    out.push('\n');
    out
}

/// Move numbers and moves.
fn words(game: &Game) -> Vec<String> {
    let mut words = Vec::new();
    let mut number = game.start().fullmoves();
    for ply in game.plies() {
        match ply.mover {
            Color::White => words.push(format!("{number}.")),
            Color::Black if words.is_empty() => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(ply.san.to_string());
        if ply.mover.is_black() {
            number = number.saturating_add(1);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::change::Change;
    use super::super::person::{Person, PersonId};
    use super::*;
    use torres_frame::Timestamp;

    fn played(start: &str, moves: &str) -> PeopleGame {
        let now = Timestamp::now();
        let mut game = PeopleGame::new(torres_chess::parse_fen(start).unwrap(), None, now);
        let person = Person {
            id: PersonId("1".into()),
            name: "Ann \"the\\\n rook\"".into(),
            program: false,
            guest: false,
        };
        let seat = torres_chess::Side::White;
        assert!(game.apply(&Change::Joined { seat, person }, now));
        for uci in moves.split_whitespace() {
            let (uci, times) = (uci.to_owned(), None);
            assert!(game.apply(&Change::Moved { uci, times }, now));
        }
        game
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const ENDING: &str = "4k3/P7/8/8/8/8/8/4K2R b K - 0 40";

    #[test]
    fn what_was_written_is_read_back() {
        let id = GameId::try_from("abcdefghij".to_owned()).unwrap();
        for (start, moves) in [
            (
                START,
                "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3 e7e5 d4b3 c8e6 f2f3 f8e7 d1d2",
            ),
            (ENDING, "e8d7 a7a8n d7c6 e1g1"),
            (START, ""),
        ] {
            let text = write(&id, &played(start, moves), "http://127.0.0.1:8017");
            assert!(
                text.lines().all(|line| line.len() <= LINE || line.starts_with('[')),
                "{text}"
            );
            let read = read(&text).unwrap();
            assert_eq!(torres_chess::fen(&read.start), start, "{text}");
            assert_eq!(read.moves.join(" "), moves, "{text}");
            assert!(
                text.contains(r#"[White "Ann \"the\\ rook\""]"#) && text.trim_end().ends_with('*'),
                "{text}"
            );
        }
        let text = write(&id, &played(ENDING, "e8d7 a7a8n"), "");
        assert!(text.contains("\n40... Kd7 41. a8=N *\n"), "{text}");
    }

    #[test]
    fn a_fen_or_a_game_with_comments_and_side_lines_is_read() {
        assert_eq!(read(ENDING).unwrap().moves, Vec::<String>::new());
        let text = "[White \"A\"]\n\n1. e4! {best} e5 (1... c5 2. Nf3) 2. Nf3 $1 *\n\n[White \"Next\"]\n\n1. d4 *";
        assert_eq!(read(text).unwrap().moves, ["e2e4", "e7e5", "g1f3"]);
    }

    #[test]
    fn what_is_neither_or_leads_nowhere_is_refused_with_the_reason() {
        for (text, why) in [
            ("", "neither"),
            ("good day", "neither"),
            ("1. e4 e5 2. Ke3", "Ke3 is not legal after 2 plies"),
            ("1. f3 e5 2. g4 Qh4#", "checkmate"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "insufficient material"),
            ("[FEN \"nonsense\"]\n\n1. e4", "not a FEN"),
            ("4k3/8/8/8/8/8/8 w - - 0 1", "not a FEN"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
