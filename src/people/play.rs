//! The doors of playing against a computer: making such a game.

use super::change::Reason;
use super::doors::{Doors, OwnPost, Refused, bad, json};
use super::game_id::GameId;
use super::game_request::GameMade;
use super::hall::Wanted;
use super::person::{Owned, Person, PersonId};
use super::{analysis, mistakes, pgn, play_page};
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use shakmaty::Color;
use torres_chess::TimeControl;
use torres_loopback::Doorkeeper;
use torres_site::protocol::ClockSetup;

/// The longest request to make a game, in bytes.
const LONGEST_REQUEST: usize = 32 * 1024;
/// How many of one's own games are read, the latest ones.
const READ: usize = 60;
/// And how many of them are shown.
const SHOWN: usize = 24;
/// What the request calls whoever asks.
const SELF: &str = "person";

/// The routes.
pub(super) fn router() -> Router<Doors> {
    Router::new()
        .route("/play", get(page))
        .route("/play/games", post(make_game))
        .route("/play/position", post(position))
        .route("/game/{id}/look", post(analysis::analyse))
        .route("/game/{id}/mistakes", post(mistakes::keep))
        .route("/game/{id}/pgn", get(analysis::pgn))
}

async fn page(State(doors): State<Doors>, keeper: Doorkeeper, headers: HeaderMap) -> Result<Response, Refused> {
    let visitor = doors.visitor(&keeper, &headers).await?;
    let own = PersonId(visitor.learner.as_str().to_owned());
    let mut games = Vec::new();
    for id in doors.hall.store().games_of(&own.0).await?.into_iter().take(READ) {
        // One that cannot be read is left out; its own page says so.
        if let Ok((id, game)) = analysis::kept(&doors, id).await
            && game.end().is_none_or(|end| end.reason != Reason::Withdrawn)
        {
            games.push((id, game));
        }
    }
    // The latest first, and those that go on before those that are over.
    games.sort_by_key(|(_, game)| game.end().is_some());
    games.truncate(SHOWN);
    let computers = doors.hall.computers.all();
    Ok(visitor.greet(play_page::play(&own, visitor.account_name(), &games, &computers)))
}

/// A request to make a game in which a computer may play.
#[derive(Debug, Deserialize)]
struct MakeGame {
    /// How a guest wants to be named.
    #[serde(default)]
    name: Option<String>,
    /// Who has White: `person` for whoever asks, or a computer's id.
    white: String,
    /// Who has Black.
    black: String,
    /// Absent: without clocks.
    #[serde(default)]
    clock: Option<ClockSetup>,
    /// What is gone on with, as FEN or PGN; absent: the standard start.
    #[serde(default)]
    start: Option<String>,
    /// Whether computers take a natural time for their moves.
    #[serde(default = "yes")]
    natural: bool,
}

fn yes() -> bool {
    true
}

async fn make_game(State(doors): State<Doors>, post: OwnPost) -> Result<Response, Refused> {
    if post.body.len() > LONGEST_REQUEST {
        return Err(bad("the request is too long"));
    }
    let asked: MakeGame = serde_json::from_slice(&post.body).map_err(|error| bad(&error.to_string()))?;
    let beginning = match &asked.start {
        None => pgn::Beginning::default(),
        Some(text) => pgn::read(text).map_err(|why| bad(&why))?,
    };
    let visitor = doors.visitor(&post.keeper, &post.headers).await?;
    let own = visitor.person(doors.guest_name(&visitor, asked.name.as_deref()).await?, false);
    let players = [(Color::White, &asked.white), (Color::Black, &asked.black)];
    let players = players.map(|(color, id)| seated(&doors, id, &own).map(|person| (color, person)));
    let wanted = Wanted {
        color: None,
        control: asked.clock.map(TimeControl::from),
        listed: false,
        start: beginning.start,
        owned: Some(Owned {
            by: own.id.clone(),
            natural: asked.natural,
            before: beginning.moves.len(),
        }),
        moves: beginning.moves,
    };
    let players = players.into_iter().collect::<Result<_, _>>()?;
    let game: GameId = doors.hall.make_with(&wanted, players).await?;
    Ok(visitor.greet(json(StatusCode::CREATED, &GameMade { game })))
}

/// A request to look at what a game is to start from.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AskPosition {
    /// As FEN or PGN.
    start: String,
}

/// Where a game would begin.
#[derive(Debug, Serialize)]
struct BeginsAt {
    /// The position, as FEN.
    fen: String,
    /// Half moves that have led there.
    plies: usize,
}

/// Says where a game would begin, or what is wrong with it, before it is made.
async fn position(post: OwnPost) -> Result<Response, Refused> {
    if post.body.len() > LONGEST_REQUEST {
        return Err(bad("the request is too long"));
    }
    let asked: AskPosition = serde_json::from_slice(&post.body).map_err(|error| bad(&error.to_string()))?;
    let beginning = pgn::read(&asked.start).map_err(|why| bad(&why))?;
    let begins_at = BeginsAt {
        fen: torres_chess::fen(&beginning.end),
        plies: beginning.moves.len(),
    };
    Ok(json(StatusCode::OK, &begins_at))
}

/// Who sits where the request says this.
fn seated(doors: &Doors, id: &str, own: &Person) -> Result<Person, Refused> {
    if id == SELF {
        return Ok(own.clone());
    }
    let computer = doors
        .hall
        .computers
        .find(id)
        .ok_or_else(|| bad(&format!("there is no computer '{id}' here")))?;
    Ok(computer.person())
}
