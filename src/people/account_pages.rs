//! Accounts over HTTP: signing up, logging in and out, taking along what is kept of oneself, and having it forgotten.

use super::accounts::{self, Trier};
use super::change::Change;
use super::doors::{
    BROWSER, Doors, LONGEST_REQUEST, OwnPage, OwnPost, Refused, bad, done, json, too_often, unavailable, with_cookie,
};
use super::person::{DELETED, Person, PersonId};
use super::{pages, protocol};
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use torres_frame::WallTime;
use torres_loopback::Doorkeeper;
use torres_site::cookie::{self, LEARNER};
use torres_store::KeptAccount;

/// The routes of `/account`.
pub(super) fn router() -> Router<Doors> {
    Router::new()
        .route("/account", get(account_page))
        .route("/account/sign-up", post(sign_up))
        .route("/account/log-in", post(log_in))
        .route("/account/log-out", post(log_out))
        .route("/account/delete", post(delete_account))
        .route("/account/export", get(export))
}

/// A request with a name and a password, or one of both.
#[derive(Deserialize)]
pub(super) struct Credentials {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub password: String,
}

pub(super) fn credentials(body: &[u8]) -> Result<Credentials, Refused> {
    if body.len() > LONGEST_REQUEST {
        return Err(bad("the request is too long"));
    }
    serde_json::from_slice(body).map_err(|_| bad("a name and a password are needed"))
}

async fn account_page(State(doors): State<Doors>, keeper: Doorkeeper, headers: HeaderMap) -> Result<Response, Refused> {
    let visitor = doors.visitor(&keeper, &headers).await?;
    Ok(visitor.greet(pages::account(visitor.account_name())))
}

async fn sign_up(State(doors): State<Doors>, asked: OwnPost) -> Result<Response, Refused> {
    let Credentials { name, password } = credentials(&asked.body)?;
    let name = protocol::cleaned_name(&name).ok_or_else(|| bad("choose a name"))?;
    if accounts::is_reserved(&name, &doors.hall.computers.all()) {
        return Err(bad("no account can have that name; choose another"));
    }
    if let Some(fault) = accounts::password_fault(&password) {
        return Err(bad(&fault));
    }
    let taken = || Refused(StatusCode::CONFLICT, "that name is taken; choose another".into());
    if doors.hall.store().account_named(&name).await?.is_some() {
        return Err(taken());
    }
    if !doors.log_ins.allows_sign_up(&Trier::at(asked.address.ip())) {
        return Err(too_often());
    }
    let visitor = doors.visitor(&asked.keeper, &asked.headers).await?;
    let password = doors.log_ins.hash(password).await.map_err(unavailable)?;
    let learner = visitor.learner.clone();
    let account = KeptAccount {
        learner: visitor.learner,
        name,
        password,
    };
    if !doors.hall.store().make_account(&account, WallTime::now()).await? {
        return Err(taken());
    }
    doors.logged_in(&asked.keeper, &learner, false).await
}

async fn log_in(State(doors): State<Doors>, asked: OwnPost) -> Result<Response, Refused> {
    let Credentials { name, password } = credentials(&asked.body)?;
    let wrong = || Refused(StatusCode::FORBIDDEN, "name or password is wrong".into());
    let name = protocol::cleaned_name(&name).ok_or_else(wrong)?;
    if password.len() > accounts::LONGEST_PASSWORD {
        return Err(wrong());
    }
    // Names are no secret: whoever wants one for an account is told that it is taken.
    let account = doors.hall.store().account_named(&name).await?.ok_or_else(wrong)?;
    let who = doors.trier(&asked, &account).await?;
    match doors.fits(&who, &account, password).await? {
        true => {
            let is_known = matches!(who, Trier::Known(_));
            doors.logged_in(&asked.keeper, &account.learner, is_known).await
        }
        false => Err(wrong()),
    }
}

async fn log_out(
    State(doors): State<Doors>,
    OwnPage(keeper): OwnPage,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    if let Some(token) = cookie::token(&headers, LEARNER) {
        doors.hall.store().end_session(&token).await?;
    }
    Ok(with_cookie(done(), cookie::unset(&keeper, LEARNER)))
}

async fn delete_account(State(doors): State<Doors>, asked: OwnPost) -> Result<Response, Refused> {
    let Credentials { password, .. } = credentials(&asked.body)?;
    let wrong = || Refused(StatusCode::FORBIDDEN, "the password is wrong".into());
    let visitor = doors.known(&asked.headers).await?.ok_or_else(wrong)?;
    // A guest has no password: their browser alone says who they are.
    if let Some(account) = &visitor.account {
        let who = doors.trier(&asked, account).await?;
        if !doors.fits(&who, account, password).await? {
            return Err(wrong());
        }
    }
    let id = PersonId(visitor.learner.as_str().to_owned());
    let store = doors.hall.store();
    store.forget_player(&id.0, |change| without(change, &id)).await?;
    store.forget_learner(&visitor.learner).await?;
    let answer = with_cookie(done(), cookie::unset(&asked.keeper, LEARNER));
    Ok(with_cookie(answer, cookie::unset(&asked.keeper, BROWSER)))
}

/// A change without a person, where it names them.
fn without(change: &str, id: &PersonId) -> Option<String> {
    let mut change: Change = serde_json::from_str(change).ok()?;
    if let Change::Opened(owned) = &mut change
        && owned.by == *id
    {
        owned.by = PersonId("deleted".into());
        return serde_json::to_string(&change).ok();
    }
    let (Change::Joined { person, .. } | Change::SeatAsked { person, .. } | Change::Replaced { person, .. }) =
        &mut change
    else {
        return None;
    };
    if person.id != *id {
        return None;
    }
    *person = Person {
        id: PersonId("deleted".into()),
        name: DELETED.into(),
        program: person.program,
        guest: false,
    };
    serde_json::to_string(&change).ok()
}

/// What is kept of somebody.
#[derive(Serialize)]
struct Export {
    name: Option<String>,
    games: Vec<ExportedGame>,
    /// All else, by table: lessons, repetitions, puzzles, ratings, and since when.
    kept: Map<String, Value>,
}

#[derive(Serialize)]
struct ExportedGame {
    id: String,
    start_fen: String,
    clock_ms: Option<(u64, u64)>,
    changes: Vec<Value>,
}

async fn export(State(doors): State<Doors>, keeper: Doorkeeper, headers: HeaderMap) -> Result<Response, Refused> {
    let visitor = doors.visitor(&keeper, &headers).await?;
    let store = doors.hall.store();
    let mut games = Vec::new();
    for id in store.games_of(visitor.learner.as_str()).await? {
        if let Some(game) = store.people_game(&id).await? {
            let changes = game.changes.into_iter();
            games.push(ExportedGame {
                id,
                start_fen: game.made.start_fen,
                clock_ms: game.made.clock_ms,
                changes: changes.filter_map(|(_, change)| exported(&change)).collect(),
            });
        }
    }
    let export = Export {
        name: visitor.account_name().map(str::to_owned),
        games,
        kept: store.all_of(&visitor.learner).await?,
    };
    Ok(visitor.greet(json(StatusCode::OK, &export)))
}

/// A change as its player is given it: without what only the server knows of others.
fn exported(change: &str) -> Option<Value> {
    let mut change: Value = serde_json::from_str(change).ok()?;
    if let Some(person) = change.get_mut("person").and_then(Value::as_object_mut) {
        person.remove("id");
    }
    if change["what"] == "opened"
        && let Some(opened) = change.as_object_mut()
    {
        opened.remove("by");
    }
    Some(change)
}
