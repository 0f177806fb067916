//! What Torres wrote down, to be compared with what the page's side did.

use image::{Rgba, RgbaImage};
use pgn_reader::{RawComment, RawTag, Reader, Visitor};
use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};
use std::ops::ControlFlow;
use std::path::Path;
use torres_journal::{Entry, Event, GestureKind, event};

/// A press or release of the button over a square of the page's board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    /// Pressed, or released.
    pub down: bool,
    /// Over which square, if any.
    pub square: Option<String>,
}

impl Touch {
    /// From a page's report.
    pub fn new(report: &Value) -> Touch {
        Touch {
            down: report["type"] == "down",
            square: report["square"].as_str().map(str::to_owned),
        }
    }

    fn both(square: &str) -> [Touch; 2] {
        [true, false].map(|down| Touch {
            down,
            square: Some(square.to_owned()),
        })
    }
}

/// The journal in a folder.
pub fn journal(out: &Path) -> Vec<Entry> {
    let text = std::fs::read_to_string(out.join("journal.jsonl")).unwrap_or_default();
    // The last line may be under way.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Whether the journal has such an event.
pub fn has_event(journal: &[Entry], wanted: impl Fn(&Event) -> bool) -> bool {
    journal.iter().any(|entry| wanted(&entry.event))
}

/// All moves that were believed, in order.
pub fn moves_seen(journal: &[Entry]) -> Vec<String> {
    let seen = journal.iter().filter_map(|entry| match &entry.event {
        Event::Seen(event::Seen { moves, .. }) => Some(moves.clone()),
        _ => None,
    });
    seen.flatten().collect()
}

/// All gestures, each with its move or square.
pub fn gestures(journal: &[Entry]) -> Vec<(GestureKind, String)> {
    let made = journal.iter().filter_map(|entry| match &entry.event {
        Event::Gesture(event::Gesture { kind, played, .. }) => Some((*kind, played.clone())),
        _ => None,
    });
    made.collect()
}

/// What the page should have had of the mouse by the journal's gestures.
pub fn touches_ordered(journal: &[Entry]) -> Vec<Touch> {
    let mut touches = Vec::new();
    for (kind, what) in gestures(journal) {
        match kind {
            GestureKind::Drag => {
                let [down, _] = Touch::both(&what[..2]);
                let [_, up] = Touch::both(&what[2..4]);
                touches.extend([down, up]);
            }
            GestureKind::Clicks => {
                touches.extend(Touch::both(&what[..2]));
                touches.extend(Touch::both(&what[2..4]));
            }
            GestureKind::Target => touches.extend(Touch::both(&what[2..4])),
            GestureKind::Aside => {}
            GestureKind::GivenUp => touches.extend(Touch::both(&what[..2])),
            GestureKind::Promotion | GestureKind::Deselect => touches.extend(Touch::both(&what)),
        }
    }
    touches
}

/// What a reader of PGN finds in a file.
#[derive(Debug, Default)]
pub struct PgnGame {
    /// Where it starts.
    pub start: Chess,
    /// UCI.
    pub moves: Vec<String>,
    /// After each move, its comments.
    pub comments: Vec<String>,
    position: Chess,
}

struct PgnJudge;

impl Visitor for PgnJudge {
    type Tags = PgnGame;
    type Movetext = PgnGame;
    type Output = PgnGame;

    fn begin_tags(&mut self) -> ControlFlow<PgnGame, PgnGame> {
        ControlFlow::Continue(PgnGame::default())
    }

    fn tag(&mut self, game: &mut PgnGame, name: &[u8], value: RawTag<'_>) -> ControlFlow<PgnGame> {
        if name == b"FEN" {
            let fen: Fen = value.decode_utf8().unwrap().parse().unwrap();
            game.start = fen.into_position(CastlingMode::Standard).unwrap();
            game.position = game.start.clone();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: PgnGame) -> ControlFlow<PgnGame, PgnGame> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut PgnGame, san: SanPlus) -> ControlFlow<PgnGame> {
        let played = san.san.to_move(&game.position).unwrap();
        game.position.play_unchecked(played);
        game.moves.push(UciMove::from_standard(played).to_string());
        game.comments.push(String::new());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut PgnGame, comment: RawComment<'_>) -> ControlFlow<PgnGame> {
        if let Some(last) = game.comments.last_mut() {
            last.push_str(&String::from_utf8_lossy(comment.as_bytes()));
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: PgnGame) -> PgnGame {
        game
    }
}

/// Reads the only game of a PGN file.
pub fn pgn_of(path: &Path) -> PgnGame {
    let text = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut reader = Reader::new(text.as_slice());
    let game = reader.read_game(&mut PgnJudge).unwrap().expect("a game");
    assert!(reader.read_game(&mut PgnJudge).unwrap().is_none(), "one game");
    game
}

/// How many boards a contact sheet shows: its cells, row by row, until one is empty paper.
pub fn cells_of_sheet(path: &Path) -> usize {
    // As `ContactSheet` lays it out, in pixels.
    const BOARD: u32 = 224;
    const GAP: u32 = 14;
    const CAPTION: u32 = 22;
    const MARGIN: u32 = 24;
    const HEADING: u32 = 76;
    let sheet: RgbaImage = image::open(path)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        .into_rgba8();
    let paper = *sheet.get_pixel(0, 0);
    let columns = (sheet.width() - 2 * MARGIN + GAP) / (BOARD + GAP);
    let rows = (sheet.height() - HEADING - MARGIN) / (BOARD + CAPTION + GAP);
    let drawn = |cell: &u32| {
        let (x, y) = (
            MARGIN + cell % columns * (BOARD + GAP),
            HEADING + cell / columns * (BOARD + CAPTION + GAP),
        );
        let pixels = (0..BOARD).map(|i| sheet.get_pixel(x + i, y + i));
        pixels.filter(|pixel: &&Rgba<u8>| **pixel != paper).count() > BOARD as usize / 2
    };
    (0..columns * rows).filter(drawn).count()
}

/// The moves of each game of a log, in order; `kind` is the field that says what a line tells.
pub(crate) fn games_of(log: &[Value], kind: &str) -> Vec<Vec<String>> {
    let mut games: Vec<Vec<String>> = Vec::new();
    for line in log {
        match (line[kind].as_str(), line["move"].as_str()) {
            (Some("game"), _) => games.push(Vec::new()),
            (Some("move"), Some(played)) => games
                .last_mut()
                .expect("a game before its moves")
                .push(played.to_owned()),
            _ => {}
        }
    }
    games
}
