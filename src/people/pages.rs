//! The pages of two people, and their files. What moves on them is drawn by `assets/` from what the server says.

use super::hall::ListedGame;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

/// Only what this server itself serves may be loaded, spoken to or run; no script or style stands in a page. Pieces are `data:` images.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/// Name, type and content of each file.
const FILES: [(&str, &str, &str); 4] = [
    (
        "account.js",
        "text/javascript; charset=utf-8",
        include_str!("assets/account.js"),
    ),
    (
        "people.css",
        "text/css; charset=utf-8",
        include_str!("assets/people.css"),
    ),
    (
        "people.js",
        "text/javascript; charset=utf-8",
        include_str!("assets/people.js"),
    ),
    (
        "game.js",
        "text/javascript; charset=utf-8",
        include_str!("assets/game.js"),
    ),
];

/// A file by its name.
pub(super) fn file(name: &str) -> Option<Response> {
    let &(_, kind, content) = FILES.iter().find(|(at, ..)| *at == name)?;
    Some(served(kind, content.to_owned()))
}

fn served(kind: &'static str, content: String) -> Response {
    let headers = [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // A game's address lets whoever knows it in: it is told to no other site.
        (REFERRER_POLICY, "same-origin"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, content).into_response()
}

/// A page under the site's header.
fn page(title: &str, script: &str, board: bool, body: &Markup) -> Response {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · Torres" }
                link rel="icon" href="/icon.svg";
                @if board {
                    link rel="stylesheet" href="/vendor/chessground/chessground.base.css";
                    link rel="stylesheet" href="/vendor/chessground/chessground.brown.css";
                    link rel="stylesheet" href="/vendor/chessground/chessground.cburnett.css";
                }
                link rel="stylesheet" href="/people/people.css";
                script type="module" src={ "/people/" (script) } {}
            }
            body {
                header.top {
                    a.home href="/people" { img src="/icon.svg" alt="" width="28" height="28"; "Torres" }
                    nav .links aria-label="Site" {
                        a href="/" { "Play" }
                        a href="/people" aria-current=[(script == "people.js").then_some("page")] { "People" }
                        a href="/learn" { "Learn" }
                        a href="/puzzles" { "Puzzles" }
                        a href="/account" aria-current=[(script == "account.js").then_some("page")] { "Account" }
                    }
                }
                (body)
            }
        }
    };
    served("text/html; charset=utf-8", page.into_string())
}

/// The list of games, and the form that makes one.
pub(super) fn hall(games: &[ListedGame]) -> Response {
    let (free, on): (Vec<_>, Vec<_>) = games.iter().partition(|game| game.free().is_some());
    let body = html! {
        main.hall {
            header {
                h1 { "Play a person" }
                p.quiet { "Make a game and send its address to a friend, or put it into the list for anybody here. No account is needed." }
            }
            section.card aria-labelledby="make-title" {
                h2 #make-title { "Make a game" }
                form #make {
                    div.field {
                        label for="name" { "Your name" }
                        input #name type="text" name="name" maxlength="24" autocomplete="nickname" placeholder="Guest";
                    }
                    fieldset {
                        legend { "You play" }
                        (choice("color", "any", true, &html! { "Either" }))
                        (choice("color", "white", false, &html! { i.color.white {} "White" }))
                        (choice("color", "black", false, &html! { i.color.black {} "Black" }))
                    }
                    fieldset {
                        legend { "Minutes, and seconds added for each move" }
                        @for clock in ["3+2", "5+3", "10+0", "15+10", "30+20"] {
                            (choice("clock", clock, clock == "10+0", &html! { (clock) }))
                        }
                        (choice("clock", "none", false, &html! { "No clock" }))
                    }
                    fieldset {
                        legend { "Who may join" }
                        (choice("listed", "no", true, &html! { "Whoever has the link" }))
                        (choice("listed", "yes", false, &html! { "Anybody, from the list" }))
                    }
                    label.check { input #program type="checkbox" name="program"; "A program plays for me" }
                    button.primary type="submit" { "Make the game" }
                    p #problem .problem role="alert" {}
                }
            }
            section.card aria-label="Games" {
                h2 { "Join a game" }
                ul #open .games { @for game in free { (row(game)) } }
                p #no-open .quiet hidden[games.iter().any(|game| game.free().is_some())] { "Nobody is waiting. Make a game: it stands here for others." }
                h2 { "Watch a game" }
                ul #playing .games { @for game in &on { (row(game)) } }
                p #no-playing .quiet hidden[!on.is_empty()] { "No game of the list is being played." }
            }
        }
    };
    page("Play a person", "people.js", false, &body)
}

fn choice(name: &str, value: &str, checked: bool, label: &Markup) -> Markup {
    html! {
        label { input type="radio" name=(name) value=(value) checked[checked]; span { (label) } }
    }
}

fn row(game: &ListedGame) -> Markup {
    let named = |player: &Option<(String, bool)>| {
        html! {
            @if let Some((name, program)) = player {
                span.who { (name) @if *program { " " span.tag { "program" } } }
            }
        }
    };
    html! {
        li { a href={ "/game/" (game.id.as_str()) } {
            @match game.free() {
                Some(side) => {
                    @let color = shakmaty::Color::from(side).fold_wb("white", "black");
                    span class={ "color " (color) } title={ "you play " (color) } {}
                    (named(&game.white)) (named(&game.black))
                }
                None => { (named(&game.white)) " – " (named(&game.black)) }
            }
            span.time { (game.clock.as_deref().unwrap_or("no clock")) }
        } }
    }
}

/// A game; its script draws it.
pub(super) fn game() -> Response {
    let player = |place: &str| {
        html! {
            div.player {
                span id={ (place) "-dot" } .dot {}
                span id={ (place) "-color" } .color {}
                span id={ (place) "-name" } .who {}
                span id={ (place) "-program" } .tag hidden { "program" }
                span id={ (place) "-state" } .state {}
                time id={ (place) "-clock" } .clock hidden {}
            }
        }
    };
    let body = html! {
        main.game {
            h1.unseen { "Game" }
            section aria-label="Board" {
                (player("upper"))
                div #board .cg-wrap aria-label="Chess board" role="img" {}
                (player("lower"))
            }
            aside.beside aria-label="Game" {
                p #notice role="status" { "The game is on its way." }
                p #said .problem role="alert" {}
                div #invite hidden {
                    p { label for="address" { "Whoever has this address may join:" } }
                    div.address { input #address type="text" readonly; button #copy type="button" { "Copy" } }
                }
                div #questions {}
                div.actions {
                    button #join .primary type="button" hidden { "Join the game" }
                    button #withdraw type="button" hidden { "Withdraw the game" }
                    button #rematch .primary type="button" hidden { "Rematch" }
                }
                ol #moves tabindex="0" aria-label="Moves" {}
                form #typed hidden {
                    label.unseen for="move" { "Type a move" }
                    input #move type="text" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="Type a move: e4, Nf3, g1f3";
                    button type="submit" { "Play" }
                }
                div.actions {
                    button #draw type="button" hidden { "Offer draw" }
                    button #takeback type="button" hidden { "Take back" }
                    button #resign type="button" hidden { "Resign" }
                    button #flip type="button" { "Flip board" }
                }
                p #watchers .quiet {}
                noscript { p { "This page needs JavaScript to show the board." } }
            }
        }
    };
    page("Game", "game.js", true, &body)
}

/// The account of whoever asks, or how to have one.
pub(super) fn account(name: Option<&str>) -> Response {
    let field = |id: &str, label: &str, kind: &str, name: &str, complete: &str| {
        html! {
            div.field {
                label for=(id) { (label) }
                input id=(id) type=(kind) name=(name) maxlength="200" required autocomplete=(complete);
            }
        }
    };
    let body = html! {
        main.hall {
            header {
                h1 { @if let Some(name) = name { (name) } @else { "Account" } }
                p #problem .problem role="alert" {}
            }
            @if name.is_some() {
                section.card aria-labelledby="out-title" {
                    h2 #out-title { "This browser" }
                    form #log-out .fields { p { "You are logged in." } button type="submit" { "Log out" } }
                }
                section.card aria-labelledby="data-title" {
                    h2 #data-title { "Your data" }
                    p { a href="/account/export" download="torres.json" { "Everything that is kept of you, as a file" } }
                    form #delete .fields {
                        p { "Deleting takes your name out of the games that you played, and forgets your lessons and puzzles. It cannot be undone." }
                        (field("delete-password", "Your password", "password", "password", "current-password"))
                        button type="submit" { "Delete my account" }
                    }
                }
            } @else {
                section.card aria-labelledby="in-title" {
                    h2 #in-title { "Log in" }
                    form #log-in .fields {
                        (field("in-name", "Name", "text", "name", "username"))
                        (field("in-password", "Password", "password", "password", "current-password"))
                        button.primary type="submit" { "Log in" }
                    }
                }
                section.card aria-labelledby="up-title" {
                    h2 #up-title { "Make an account" }
                    p.quiet { "Guests can play and learn too. With an account you are known in any browser, and keep what you have done here so far." }
                    form #sign-up .fields {
                        (field("up-name", "Name", "text", "name", "username"))
                        (field("up-password", "Password, at least 8 characters", "password", "password", "new-password"))
                        button.primary type="submit" { "Make the account" }
                    }
                }
            }
        }
    };
    page("Account", "account.js", false, &body)
}

/// Where there is no such game.
pub(super) fn no_game() -> Response {
    let body = html! {
        main.hall {
            header { h1 { "There is no such game" } p { "Its address may have been cut off. " a href="/people" { "See the games that are there." } } }
        }
    };
    let mut response = page("No such game", "people.js", false, &body);
    *response.status_mut() = axum::http::StatusCode::NOT_FOUND;
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameId;

    #[tokio::test]
    async fn names_are_text() {
        let game = ListedGame {
            id: GameId::try_from("abcdefghij".to_owned()).unwrap(),
            white: Some(("<script>alert(1)</script>\"'&".into(), true)),
            black: None,
            clock: None,
        };
        let body = axum::body::to_bytes(hall(&[game]).into_body(), 1 << 20).await.unwrap();
        let text = String::from_utf8(body.to_vec()).unwrap();
        assert!(!text.contains("<script>alert") && text.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;'&amp;"));
    }

    #[test]
    fn whatever_the_scripts_ask_for_by_id_is_on_their_page() {
        for script in ["people.js", "game.js", "account.js"] {
            let (_, _, code) = FILES.iter().find(|(name, ..)| *name == script).unwrap();
            let source = include_str!("pages.rs");
            for id in code.split("at(\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                let there =
                    source.contains(&format!("#{id} ")) || ["upper-clock", "lower-clock", "board"].contains(&id);
                assert!(there, "{script} asks for #{id}");
            }
        }
    }
}
