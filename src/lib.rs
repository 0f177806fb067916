//! Torres plays chess by looking at the screen: it captures a browser window, finds the board, sees what the opponent
//! moved, asks its own engine in another process, and answers with real mouse events. It plays computer opponents
//! only, on boards that its user may automate.
//!
//! # One move, followed through the house
//!
//! ```text
//! screen ──frame──▶ vision ──reading──▶ bot ──go──▶ link ══socket══▶ engine process
//!                                        │                                │
//! browser ◀──drag── mouse ◀──gesture─────┘◀────────── bestmove ───────────┘
//! ```
//!
//! 1. [`screen`] captures the board's region as a [`frame::Frame`]: pixels, a time, and where on the desktop they lie.
//! 2. [`vision`] makes 64 histograms of it ([`vision::histogram`]) and compares them with those of the last frame that it
//!    understood. No square changed: nothing more happens.
//! 3. Squares changed: [`vision::Tracker`] asks which legal line explains the whole board. Exactly one does: that is
//!    what was played. None, or more than one: the [`vision::Reading`] is unknown, and unknown is never played on.
//! 4. [`bot::machine`], a state machine without any I/O, owns the game and its clock; it takes the reading and says what
//!    to do next: think, act, look again, or stop and say why. [`bot::driver`] does what it says.
//! 5. [`link`] carries the position over a local socket to the [`engine`]'s process and the best move back; an engine
//!    that dies, freezes or babbles is replaced and asked again.
//! 6. [`mouse`] performs the gesture, after [`bot::place`] has looked once more where the board is and
//!    [`bot::guard`] has compared the panel that names the opponent.
//! 7. The next frames are the proof: the move has landed when vision sees the position after it.
//!
//! # The house as a library
//!
//! Where is the board in a screenshot, and what stands on it? (`examples/read_screenshot.rs`)
//!
//! ```
//! use torres::geometry::{BoardMap, Orientation};
//! use torres::vision::{self, Appearance};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let image = image::open("tests/data/widgets/cm-chessboard.png")?.into_rgba8();
//! let found = vision::locate(&image)[0].rect;
//! let map = BoardMap { rect: found, orientation: Orientation::White };
//! // How the board looks is learned where the position is known.
//! let start = shakmaty::Board::new();
//! let appearance = Appearance::learn(&image, &map, &start)?;
//! assert_eq!(appearance.read(&image, &map).board(), start);
//! # Ok(())
//! # }
//! ```
//!
//! Which moves does a recorded game show? (`examples/follow_game.rs` does it frame by frame)
//!
//! ```
//! use torres::fixture::{Fixture, replay, score};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let fixture = Fixture::read("fixtures/castling-half-way".as_ref())?;
//! let replayed = replay((&fixture).into(), &mut fixture.frames())?;
//! for belief in &replayed.beliefs {
//!     println!("frame {}: {:?}", belief.frame, belief.moves);
//! }
//! assert!(score(&fixture, &replayed).is_some_and(|score| score.is_perfect()));
//! # Ok(())
//! # }
//! ```
//!
//! What does the engine play here? (`examples/ask_engine.rs` asks one that listens already)
//!
//! ```no_run
//! use torres::link::{Thinker, messages::{Go, Limits}, process::EngineCommand, supervisor::Supervisor};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let mut engine = Supervisor::new(EngineCommand::of("target/release/torres"));
//! let go = Go { fen: "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1".into(), limits: Limits { move_ms: Some(1000), ..Limits::default() }, ..Go::default() };
//! let answer = engine.think(go, &mut |event| println!("{event:?}")).await?;
//! println!("{:?}", answer.best);
//! # Ok(())
//! # }
//! ```
//!
//! # Rooms
//!
//! Layers point one way: a room may use those below it in this list, and [`chess`], [`frame`], [`geometry`],
//! [`picture`] and [`printing`] are at everyone's feet. `docs/design.md` has the table of who may know whom,
//! `docs/contracts.md` the contracts (command line, files, socket).
//!
//! - [`cli`]: one file per subcommand; [`watch`]: the live page of what the bot sees and does.
//! - [`arena`]: matches between engines, and their figures; [`data`]: positions on disk to learn from; [`train`]: the
//!   network that learns from them.
//! - [`doctor`]: is this machine ready?
//! - [`bot`]: the game being played.
//! - [`calibration`]: the saved file, and how it is made.
//! - [`fixture`]: recording frames and playing them back.
//! - [`people`]: games on the site between two people, or a person and a computer.
//! - [`site`]: the practice site, always its own process.
//! - [`store`]: what is kept of visitors, in SQLite or PostgreSQL.
//! - [`lessons`]: what a person learns chess from, and who judges it.
//! - [`engine`]: the chess engine; [`link`]: the way to it; [`study`]: other ways to search, to be compared with it;
//!   [`characters`]: opponents of different character.
//! - [`vision`]: from pixels to chess, pure.
//! - [`mouse`], [`screen`], [`desktop`]: the rim: input, capture, and a display and browser of one's own.
//! - [`journal`]: decisions, evidence, PGN, contact sheet.
//! - [`loopback`]: whom a server answers: one's own browser on this machine, or others too.
//! - [`chess`], [`frame`], [`geometry`], [`picture`], [`printing`]: FEN and UCI moves, captured pixels, places, drawing, and
//!   text made fit for a terminal.

pub use torres_arena as arena;
pub use torres_bot as bot;
pub use torres_calibration as calibration;
pub use torres_characters as characters;
pub use torres_chess as chess;
pub use torres_cli as cli;
pub use torres_data as data;
pub use torres_desktop as desktop;
pub use torres_doctor as doctor;
pub use torres_engine as engine;
pub use torres_fixture as fixture;
pub use torres_frame as frame;
pub use torres_geometry as geometry;
pub use torres_journal as journal;
pub use torres_lessons as lessons;
pub use torres_link as link;
pub use torres_loopback as loopback;
pub use torres_mouse as mouse;
pub use torres_people as people;
pub use torres_picture as picture;
pub use torres_printing as printing;
pub use torres_screen as screen;
pub use torres_site as site;
pub use torres_store as store;
pub use torres_study as study;
pub use torres_train as train;
pub use torres_vision as vision;
pub use torres_watch as watch;
