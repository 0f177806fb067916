//! The pages of two people, and their files. What moves on them is drawn by `assets/` from what the server says.

use super::hall::{ListedGame, ListedPlayer};
use super::person::NAMELESS;
use super::protocol::LONGEST_NAME;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use torres_site::layout::{Page, Section, served, trouble};

/// A file under `assets/`.
macro_rules! file {
    ($kind:expr, $name:literal) => {
        ($name, $kind, include_str!(concat!("assets/", $name)))
    };
}

/// Name, type and content of each file.
const FILES: [(&str, &str, &str); 17] = [
    file!("text/javascript; charset=utf-8", "account.js"),
    file!("text/css; charset=utf-8", "people.css"),
    file!("text/javascript; charset=utf-8", "editor.js"),
    file!("text/javascript; charset=utf-8", "people.js"),
    file!("text/javascript; charset=utf-8", "play.js"),
    file!("text/css; charset=utf-8", "play.css"),
    file!("text/javascript; charset=utf-8", "game.js"),
    file!("text/css; charset=utf-8", "game.css"),
    file!("text/javascript; charset=utf-8", "help.js"),
    file!("text/javascript; charset=utf-8", "illegal.js"),
    file!("text/javascript; charset=utf-8", "line.js"),
    file!("text/javascript; charset=utf-8", "marks.js"),
    file!("image/svg+xml", "pictures.svg"),
    file!("text/javascript; charset=utf-8", "post.js"),
    file!("text/javascript; charset=utf-8", "settings.js"),
    file!("text/javascript; charset=utf-8", "sheet.js"),
    file!("text/javascript; charset=utf-8", "sounds.js"),
];

/// A file by its name.
pub(super) fn file(name: &str) -> Option<Response> {
    let &(_, kind, content) = FILES.iter().find(|(at, ..)| *at == name)?;
    Some(served(kind, content.to_owned()))
}

/// What the pages of making a game and of the account look like, beside what all pages do.
pub(super) const FORMS: &str = "/people/people.css";

/// The list of games, and the form that makes one.
pub(super) fn hall(games: &[ListedGame], account: Option<&str>) -> Response {
    let (free, on): (Vec<_>, Vec<_>) = games.iter().partition(|game| game.free().is_some());
    let main = html! {
        div.hall.wide {
            header {
                h1 { "Play a person" }
                p.quiet { "Make a game and send its address to a friend, or put it into the list for anybody here. No account is needed." }
            }
            section.card aria-labelledby="make-title" {
                h2 #make-title { "Make a game" }
                form #make .fields {
                    (name_field(account))
                    fieldset.row {
                        legend { "You play" }
                        (choice("color", "any", true, &html! { "Either" }))
                        (choice("color", "white", false, &html! { i.color.white {} "White" }))
                        (choice("color", "black", false, &html! { i.color.black {} "Black" }))
                    }
                    fieldset.row {
                        legend { "Minutes, and seconds added for each move" }
                        @for clock in ["3+2", "5+3", "10+0", "15+10", "30+20"] {
                            (choice("clock", clock, clock == "10+0", &html! { (clock) }))
                        }
                        (choice("clock", "none", false, &html! { "No clock" }))
                    }
                    fieldset.row {
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
    page("Play a person", Section::People, "/people/people.js", main)
}

pub(super) fn choice(name: &str, value: &str, checked: bool, label: &Markup) -> Markup {
    html! {
        label.choice { input type="radio" name=(name) value=(value) checked[checked]; span { (label) } }
    }
}

/// How a guest is to be called, or how whoever has an account is.
pub(super) fn name_field(account: Option<&str>) -> Markup {
    html! {
        @if let Some(name) = account {
            p { "You play as " strong { (name) } "." }
        } @else {
            div.field {
                label for="name" { "Your name" }
                input #name type="text" name="name" maxlength=(LONGEST_NAME) autocomplete="nickname" placeholder=(NAMELESS);
            }
        }
    }
}

/// What is said of a player beside the name: that a program plays, that the name is no account's. Who has no name says
/// that by it.
pub(super) fn tags(name: &str, program: bool, guest: bool) -> Markup {
    html! {
        @if program { " " span.tag { "program" } }
        @if guest && name != NAMELESS { " " span.tag.guest { "guest" } }
    }
}

fn row(game: &ListedGame) -> Markup {
    let named = |player: &Option<ListedPlayer>| {
        html! {
            @if let Some(player) = player {
                span.who { span.name { (player.name) } (tags(&player.name, player.program, player.guest)) }
            }
        }
    };
    html! {
        // As the script knows a row that it has: by what the server said of it.
        li data-game=(serde_json::to_string(game).unwrap_or_default()) { a href={ "/game/" (game.id.as_str()) } {
            @match game.free() {
                Some(side) => {
                    @let color = shakmaty::Color::from(side).fold_wb("white", "black");
                    span class={ "color " (color) } title={ "you play " (color) } {}
                    span.unseen { "Play " (color) " against " }
                    (named(&game.white)) (named(&game.black))
                }
                None => { (named(&game.white)) " – " (named(&game.black)) }
            }
            span.time { (game.clock.as_deref().unwrap_or("no clock")) }
        } }
    }
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
    let main = html! {
        div.hall.wide {
            header {
                h1 { @if let Some(name) = name { (name) } @else { "Account" } }
                p #problem .problem role="alert" {}
            }
            @if name.is_some() {
                section.card aria-labelledby="out-title" {
                    h2 #out-title { "This browser" }
                    form #log-out .fields { p { "You are logged in." } button type="submit" { "Log out" } }
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
            section.card aria-labelledby="data-title" {
                h2 #data-title { "Your data" }
                p { a href="/account/export" download="torres.json" { "Everything that is kept of you, as a file" } }
                form #delete .fields {
                    p { "Deleting takes your name out of the games that you played, and forgets your lessons and puzzles. It cannot be undone." }
                    @if name.is_some() {
                        (field("delete-password", "Your password", "password", "password", "current-password"))
                        button type="submit" { "Delete my account" }
                    } @else {
                        label.check { input type="checkbox" required; "Forget what I did in this browser" }
                        button type="submit" { "Delete my data" }
                    }
                }
            }
        }
    };
    page("Account", Section::Account, "/people/account.js", main)
}

/// A page of forms.
fn page(title: &str, section: Section, script: &str, main: Markup) -> Response {
    let page = Page {
        title,
        section,
        styles: &[FORMS],
        script: Some(script),
        board: false,
        main,
    };
    page.into_response()
}

/// Where there is no such game.
pub(super) fn no_game() -> Response {
    trouble(
        Section::People,
        StatusCode::NOT_FOUND,
        "There is no such game",
        "Its address may have been cut off.",
        ("/people", "See the games that are there"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_id::GameId;

    #[tokio::test]
    async fn names_are_text() {
        let game = ListedGame {
            id: GameId::try_from("abcdefghij".to_owned()).unwrap(),
            white: Some(ListedPlayer {
                name: "<script>alert(1)</script>\"'&".into(),
                program: true,
                guest: true,
            }),
            black: None,
            clock: None,
        };
        let body = axum::body::to_bytes(hall(&[game], None).into_body(), 1 << 20)
            .await
            .unwrap();
        let text = String::from_utf8(body.to_vec()).unwrap();
        assert!(text.contains("program</span> <span class=\"tag guest\">guest"));
        assert!(!text.contains("<script>alert") && text.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;'&amp;"));
    }

    #[test]
    fn whatever_the_scripts_ask_for_by_id_is_on_their_page() {
        for (script, source) in [
            ("people.js", include_str!("pages.rs")),
            ("account.js", include_str!("pages.rs")),
            (
                "play.js",
                concat!(include_str!("play_page.rs"), include_str!("pages.rs")),
            ),
            ("editor.js", include_str!("play_page.rs")),
            ("game.js", include_str!("game_page.rs")),
        ] {
            let (_, _, code) = FILES.iter().find(|(name, ..)| *name == script).unwrap();
            for (start, _) in code.match_indices("at(\"") {
                // Not the end of another function's name.
                if code[..start].ends_with(char::is_alphanumeric) {
                    continue;
                }
                let id = code[start + 4..].split('"').next().unwrap();
                let there = source.contains(&format!("#{id} ")) || ["upper-clock", "lower-clock"].contains(&id);
                assert!(there, "{script} asks for #{id}");
            }
        }
    }
}
