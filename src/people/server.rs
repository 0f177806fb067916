//! The hall over HTTP: its pages, and making a game.

use super::doors::{Doors, OwnPost, Refused, Visitor, json};
use super::game_id::GameId;
use super::game_request::{GameMade, wanted};
use super::hall::Hall;
use super::{account_pages, connection, game_page, pages, play};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::sync::Arc;
use torres_loopback::Doorkeeper;
use torres_site::layout::Section;

/// The hall's routes; its pages are the site's. `elsewhere` is where others than this machine's own browsers come in,
/// such as `https://192.0.2.7:8443/`.
pub fn router(hall: Arc<Hall>, elsewhere: Option<&str>) -> Router {
    Router::new()
        .route("/people", get(hall_page))
        .route("/people/{file}", get(file))
        .route("/game/{id}", get(game_page))
        .route("/people/games", post(make_game))
        .merge(account_pages::router())
        .merge(connection::router())
        .merge(play::router())
        .with_state(Doors::new(hall, elsewhere))
}

async fn hall_page(State(doors): State<Doors>, headers: HeaderMap) -> Result<Response, Refused> {
    let visitor = doors.known(&headers).await?;
    let name = visitor.as_ref().and_then(Visitor::account_name);
    Ok(pages::hall(&doors.hall.list(), name))
}

async fn file(Path(name): Path<String>) -> Response {
    pages::file(&name).unwrap_or_else(|| (StatusCode::NOT_FOUND, "there is no such file\n").into_response())
}

async fn game_page(
    State(doors): State<Doors>,
    keeper: Doorkeeper,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let Ok(id) = GameId::try_from(id) else {
        return Ok(pages::no_game());
    };
    let section = match doors.hall.is_owned(&id).await? {
        None => return Ok(pages::no_game()),
        Some(true) => Section::Play,
        Some(false) => Section::People,
    };
    let page = game_page::game(section, doors.elsewhere.as_deref());
    Ok(doors.visitor(&keeper, &headers).await?.greet(page))
}

async fn make_game(State(doors): State<Doors>, asked: OwnPost) -> Result<Response, Refused> {
    let (wanted, name, program) = wanted(&asked.body)?;
    let visitor = doors.visitor(&asked.keeper, &asked.headers).await?;
    let name = doors.guest_name(&visitor, name.as_deref()).await?;
    let person = visitor.person(name, program);
    let game = doors.hall.make(&person, &wanted).await?;
    Ok(visitor.greet(json(StatusCode::CREATED, &GameMade { game })))
}
