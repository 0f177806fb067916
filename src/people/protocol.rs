//! What a game's page and the server say to each other over the WebSocket, one JSON object per message
//! ([contracts](../../docs/contracts.md#games-of-two-people)).

use super::change::{Change, Times};
use super::command::{Claim, Command, Offer, Refusal};
use super::game::PeopleGame;
use super::game_id::GameId;
use super::person::Person;
use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position as _};
use std::collections::BTreeMap;
use torres_chess::Side;
use torres_frame::Timestamp;
use torres_printing::shortened;
use torres_site::game::{Game, Ply};
use torres_site::protocol::ClockSetup;

/// The longest message that a client may send, in bytes.
pub const LONGEST: usize = 1024;
/// The longest name of a person, in characters.
pub const LONGEST_NAME: usize = 24;

/// A client's words. Each command has a number of the client's own choice; the answer names it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromClient {
    /// The first message: who comes, and how many changes of the game it has seen.
    Hello {
        /// Number of the last change seen; 0 for none.
        #[serde(default)]
        seen: u64,
        /// How a guest wants to be named.
        #[serde(default)]
        name: Option<String>,
        /// Whether a program plays.
        #[serde(default)]
        program: bool,
    },
    /// Measures the way to the server; answered by a pong with the same number.
    Ping {
        /// The client's number.
        n: u32,
    },
    /// Answers the server's ping.
    Pong {
        /// The ping's number.
        n: u32,
    },
    /// [`Command::Join`]
    Join {
        /// Number of the command.
        id: u32,
    },
    /// [`Command::Move`]
    Move {
        /// Number of the command.
        id: u32,
        /// The position that the mover saw.
        turn: u32,
        /// UCI.
        uci: String,
    },
    /// [`Command::Resign`]
    Resign {
        /// Number of the command.
        id: u32,
    },
    /// [`Command::Offer`]
    Offer {
        /// Number of the command.
        id: u32,
        /// What.
        offer: Offer,
    },
    /// [`Command::Accept`]
    Accept {
        /// Number of the command.
        id: u32,
        /// What.
        offer: Offer,
    },
    /// [`Command::Decline`]
    Decline {
        /// Number of the command.
        id: u32,
        /// What.
        offer: Offer,
    },
    /// [`Command::Claim`]
    Claim {
        /// Number of the command.
        id: u32,
        /// As what.
        claim: Claim,
    },
    /// [`Command::AskSeat`]
    AskSeat {
        /// Number of the command.
        id: u32,
        /// Which.
        seat: Side,
    },
    /// [`Command::GiveSeat`]
    GiveSeat {
        /// Number of the command.
        id: u32,
    },
    /// [`Command::KeepSeat`]
    KeepSeat {
        /// Number of the command.
        id: u32,
    },
    /// [`Command::Withdraw`]
    Withdraw {
        /// Number of the command.
        id: u32,
    },
    /// [`Command::Undo`]
    Undo {
        /// Number of the command.
        id: u32,
    },
    /// [`Command::Pause`]
    Pause {
        /// Number of the command.
        id: u32,
    },
    /// [`Command::Resume`]
    Resume {
        /// Number of the command.
        id: u32,
    },
}

/// A client's message, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Who comes, and what was seen.
    Hello {
        /// Number of the last change seen; 0 for none.
        seen: u64,
        /// How a guest wants to be named, if that is a name.
        name: Option<String>,
        /// Whether a program plays.
        program: bool,
    },
    /// To be answered.
    Ping(u32),
    /// An answer.
    Pong(u32),
    /// A numbered command.
    Command(u32, Command),
}

/// A client's message as it came.
///
/// # Errors
/// What is wrong with it.
pub fn parse(text: &str) -> Result<Message, String> {
    if text.len() > LONGEST {
        return Err(format!(
            "the message is longer than {LONGEST} bytes; none of this game's is"
        ));
    }
    let said: FromClient = serde_json::from_str(text)
        .map_err(|error| format!("not a message of this game: {}", shortened(&error.to_string(), 200)))?;
    Ok(match said {
        FromClient::Hello { seen, name, program } => Message::Hello {
            seen,
            name: name.as_deref().and_then(cleaned_name),
            program,
        },
        FromClient::Ping { n } => Message::Ping(n),
        FromClient::Pong { n } => Message::Pong(n),
        FromClient::Move { id, turn, uci } => Message::Command(
            id,
            Command::Move {
                turn,
                uci: normal(&uci)?,
            },
        ),
        FromClient::Join { id } => Message::Command(id, Command::Join),
        FromClient::Resign { id } => Message::Command(id, Command::Resign),
        FromClient::Offer { id, offer } => Message::Command(id, Command::Offer(offer)),
        FromClient::Accept { id, offer } => Message::Command(id, Command::Accept(offer)),
        FromClient::Decline { id, offer } => Message::Command(id, Command::Decline(offer)),
        FromClient::Claim { id, claim } => Message::Command(id, Command::Claim(claim)),
        FromClient::AskSeat { id, seat } => Message::Command(id, Command::AskSeat(seat.into())),
        FromClient::GiveSeat { id } => Message::Command(id, Command::GiveSeat),
        FromClient::KeepSeat { id } => Message::Command(id, Command::KeepSeat),
        FromClient::Withdraw { id } => Message::Command(id, Command::Withdraw),
        FromClient::Undo { id } => Message::Command(id, Command::Undo),
        FromClient::Pause { id } => Message::Command(id, Command::Pause),
        FromClient::Resume { id } => Message::Command(id, Command::Resume),
    })
}

fn normal(text: &str) -> Result<UciMove, String> {
    match text.parse() {
        Ok(uci @ UciMove::Normal { .. }) => Ok(uci),
        _ => Err(format!("'{}' is not a UCI move such as e2e4", shortened(text, 20))),
    }
}

/// A name as others are shown it: without spaces at its ends and what moves a cursor or turns a line, and not too long.
/// `None` if nothing is left.
pub fn cleaned_name(text: &str) -> Option<String> {
    let plain: String = text
        .chars()
        .filter(|c| torres_printing::one_line(c.encode_utf8(&mut [0; 4])).len() == c.len_utf8())
        .collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(LONGEST_NAME).collect();
    let name = name.trim_end();
    (!name.is_empty()).then(|| name.to_owned())
}

/// The server's words.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToClient<'a> {
    /// The whole game, to whoever has seen nothing of it.
    Game(Box<Shown<'a>>),
    /// What happened.
    Change {
        /// Its number.
        seq: u64,
        /// What.
        change: ShownChange<'a>,
        /// What the game has become; absent where further changes follow at once.
        #[serde(skip_serializing_if = "Option::is_none")]
        now: Option<&'a Now<'a>>,
    },
    /// Which seat the client has from now on.
    You {
        /// `None` watches.
        seat: Option<Side>,
    },
    /// Who is there.
    Here(Here),
    /// A command was followed, and what it changed is kept.
    Ack {
        /// The command's number.
        id: u32,
        /// The game's changes so far.
        seq: u64,
    },
    /// A command was not followed.
    Refused {
        /// The command's number.
        id: u32,
        /// Why, for a program.
        reason: Refusal,
        /// Why, for a person.
        message: String,
    },
    /// A message was not understood.
    Error {
        /// What is wrong.
        message: String,
    },
    /// Measures the way to the client.
    Ping {
        /// To be said in the pong.
        n: u32,
    },
    /// Answers the client's ping.
    Pong {
        /// The ping's number.
        n: u32,
    },
}

/// A player as others see them.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Player<'a> {
    /// Their name.
    pub name: &'a str,
    /// Whether a program plays for them.
    pub program: bool,
    /// Whether the name is no account's.
    pub guest: bool,
    /// Which of the server's computers this is, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub computer: Option<&'a str>,
}

impl<'a> From<&'a Person> for Player<'a> {
    fn from(person: &'a Person) -> Player<'a> {
        Player {
            name: &person.name,
            program: person.program,
            guest: person.guest,
            computer: person.computer_id(),
        }
    }
}

/// Something for both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Both<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

/// Whether a player is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Presence {
    /// Whether they are.
    pub here: bool,
    /// For how long they have been away, in ms.
    pub away_ms: Option<u64>,
    /// The way to them and back, in ms.
    pub ping_ms: Option<u32>,
}

/// Who is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Here {
    /// The players.
    #[serde(flatten)]
    pub players: Both<Presence>,
    /// How many watch.
    pub watchers: usize,
}

/// A game as a client is shown it.
#[derive(Debug, Serialize)]
pub struct Shown<'a> {
    /// Its id.
    pub id: &'a GameId,
    /// How many changes it has seen.
    pub seq: u64,
    /// The client's seat; `None` watches.
    pub you: Option<Side>,
    /// Whether the client made this game, and a computer may play in it.
    pub owner: bool,
    /// Whether computers take a natural time; `None` in a game of two people.
    pub natural: Option<bool>,
    /// Half moves that were played before it was made.
    pub before: usize,
    /// Time at the start and for each move, in ms; `None` for a game without clocks.
    pub clock: Option<ClockSetup>,
    /// Where it began.
    pub start_fen: String,
    /// Its moves.
    pub moves: Vec<ShownMove>,
    /// What it has become.
    pub now: Now<'a>,
    /// Who is there.
    pub here: Here,
}

/// A move in the list.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct ShownMove {
    /// UCI, castling as the king's two steps.
    pub uci: String,
    /// SAN with check and mate signs.
    pub san: String,
    /// The position after it.
    pub fen: String,
}

/// What a game has become, its moves aside.
#[derive(Debug, Serialize)]
pub struct Now<'a> {
    /// Who plays.
    pub seats: Both<Option<Player<'a>>>,
    /// The position.
    pub position: ShownPosition,
    /// The clocks.
    pub times: Option<ShownTimes>,
    /// What is offered, and by whom.
    pub offers: ShownOffers,
    /// Who asks for which seat.
    pub asked: Option<Asked<'a>>,
    /// How it ended.
    pub end: Option<ShownEnd>,
    /// The rematch.
    pub next: Option<&'a GameId>,
    /// Whether it is paused.
    pub paused: bool,
}

/// A position and what can be played in it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct ShownPosition {
    /// To be named by the next move.
    pub turn: u32,
    /// Moves played.
    pub ply: usize,
    /// FEN.
    pub fen: String,
    /// Whose move it is.
    pub to_move: Side,
    /// Whether that side is in check.
    pub check: bool,
    /// The last move, UCI.
    pub last: Option<String>,
    /// The legal moves: UCI, castling as the king's two steps, and SAN; none in a game that is not on.
    pub legal: BTreeMap<String, String>,
}

/// Both clocks when the message was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ShownTimes {
    /// What both show.
    #[serde(flatten)]
    pub times: Times,
    /// Whose clock runs.
    pub running: Option<Side>,
}

/// What is offered, and by whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ShownOffers {
    /// A draw.
    pub draw: Option<Side>,
    /// A takeback.
    pub takeback: Option<Side>,
    /// A rematch.
    pub rematch: Option<Side>,
}

/// Who asks for a seat.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Asked<'a> {
    /// Which.
    pub seat: Side,
    /// Who.
    #[serde(flatten)]
    pub player: Player<'a>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ShownEnd {
    /// `1-0` and so on.
    pub score: &'static str,
    /// Such as `checkmate`.
    pub reason: &'static str,
    /// Who won, if anyone.
    pub winner: Option<Side>,
}

/// A change as clients are shown it: without what only the server knows.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum ShownChange<'a> {
    /// [`Change::Opened`]
    Opened,
    /// [`Change::Joined`]
    Joined {
        /// Which seat.
        seat: Side,
        /// Who.
        #[serde(flatten)]
        player: Player<'a>,
    },
    /// [`Change::Moved`]
    Moved {
        /// UCI.
        uci: &'a str,
        /// SAN; absent where the move was taken back since.
        #[serde(skip_serializing_if = "Option::is_none")]
        san: Option<String>,
        /// The position after it; absent likewise.
        #[serde(skip_serializing_if = "Option::is_none")]
        fen: Option<String>,
    },
    /// [`Change::Offered`]
    Offered {
        /// By whom.
        by: Side,
        /// What.
        offer: Offer,
    },
    /// [`Change::Declined`]
    Declined {
        /// By whom.
        by: Side,
        /// What.
        offer: Offer,
    },
    /// [`Change::TookBack`]
    TookBack {
        /// How many.
        plies: usize,
    },
    /// [`Change::SeatAsked`]
    SeatAsked {
        /// Which.
        seat: Side,
        /// Who.
        #[serde(flatten)]
        player: Player<'a>,
    },
    /// [`Change::SeatKept`]
    SeatKept {
        /// Which.
        seat: Side,
    },
    /// [`Change::Replaced`]
    Replaced {
        /// Which.
        seat: Side,
        /// Who.
        #[serde(flatten)]
        player: Player<'a>,
    },
    /// [`Change::Ended`]
    Ended {
        /// How.
        #[serde(flatten)]
        end: ShownEnd,
    },
    /// [`Change::Rematch`]
    Rematch {
        /// The next game.
        game: &'a GameId,
    },
    /// [`Change::Paused`]
    Paused,
    /// [`Change::Resumed`]
    Resumed,
}

impl<'a> ShownChange<'a> {
    /// A change; with its ply where it is a move that still stands.
    pub fn of(change: &'a Change, ply: Option<&Ply>) -> ShownChange<'a> {
        match change {
            Change::Opened(_) => ShownChange::Opened,
            Change::Joined { seat, person } => ShownChange::Joined {
                seat: *seat,
                player: person.into(),
            },
            Change::Moved { uci, .. } => ShownChange::Moved {
                uci,
                san: ply.map(|ply| ply.san.to_string()),
                fen: ply.map(|ply| ply.fen.clone()),
            },
            Change::Offered { by, offer } => ShownChange::Offered { by: *by, offer: *offer },
            Change::Declined { by, offer } => ShownChange::Declined { by: *by, offer: *offer },
            Change::TookBack { plies, .. } => ShownChange::TookBack { plies: *plies },
            Change::SeatAsked { seat, person } => ShownChange::SeatAsked {
                seat: *seat,
                player: person.into(),
            },
            Change::SeatKept { seat } => ShownChange::SeatKept { seat: *seat },
            Change::Replaced { seat, person } => ShownChange::Replaced {
                seat: *seat,
                player: person.into(),
            },
            Change::Ended { end, .. } => ShownChange::Ended { end: (*end).into() },
            Change::Rematch { game } => ShownChange::Rematch { game },
            Change::Paused { .. } => ShownChange::Paused,
            Change::Resumed { .. } => ShownChange::Resumed,
        }
    }
}

impl From<super::change::End> for ShownEnd {
    fn from(end: super::change::End) -> ShownEnd {
        ShownEnd {
            score: end.score(),
            reason: end.reason.words(),
            winner: end.winner,
        }
    }
}

/// What a game has become, as of a moment.
pub fn now(game: &PeopleGame, at: Timestamp) -> Now<'_> {
    let seat = |color| game.seats().get(color).as_ref().map(Player::from);
    let offers = game.offers();
    Now {
        seats: Both {
            white: seat(Color::White),
            black: seat(Color::Black),
        },
        position: position(game),
        times: game.times(at).map(|times| ShownTimes {
            times,
            running: game.clock().and_then(|clock| clock.running()).map(Side::from),
        }),
        offers: ShownOffers {
            draw: offers.draw.map(Side::from),
            takeback: offers.takeback.map(Side::from),
            rematch: offers.rematch.map(Side::from),
        },
        asked: game.asked().map(|(seat, person)| Asked {
            seat: seat.into(),
            player: person.into(),
        }),
        end: game.end().map(ShownEnd::from),
        next: game.next(),
        paused: game.is_paused(),
    }
}

fn position(game: &PeopleGame) -> ShownPosition {
    let rules = game.game();
    let position = rules.position();
    ShownPosition {
        turn: game.turn(),
        ply: rules.plies().len(),
        fen: rules.fen(),
        to_move: position.turn().into(),
        check: position.is_check(),
        last: rules.plies().last().map(|ply| ply.uci.to_string()),
        legal: match game.is_on() && !game.is_paused() {
            true => legal(position),
            false => BTreeMap::new(),
        },
    }
}

/// The legal moves: UCI to SAN.
pub fn legal(position: &Chess) -> BTreeMap<String, String> {
    let named = |&played: &Move| {
        let san = SanPlus::from_move(position.clone(), played);
        (torres_chess::uci(played), san.to_string())
    };
    position.legal_moves().iter().map(named).collect()
}

/// A game's moves.
pub fn moves(game: &Game) -> Vec<ShownMove> {
    let shown = |ply: &Ply| ShownMove {
        uci: ply.uci.to_string(),
        san: ply.san.to_string(),
        fen: ply.fen.clone(),
    };
    game.plies().iter().map(shown).collect()
}
