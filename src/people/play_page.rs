//! The page on which a game against a computer is made.

use super::computer::Computer;
use super::game::{GameId, PeopleGame, PersonId};
use super::pages::{FORMS, choice, name_field, tags};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use shakmaty::{Color, Position};
use torres_site::layout::{Page, Section};

/// What is chosen where nothing was before.
const FIRST: &str = "level-3";

/// The page; with the games of whoever asks, in the order in which they are listed.
pub(super) fn play(own: &PersonId, account: Option<&str>, games: &[(GameId, PeopleGame)]) -> Response {
    let main = html! {
        div.play.wide {
            header {
                h1 { "Play the computer" }
                p.quiet { "Choose an opponent and begin. Games keep themselves: leave, and go on whenever you like." }
            }
            form #setup .card.fields {
                fieldset.row {
                    legend { "Who plays" }
                    (choice("who", "one", true, &html! { "You and a computer" }))
                    (choice("who", "both", false, &html! { "Two computers" }))
                    (choice("who", "none", false, &html! { "Two people, one screen" }))
                }
                fieldset.row #opponent-levels {
                    legend { "Level, 1 is the weakest" }
                    @for computer in Computer::all() {
                        @if let Computer::Level(level) = computer {
                            (choice("opponent", &computer.id(), computer.id() == FIRST, &html! { (level.get()) }))
                        }
                    }
                }
                fieldset.row #own-color {
                    legend { "You play" }
                    (choice("color", "any", true, &html! { "Either" }))
                    (choice("color", "white", false, &html! { i.color.white {} "White" }))
                    (choice("color", "black", false, &html! { i.color.black {} "Black" }))
                }
                div.field #second-computer hidden {
                    label for="second" { "Against" }
                    select #second name="second" { (options()) }
                }
                fieldset.row {
                    legend { "Minutes, and seconds added for each move" }
                    (choice("clock", "none", true, &html! { "No clock" }))
                    @for clock in ["3+2", "5+3", "10+0", "15+10", "30+20"] {
                        (choice("clock", clock, false, &html! { (clock) }))
                    }
                }
                fieldset #opponent-characters {
                    legend { "Or a character in place of a level" }
                    div.characters {
                        @for computer in Computer::all() {
                            @if let Computer::Character(character) = computer {
                                (choice("opponent", character.id, false, &html! {
                                    strong { (character.name) } span.plays { (character.plays) }
                                }))
                            }
                        }
                    }
                }
                details #more {
                    summary { "Start from a position, and more" }
                    div.field {
                        label for="start" { "A position as FEN, or a game as PGN; empty for the usual start" }
                        textarea #start name="start" rows="3" maxlength="20000" autocomplete="off" spellcheck="false" placeholder="8/8/8/4k3/8/8/4P3/4K3 w - - 0 1" {}
                    }
                    (name_field(account))
                    label.check { input #natural type="checkbox" name="natural" checked; "The computer takes its time for a move" }
                }
                div.begin {
                    button.primary type="submit" { "Play" }
                    p #problem .problem role="alert" {}
                }
            }
            @if !games.is_empty() {
                section.own aria-labelledby="own-title" {
                    h2 #own-title { "Your games" }
                    ul { @for (id, game) in games { (row(own, id, game)) } }
                }
            }
            p.quiet.foot { "Programs are tested on the " a href="/" { "practice board" } "." }
        }
    };
    let page = Page {
        title: "Play the computer",
        section: Section::Play,
        styles: &[FORMS, "/people/play.css"],
        script: Some("/people/play.js"),
        board: false,
        main,
    };
    page.into_response()
}

/// One's own game: who plays, how it stands, and what can be done with it.
fn row(own: &PersonId, id: &GameId, game: &PeopleGame) -> Markup {
    let address = format!("/game/{id}");
    let named = |color| {
        let seat = game.seats().get(color).as_ref();
        html! { i.color.white[color == Color::White].black[color == Color::Black] {} " "
        @match seat {
            Some(person) => { (person.name) @if Some(color) != game.seat_of(own) { (tags(&person.name, false, person.guest)) } }
            None => { "nobody yet" }
        } }
    };
    let moves = game.game().plies().len().div_ceil(2);
    let seat = game.seat_of(own);
    let state = match game.end() {
        Some(end) => format!("{} {}", end.score(), end.reason.words()),
        None if !game.is_on() => "nobody has joined".into(),
        None if game.is_paused() => "paused".into(),
        None if seat == Some(game.game().position().turn()) => "your move".into(),
        None => "goes on".into(),
    };
    html! {
        li.over[game.end().is_some()] {
            span.players { (named(Color::White)) span.against { " – " } (named(Color::Black)) }
            span.state { (state) " · " (moves) @if moves == 1 { " move" } @else { " moves" } }
            span.ways {
                a href=(address) { @if game.end().is_none() { "Continue" } @else { "Review" } }
                @if moves > 0 { a href={ (address) "/pgn" } download { "PGN" } }
            }
        }
    }
}

fn options() -> Markup {
    html! {
        @for computer in Computer::all() {
            option value=(computer.id()) selected[computer.id() == "level-5"] { (computer.name()) }
        }
    }
}
