//! The page on which a game against a computer is made.

use super::computer::Computer;
use super::game::PeopleGame;
use super::game_id::GameId;
use super::pages::{FORMS, choice, name_field, tags};
use super::person::PersonId;
use super::strength::{self, Strength};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use shakmaty::{Color, Position};
use torres_site::layout::{Page, Section};

/// What is chosen where nothing was before.
const FIRST: &str = "level-3";

/// Black's men as FEN writes them, with their names.
const MEN: [(char, &str); 6] = [
    ('k', "king"),
    ('q', "queen"),
    ('r', "rook"),
    ('b', "bishop"),
    ('n', "knight"),
    ('p', "pawn"),
];

/// The page; with the games of whoever asks, in the order in which they are listed.
pub(super) fn play(
    own: &PersonId,
    account: Option<&str>,
    games: &[(GameId, PeopleGame)],
    computers: &[Computer],
) -> Response {
    let main = html! {
        div.play.wide {
            header {
                h1 { "Play the computer" }
                p.quiet { "Choose an opponent and begin. Games keep themselves: leave, and go on whenever you like." }
            }
            (setup(account, computers))
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
        board: true,
        main,
    };
    page.into_response()
}

/// All that is said of a game before it begins.
fn setup(account: Option<&str>, computers: &[Computer]) -> Markup {
    let (levels, others): (Vec<_>, Vec<_>) = computers.iter().partition(|one| matches!(one, Computer::Level(_)));
    let (engines, mut characters): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|one| matches!(one, Computer::Engine(..)));
    characters.sort_by_key(|one| strength::of(&one.id()).map(Strength::order));
    html! {
        form #setup .card.fields {
            fieldset.row {
                legend { "Who plays" }
                (choice("who", "one", true, &html! { "You and a computer" }))
                (choice("who", "both", false, &html! { "Two computers" }))
                (choice("who", "none", false, &html! { "Two people, one screen" }))
            }
            fieldset.row #opponent-levels {
                legend { "Level, and its strength in Elo" }
                @for computer in &levels { (level(computer)) }
            }
            fieldset.row #own-color {
                legend { "You play" }
                (choice("color", "any", true, &html! { "Either" }))
                (choice("color", "white", false, &html! { i.color.white {} "White" }))
                (choice("color", "black", false, &html! { i.color.black {} "Black" }))
            }
            div.field #second-computer hidden {
                label for="second" { "Against" }
                select #second name="second" { (options(computers)) }
            }
            fieldset.row {
                legend { "Minutes, and seconds added for each move" }
                (choice("clock", "none", true, &html! { "No clock" }))
                @for clock in ["3+2", "5+3", "10+0", "15+10", "30+20"] {
                    (choice("clock", clock, false, &html! { (clock) }))
                }
            }
            fieldset #opponent-characters {
                @if !engines.is_empty() {
                    legend { "Or an engine of this site" }
                    div.characters { @for computer in &engines { (card(computer)) } }
                }
                @let title = "Or a character, the weakest first";
                @if engines.is_empty() { legend { (title) } } @else { p.legend { (title) } }
                div.characters { @for computer in &characters { (card(computer)) } }
                p.quiet.scale { "Strength in Elo, with the error of the games in which it was measured (95 %), on a scale of Torres' own. Each level was measured in 20 games." }
            }
            details #more {
                summary { "Set up a position, paste a game, and more" }
                (editor())
                (name_field(account))
                label.check { input #natural type="checkbox" name="natural" checked; "The computer takes its time for a move" }
            }
            div.begin {
                button.primary type="submit" { "Play" }
                p #problem .problem role="alert" {}
            }
        }
    }
}

/// The board on which a position is set up, with what belongs to it. Its script is loaded when it is first opened.
fn editor() -> Markup {
    let man = |letter: char, name: &str| {
        let color = if letter.is_uppercase() { "white" } else { "black" };
        let title = format!("{}{} {name}", &color[..1].to_uppercase(), &color[1..]);
        html! {
            label.choice title=(title) {
                input type="radio" name="brush" value=(letter) aria-label=(title);
                span.cg-wrap { piece class={ (color) " " (name) } {} }
            }
        }
    };
    let sign = |value: &str, title: &str, sign: &str, checked: bool| {
        html! {
            label.choice title=(title) {
                input type="radio" name="brush" value=(value) checked[checked] aria-label=(title);
                span aria-hidden="true" { (sign) }
            }
        }
    };
    let may_castle = |value: &str, label: &str| html! { label.check { input type="checkbox" value=(value); (label) } };
    html! {
        div.editor {
            div.board {
                fieldset #men {
                    legend.unseen { "What a click on the board does" }
                    (sign("move", "Move a man", "✥", true))
                    @for (letter, name) in MEN { (man(letter.to_ascii_uppercase(), name)) }
                    (sign("remove", "Take a man away", "✕", false))
                    @for (letter, name) in MEN { (man(letter, name)) }
                }
                div #setup-board .cg-wrap tabindex="0" role="application" aria-label="Board to set up" aria-describedby="setup-keys" {}
                p #setup-keys .unseen {
                    "Arrow keys go from square to square. A letter puts a man there: K Q R B N P White's, small letters Black's; Delete takes it away."
                }
                p #setup-says .unseen aria-live="polite" {}
            }
            div.sides {
                fieldset.row #mover {
                    legend { "To move" }
                    (choice("mover", "w", true, &html! { i.color.white {} "White" }))
                    (choice("mover", "b", false, &html! { i.color.black {} "Black" }))
                }
                fieldset #castling {
                    legend { "May castle" }
                    (may_castle("K", "White, short")) (may_castle("Q", "White, long"))
                    (may_castle("k", "Black, short")) (may_castle("q", "Black, long"))
                }
                div.row {
                    button #usual type="button" { "Usual start" }
                    button #clear type="button" { "Clear" }
                    button #turn type="button" { "Flip" }
                }
                div.field {
                    label for="start" { "As FEN, or a game as PGN" }
                    textarea #start name="start" rows="3" maxlength="20000" autocomplete="off" spellcheck="false" placeholder="The usual start" {}
                }
                p #position-says role="status" {}
            }
        }
    }
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

fn options(computers: &[Computer]) -> Markup {
    html! {
        @for computer in computers {
            option value=(computer.id()) selected[computer.id() == "level-5"] { (computer.name()) }
        }
    }
}

/// A level's choice: its number, and how strong it is.
fn level(computer: &Computer) -> Markup {
    let id = computer.id();
    let number = id.trim_start_matches("level-");
    let title = match strength::of(&id) {
        Some(strength) => format!(
            "{} Measured in {} games: {strength} Elo.",
            computer.plays(),
            strength.games
        ),
        None => computer.plays(),
    };
    html! {
        label.choice title=(title) {
            input type="radio" name="opponent" value=(id) checked[id == FIRST];
            span.level {
                (picture(&id)) strong { (number) }
                @if let Some(strength) = strength::of(&id) { small { (strength.rounded()) } }
            }
        }
    }
}

/// The choice of any other computer: who it is, how it plays, how strong it is.
fn card(computer: &Computer) -> Markup {
    let id = computer.id();
    choice(
        "opponent",
        &id,
        false,
        &html! {
            (picture(&id))
            span.about {
                strong { (computer.name()) }
                span.plays { (computer.plays()) }
                span.strength {
                    @match strength::of(&id) {
                        Some(strength) => { (strength) " Elo, " (strength.games) " games" }
                        None => { "Its strength was not measured here" }
                    }
                }
            }
        },
    )
}

/// Its picture; that of engines is one for all.
fn picture(id: &str) -> Markup {
    let name = if strength::of(id).is_some() { id } else { "engine" };
    html! { svg.face aria-hidden="true" { use href={ "/people/pictures.svg#" (name) } {} } }
}
