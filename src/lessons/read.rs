//! The one door for a lesson's file.

use super::Still;
use super::lesson::{Accept, Choice, Claim, End, Hint, Lesson, Marks, Part, Ply, Property, Said, Step, Task, Wish};
use serde::Deserialize;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, CastlingMode, Chess, Position, Setup, Square};
use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;
use toml::Spanned;
use torres_printing::shortened;

/// More opening brackets than a lesson has use for. The TOML parser goes deeper at each that is not closed: some 5,000
/// of them in a broken file were more than a thread's stack holds.
const MOST_BRACKETS: usize = 1_000;
/// A message quotes no more characters of the file.
const QUOTED: usize = 60;
/// The longest title and the longest answer, in characters.
const SHORT: usize = 60;
/// Bounds of what a lesson has.
const SENTENCES: RangeInclusive<usize> = 1..=6;
const STEPS: RangeInclusive<usize> = 1..=8;
const HINTS: RangeInclusive<usize> = 1..=4;
const PLIES: RangeInclusive<usize> = 1..=12;
const OPTIONS: RangeInclusive<usize> = 2..=5;
const FREE_MOVES: RangeInclusive<usize> = 1..=10;
const WALK_MOVES: RangeInclusive<usize> = 1..=20;
const MATE_MOVES: RangeInclusive<usize> = 1..=3;
const GAME_MOVES: RangeInclusive<usize> = 1..=60;

/// Something in a lesson's file that must be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub what: String,
}

/// Why a lesson is refused: every fault that was found, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Faults {
    /// The file.
    pub file: String,
    /// The faults; never empty.
    pub faults: Vec<Fault>,
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{}:{}: {}", self.file, fault.line, fault.what)?;
        }
        Ok(())
    }
}

/// The lesson that a file's text describes. `file` is its name: its stem is the lesson's id.
///
/// # Errors
/// Every fault of the text; only a text that is no TOML, or lacks a field, is refused at its first.
pub fn parse(file: &str, text: &str) -> Result<Lesson, Faults> {
    let mut reader = Reader {
        text,
        faults: Vec::new(),
    };
    let lesson = match text.match_indices(['[', '{']).nth(MOST_BRACKETS) {
        Some((at, _)) => reader.fault(
            at,
            format!("no lesson has more than {MOST_BRACKETS} opening brackets; is one not closed?"),
        ),
        None => match toml::from_str::<RawLesson>(text) {
            Ok(raw) => reader.lesson(file, &raw),
            Err(error) => {
                let start = error.span().map_or(0, |span| span.start);
                reader.fault(start, shortened(error.message().trim(), 4 * QUOTED).to_string())
            }
        },
    };
    match lesson {
        Some(lesson) if reader.faults.is_empty() => Ok(lesson),
        _ => {
            reader.faults.sort_by_key(|fault| fault.line);
            Err(Faults {
                file: file.to_owned(),
                faults: reader.faults,
            })
        }
    }
}

type Text = Spanned<String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLesson {
    id: Text,
    part: Part,
    title: Text,
    text: Spanned<Vec<Text>>,
    step: Spanned<Vec<RawStep>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStep {
    board: Text,
    ask: Text,
    goal: RawGoal,
    #[serde(default)]
    squares: Vec<Text>,
    #[serde(default)]
    arrows: Vec<Text>,
    hints: Spanned<Vec<RawHint>>,
    wrong: Text,
    right: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHint {
    say: Text,
    #[serde(default)]
    squares: Vec<Text>,
    #[serde(default)]
    arrows: Vec<Text>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawGoal {
    Free(RawMoves),
    Reach(RawWalk),
    Capture(RawWalk),
    Play(Spanned<Vec<RawPly>>),
    Mate(RawMoves),
    Against(RawAgainst),
    Choose(Spanned<Vec<Text>>),
    Answer(Spanned<Vec<RawOption>>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMoves {
    moves: Spanned<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawWalk {
    squares: Option<Spanned<Vec<Text>>>,
    moves: Option<Spanned<usize>>,
    #[serde(default)]
    safe: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAgainst {
    until: End,
    moves: Spanned<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPly {
    accept: Option<Spanned<Vec<Text>>>,
    avoid: Option<Spanned<Vec<Text>>>,
    every: Option<Spanned<Property>>,
    #[serde(default)]
    claim: Claim,
    #[serde(default)]
    instead: Vec<RawInstead>,
    reply: Option<Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawInstead {
    play: Text,
    say: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOption {
    option: Text,
    say: Option<Text>,
}

/// Reads a lesson and gathers its faults. A part that is faulty is `None`, and the reading goes on.
struct Reader<'a> {
    text: &'a str,
    faults: Vec<Fault>,
}

impl Reader<'_> {
    fn line(&self, at: usize) -> usize {
        let before = self.text.as_bytes().iter().take(at);
        1 + before.filter(|&&byte| byte == b'\n').count()
    }

    fn fault<T>(&mut self, at: usize, what: impl Into<String>) -> Option<T> {
        let line = self.line(at);
        self.faults.push(Fault {
            line,
            what: what.into(),
        });
        None
    }

    fn lesson(&mut self, file: &str, raw: &RawLesson) -> Option<Lesson> {
        let id = self.id(file, &raw.id);
        let title = self.short(&raw.title, "the title");
        self.count(
            raw.text.get_ref().len(),
            &SENTENCES,
            raw.text.span().start,
            "text",
            "sentences",
        );
        let text = self.each(raw.text.get_ref(), |reader, said| reader.said(said));
        self.count(raw.step.get_ref().len(), &STEPS, raw.step.span().start, "step", "steps");
        let steps = self.each(raw.step.get_ref(), Reader::step);
        Some(Lesson {
            id: id?,
            part: raw.part,
            title: title?,
            text: text?,
            steps: steps?,
        })
    }

    /// Every value, or none when one of them is faulty; all are read.
    fn each<R, T>(&mut self, raw: &[R], mut read: impl FnMut(&mut Self, &R) -> Option<T>) -> Option<Vec<T>> {
        let values: Vec<Option<T>> = raw.iter().map(|raw| read(self, raw)).collect();
        values.into_iter().collect()
    }

    fn count(
        &mut self,
        found: usize,
        allowed: &RangeInclusive<usize>,
        at: usize,
        field: &str,
        what: &str,
    ) -> Option<()> {
        let (least, most) = (allowed.start(), allowed.end());
        match allowed.contains(&found) {
            true => Some(()),
            false => self.fault(at, format!("'{field}' has {found} {what}; write {least} to {most}")),
        }
    }

    fn number(&mut self, raw: &Spanned<usize>, allowed: &RangeInclusive<usize>) -> Option<u32> {
        let (least, most) = (allowed.start(), allowed.end());
        match allowed.contains(raw.get_ref()) {
            true => u32::try_from(*raw.get_ref()).ok(),
            false => self.fault(
                raw.span().start,
                format!("'moves' is {}; write {least} to {most}", raw.get_ref()),
            ),
        }
    }

    fn id(&mut self, file: &str, raw: &Text) -> Option<String> {
        let id = raw.get_ref();
        let stem = Path::new(file)
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default();
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if id.is_empty() || !id.bytes().all(plain) {
            let what = format!(
                "the id '{}' must be small letters, digits and hyphens",
                shortened(id, QUOTED)
            );
            return self.fault(raw.span().start, what);
        }
        match id == stem {
            true => Some(id.clone()),
            false => {
                let what = format!(
                    "the id is '{}', the file '{}'; give them one name",
                    shortened(id, QUOTED),
                    shortened(stem, QUOTED)
                );
                self.fault(raw.span().start, what)
            }
        }
    }

    fn said(&mut self, raw: &Text) -> Option<Said> {
        let what = format!(
            "'{}' must be one line of 1 to {} characters; say it shorter",
            shortened(raw.get_ref(), QUOTED),
            Said::LONGEST
        );
        Said::new(raw.get_ref()).or_else(|| self.fault(raw.span().start, what))
    }

    fn short(&mut self, raw: &Text, name: &str) -> Option<Said> {
        let said = self.said(raw)?;
        match said.as_str().chars().count() <= SHORT {
            true => Some(said),
            false => self.fault(
                raw.span().start,
                format!("{name} is longer than {SHORT} characters; say it shorter"),
            ),
        }
    }

    fn square(&mut self, raw: &Text) -> Option<Square> {
        let what = format!("'{}' is not a square; write a1 to h8", shortened(raw.get_ref(), QUOTED));
        raw.get_ref()
            .parse()
            .ok()
            .or_else(|| self.fault(raw.span().start, what))
    }

    fn squares(&mut self, raw: &Spanned<Vec<Text>>) -> Option<Bitboard> {
        let squares = self.each(raw.get_ref(), Reader::square)?;
        match squares.is_empty() {
            true => self.fault(raw.span().start, "name one square or more"),
            false => Some(Bitboard::from_iter(squares)),
        }
    }

    fn arrow(&mut self, raw: &Text) -> Option<(Square, Square)> {
        let text = raw.get_ref();
        let ends = text.get(..2).zip(text.get(2..));
        let arrow = ends.and_then(|(from, to)| from.parse().ok().zip(to.parse().ok()));
        let what = format!(
            "'{}' is not an arrow; write two squares, such as e2e4",
            shortened(text, QUOTED)
        );
        arrow
            .filter(|(from, to): &(Square, Square)| from != to)
            .or_else(|| self.fault(raw.span().start, what))
    }

    fn marks(&mut self, squares: &[Text], arrows: &[Text]) -> Option<Marks> {
        let squares = self.each(squares, Reader::square);
        let arrows = self.each(arrows, Reader::arrow);
        Some(Marks {
            squares: squares?,
            arrows: arrows?,
        })
    }

    fn step(&mut self, raw: &RawStep) -> Option<Step> {
        let line = self.line(raw.board.span().start);
        let ask = self.said(&raw.ask);
        let marks = self.marks(&raw.squares, &raw.arrows);
        let task = self
            .setup(&raw.board)
            .and_then(|setup| self.task(&raw.board, &setup, &raw.goal));
        self.count(
            raw.hints.get_ref().len(),
            &HINTS,
            raw.hints.span().start,
            "hints",
            "hints",
        );
        let hints = self.each(raw.hints.get_ref(), |reader, hint| {
            let say = reader.said(&hint.say);
            let marks = reader.marks(&hint.squares, &hint.arrows);
            Some(Hint {
                say: say?,
                marks: marks?,
            })
        });
        let (wrong, right) = (self.said(&raw.wrong), self.said(&raw.right));
        Some(Step {
            line,
            ask: ask?,
            task: task?,
            marks: marks?,
            hints: hints?,
            wrong: wrong?,
            right: right?,
        })
    }

    fn setup(&mut self, raw: &Text) -> Option<Setup> {
        match raw.get_ref().parse::<Fen>() {
            Ok(fen) => Some(fen.into_setup()),
            Err(error) => {
                let what = format!("'{}' is not a FEN: {error}", shortened(raw.get_ref(), QUOTED));
                self.fault(raw.span().start, what)
            }
        }
    }

    /// The legal position of a step in which both sides move, or are asked to.
    fn game(&mut self, raw: &Text, setup: &Setup) -> Option<Chess> {
        match setup.clone().position::<Chess>(CastlingMode::Standard) {
            Ok(position) if position.legal_moves().is_empty() => self.fault(
                raw.span().start,
                "the game is over in this position; choose one with a legal move",
            ),
            Ok(position) => Some(position),
            Err(error) => {
                let what = format!("this goal needs a legal position with both kings: {error}");
                self.fault(raw.span().start, what)
            }
        }
    }

    fn task(&mut self, board: &Text, setup: &Setup, goal: &RawGoal) -> Option<Task> {
        let still = Still::new(setup);
        match goal {
            RawGoal::Free(raw) => {
                let moves = self.number(&raw.moves, &FREE_MOVES)?;
                self.walk(board, still, Wish::Free(moves), None, false)
            }
            RawGoal::Reach(raw) => {
                let squares = self.squares_to_reach(board, &still, raw.squares.as_ref())?;
                let moves = self.walk_moves(raw.moves.as_ref())?;
                self.walk(board, still, Wish::Reach(squares), moves, raw.safe)
            }
            RawGoal::Capture(raw) => {
                let squares = self.squares_to_capture_on(board, &still, raw.squares.as_ref())?;
                let moves = self.walk_moves(raw.moves.as_ref())?;
                self.walk(board, still, Wish::Capture(squares), moves, raw.safe)
            }
            RawGoal::Play(plies) => self.play(board, setup, plies),
            RawGoal::Mate(raw) => {
                let moves = self.number(&raw.moves, &MATE_MOVES);
                let start = self.game(board, setup);
                Some(Task::Mate {
                    start: start?,
                    moves: moves?,
                })
            }
            RawGoal::Against(raw) => {
                let moves = self.number(&raw.moves, &GAME_MOVES);
                let start = self.game(board, setup);
                Some(Task::Against {
                    start: start?,
                    until: raw.until,
                    moves: moves?,
                })
            }
            RawGoal::Choose(squares) => {
                let squares = self.squares(squares)?;
                Some(Task::Choose { board: still, squares })
            }
            RawGoal::Answer(options) => {
                let options = self.options(options)?;
                Some(Task::Answer { board: still, options })
            }
        }
    }

    fn squares_to_reach(
        &mut self,
        board: &Text,
        still: &Still,
        squares: Option<&Spanned<Vec<Text>>>,
    ) -> Option<Bitboard> {
        let Some(squares) = squares else {
            return self.fault(board.span().start, "'reach' needs 'squares'");
        };
        let squares = self.squares(squares)?;
        if (squares & still.board().occupied()).any() {
            let what = "something stands on a square of 'reach'; use 'capture' for it";
            return self.fault(board.span().start, what);
        }
        Some(squares)
    }

    /// Without squares all men of the other side.
    fn squares_to_capture_on(
        &mut self,
        board: &Text,
        still: &Still,
        squares: Option<&Spanned<Vec<Text>>>,
    ) -> Option<Bitboard> {
        let men = still.board().by_color(!still.mover()) & !still.board().kings();
        let squares = match squares {
            Some(squares) => self.squares(squares)?,
            None => men,
        };
        if squares.is_empty() || (squares & !men).any() {
            let what = "'capture' needs a man of the other side, not a king, on each of its squares";
            return self.fault(board.span().start, what);
        }
        Some(squares)
    }

    fn walk_moves(&mut self, raw: Option<&Spanned<usize>>) -> Option<Option<u32>> {
        match raw {
            None => Some(None),
            Some(raw) => self.number(raw, &WALK_MOVES).map(Some),
        }
    }

    fn walk(&mut self, at: &Text, board: Still, wish: Wish, moves: Option<u32>, safe: bool) -> Option<Task> {
        match board.moves().is_empty() {
            true => self.fault(
                at.span().start,
                "the side to move has no move; put its pieces on the board",
            ),
            false => Some(Task::Walk {
                board,
                wish,
                moves,
                safe,
            }),
        }
    }

    fn options(&mut self, raw: &Spanned<Vec<RawOption>>) -> Option<Vec<Choice>> {
        let at = raw.span().start;
        self.count(raw.get_ref().len(), &OPTIONS, at, "answer", "options")?;
        let options = self.each(raw.get_ref(), |reader, raw| {
            let option = reader.short(&raw.option, "an option");
            let wrong = match &raw.say {
                None => Some(None),
                Some(say) => reader.said(say).map(Some),
            };
            Some(Choice {
                option: option?,
                wrong: wrong?,
            })
        })?;
        match options.iter().filter(|choice| choice.wrong.is_none()).count() {
            1 => Some(options),
            _ => self.fault(at, "one option is right and has no 'say'; give every other one a 'say'"),
        }
    }

    fn play(&mut self, board: &Text, setup: &Setup, raw: &Spanned<Vec<RawPly>>) -> Option<Task> {
        let at = raw.span().start;
        self.count(raw.get_ref().len(), &PLIES, at, "play", "moves")?;
        let start = self.game(board, setup)?;
        let mut positions = vec![start.clone()];
        let mut plies = Vec::new();
        for (index, raw_ply) in raw.get_ref().iter().enumerate() {
            let last = index + 1 == raw.get_ref().len();
            let (ply, next) = self.ply(raw_ply, &positions, at, last)?;
            plies.push(ply);
            positions = next;
        }
        Some(Task::Line { start, plies })
    }

    /// A ply, and the positions to which it may lead.
    fn ply(&mut self, raw: &RawPly, positions: &[Chess], at: usize, last: bool) -> Option<(Ply, Vec<Chess>)> {
        let accept = self.accept(raw, positions, at)?;
        let instead = self.each(&raw.instead, |reader, raw| {
            let played = reader.legal(&raw.play, positions)?;
            Some((played, reader.said(&raw.say)?))
        })?;
        let mut next = Vec::new();
        for position in positions {
            for played in position.legal_moves() {
                let named = UciMove::from_standard(played);
                let taken = accept.takes(position, played);
                if taken && instead.iter().any(|(refused, _)| *refused == named) {
                    let what = format!("'instead' speaks of {named}, which is accepted");
                    return self.fault(raw.instead.first().map_or(at, |raw| raw.play.span().start), what);
                }
                if taken {
                    let mut after = position.clone();
                    after.play_unchecked(played);
                    next.push(after);
                }
            }
        }
        if next.is_empty() {
            return self.fault(at, "no legal move is accepted here");
        }
        let reply = match &raw.reply {
            None if !last => return self.fault(at, "every move but the last needs a 'reply'"),
            None => None,
            Some(reply) => Some(self.legal(reply, &next)?),
        };
        if let Some(reply) = reply {
            for position in &mut next {
                if let Ok(played) = reply.to_move(position) {
                    position.play_unchecked(played);
                }
            }
        }
        let over = !last && next.iter().any(|position| position.legal_moves().is_empty());
        if over {
            return self.fault(at, "the game is over before the last move of 'play'");
        }
        Some((
            Ply {
                accept,
                claim: raw.claim,
                instead,
                reply,
            },
            next,
        ))
    }

    fn accept(&mut self, raw: &RawPly, positions: &[Chess], at: usize) -> Option<Accept> {
        match (&raw.accept, &raw.avoid, &raw.every) {
            (Some(moves), None, None) => self.legal_moves(moves, positions).map(Accept::These),
            (None, Some(moves), None) => self.legal_moves(moves, positions).map(Accept::AllBut),
            (None, None, Some(property)) => Some(Accept::Every(*property.get_ref())),
            _ => self.fault(at, "a move of 'play' has one of 'accept', 'avoid' and 'every'"),
        }
    }

    fn legal_moves(&mut self, raw: &Spanned<Vec<Text>>, positions: &[Chess]) -> Option<Vec<UciMove>> {
        let moves = self.each(raw.get_ref(), |reader, text| reader.legal(text, positions))?;
        match moves.is_empty() {
            true => self.fault(raw.span().start, "name one move or more"),
            false => Some(moves),
        }
    }

    /// A move that is legal in each of these positions.
    fn legal(&mut self, raw: &Text, positions: &[Chess]) -> Option<UciMove> {
        let text = raw.get_ref();
        let Ok(named) = text.parse::<UciMove>() else {
            let what = format!(
                "'{}' is not a move; write two squares, such as e2e4 or e7e8q",
                shortened(text, QUOTED)
            );
            return self.fault(raw.span().start, what);
        };
        for position in positions {
            let legal = named.to_move(position).map(UciMove::from_standard);
            if legal.ok() != Some(named) {
                let what = format!(
                    "{} is not legal in '{}'",
                    shortened(text, QUOTED),
                    torres_chess::fen(position)
                );
                return self.fault(raw.span().start, what);
            }
        }
        Some(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"id = "good"
part = "basic"
title = "A title"
text = ["A sentence."]

[[step]]
board = "8/8/8/8/4R3/8/8/8 w - - 0 1"
ask = "Go to e8."
goal = { reach = { squares = ["e8"], moves = 1 } }
hints = [{ say = "Straight up.", squares = ["e8"], arrows = ["e4e8"] }]
wrong = "Not there."
right = "There."
"#;

    fn faults(from: &str, to: &str) -> Vec<(usize, String)> {
        assert!(GOOD.contains(from), "{from}");
        let faults = parse("good.toml", &GOOD.replace(from, to)).unwrap_err().faults;
        faults.into_iter().map(|fault| (fault.line, fault.what)).collect()
    }

    /// The fuzz target found it: some 1,000 such parts overflowed the stack.
    #[test]
    fn brackets_without_an_end_are_refused() {
        let part = "text = [\n    \"One.\",\n be stalemate!\"\ngoal = { mate = { moves = 2 } }\nhints = [\n    { say    \"Mostly.\",\n]\n\n";
        let refused = parse("lesson.toml", &part.repeat(2_000)).unwrap_err();
        assert_eq!(refused.faults.len(), 1);
        assert!(refused.faults[0].what.contains("1000 opening brackets"), "{refused}");
    }

    #[test]
    fn a_faulty_file_is_told_line_and_remedy() {
        parse("good.toml", GOOD).unwrap();
        let goal = r#"{ reach = { squares = ["e8"], moves = 1 } }"#;
        for (from, to, line, what) in [
            ("\"good\"", "\"Good\"", 1, "small letters"),
            ("\"good\"", "\"other\"", 1, "give them one name"),
            (
                "\"basic\"",
                "\"middle\"",
                2,
                "unknown variant `middle`, expected `basic` or `advanced`",
            ),
            ("title = ", "heading = ", 3, "unknown field `heading`"),
            ("[\"A sentence.\"]", "[]", 4, "0 sentences; write 1 to 6"),
            ("Go to e8.", "", 8, "say it shorter"),
            ("4R3", "4R4", 7, "is not a FEN"),
            ("4R3", "8", 7, "put its pieces on the board"),
            (
                "[\"e8\"], arrows",
                "[\"e9\"], arrows",
                10,
                "'e9' is not a square; write a1 to h8",
            ),
            ("e4e8", "e4e4", 10, "is not an arrow"),
            ("moves = 1", "moves = 0", 9, "'moves' is 0; write 1 to 20"),
            ("{ squares = [\"e8\"]", "{ squares = [\"e4\"]", 7, "use 'capture'"),
            (
                goal,
                "{ mate = { moves = 1 } }",
                7,
                "needs a legal position with both kings",
            ),
            (goal, "{ capture = {} }", 7, "needs a man of the other side"),
            (goal, "{ leap = {} }", 9, "unknown variant `leap`"),
            (
                goal,
                r#"{ answer = [{ option = "a" }, { option = "b" }] }"#,
                9,
                "one option is right",
            ),
            (
                "hints = [{ say = \"Straight up.\", squares = [\"e8\"], arrows = [\"e4e8\"] }]",
                "hints = []",
                10,
                "0 hints",
            ),
        ] {
            let found = faults(from, to);
            assert!(
                found.iter().any(|(at, text)| *at == line && text.contains(what)),
                "{to}: {found:?}"
            );
        }
        let both = GOOD.replace("e4e8", "e4").replace("Not there.", "");
        let told = parse("lessons/good.toml", &both).unwrap_err().to_string();
        assert_eq!(told.lines().count(), 2, "{told}");
        assert!(told.starts_with("lessons/good.toml:10: "), "{told}");
    }

    #[test]
    fn a_line_must_be_playable() {
        let step = |goal: &str| {
            GOOD.replace("8/8/8/8/4R3/8/8/8 w", "7k/8/8/8/8/8/8/R5K1 w")
                .replace(r#"{ reach = { squares = ["e8"], moves = 1 } }"#, goal)
        };
        let told = |goal: &str| parse("good.toml", &step(goal)).map_err(|faults| faults.to_string());
        told(r#"{ play = [{ accept = ["a1a7"], reply = "h8g8" }, { every = "check" }] }"#).unwrap();
        told(r#"{ play = [{ avoid = ["a1a2"] }] }"#).unwrap();
        for (goal, what) in [
            (r#"{ play = [] }"#, "0 moves"),
            (r#"{ play = [{ accept = ["a1b2"] }] }"#, "a1b2 is not legal in"),
            (r#"{ play = [{ accept = ["rook"] }] }"#, "is not a move"),
            (r#"{ play = [{ accept = [] }] }"#, "name one move"),
            (r#"{ play = [{ }] }"#, "one of 'accept', 'avoid' and 'every'"),
            (r#"{ play = [{ every = "castling" }] }"#, "no legal move is accepted"),
            (
                r#"{ play = [{ accept = ["a1a7"] }, { every = "check" }] }"#,
                "needs a 'reply'",
            ),
            (
                r#"{ play = [{ accept = ["a1a7"], reply = "h8h7" }] }"#,
                "h8h7 is not legal in",
            ),
            (
                r#"{ play = [{ accept = ["a1a7"], instead = [{ play = "a1a7", say = "No." }] }] }"#,
                "which is accepted",
            ),
        ] {
            let told = told(goal).unwrap_err();
            assert!(told.contains(what), "{goal}: {told}");
        }
    }
}
