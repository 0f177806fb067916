//! The page of one game; its script draws it.

use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use torres_site::layout::{Page, Section};

/// The page of a game against a computer, or of one between people; `elsewhere` is where others come in.
pub(super) fn game(section: Section, elsewhere: Option<&str>) -> Response {
    let main = html! {
        div.game {
            h1.unseen { "Game" }
            section.table aria-label="Board" {
                (player("upper"))
                div.field {
                    div #bar .bar role="img" aria-label="Evaluation" hidden { div {} span.middle {} }
                    div.frame {
                        div #board .cg-wrap tabindex="0" role="application" aria-label="Chess board" aria-describedby="board-keys" {}
                        div #marks aria-hidden="true" {}
                        div #cover hidden { p { "Paused" } button #resume .primary type="button" { "Go on" } }
                    }
                }
                (player("lower"))
            }
            aside.beside aria-label="Game" { (beside(elsewhere)) }
        }
    };
    let page = Page {
        title: "Game",
        section,
        styles: &["/people/game.css"],
        script: Some("/people/game.js"),
        board: true,
        main,
    };
    page.into_response()
}

/// What lies beside the board: what the game says, whom it asks, its moves and buttons.
fn beside(elsewhere: Option<&str>) -> Markup {
    html! {
        p #notice role="status" { "The game is on its way." }
        p #said .problem role="alert" {}
        p #spoken .unseen aria-live="polite" {}
        p #board-says .unseen aria-live="polite" {}
        p #board-keys .unseen { "Arrow keys go from square to square, Enter takes a piece and puts it down, Escape lets it go. Moves can be typed too." }
        div #invite data-elsewhere=[elsewhere] hidden {
            p { label for="address" { "Whoever has this address may join:" } }
            div.address { input #address type="text" readonly; button #copy type="button" { "Copy" } }
            p #near .quiet hidden { "It leads here from this computer alone. For a friend at another one, start the site with " code { "torres site --listen 0.0.0.0:8018" } "." }
        }
        div #questions {}
        div.actions {
            button #join .primary type="button" hidden { "Join the game" }
            button #withdraw type="button" hidden { "Withdraw the game" }
            button #rematch .primary type="button" hidden { "Rematch" }
            a #new .button href="/play" hidden { "New game" }
            button #review type="button" hidden { "Find my mistakes" }
        }
        p #review-says role="status" hidden {}
        ol #mistakes hidden {}
        p #kept hidden { a.button href="/puzzles/own" { "Open them in the trainer" } }
        div.sheet {
            ol #moves tabindex="0" aria-label="Moves" {}
            svg #graph role="img" aria-label="Evaluation of each position" preserveAspectRatio="none" hidden {}
            (steps())
        }
        p #hint-says role="status" hidden {}
        form #typed hidden {
            label.unseen for="move" { "Type a move" }
            input #move type="text" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="Type a move: e4, Nf3, g1f3";
            button type="submit" { "Play" }
        }
        div.actions.even {
            button #hint type="button" hidden { "Hint" }
            button #undo type="button" hidden { "Undo" }
            button #draw type="button" hidden { "Offer draw" }
            button #takeback type="button" hidden { "Take back" }
            button #pause type="button" hidden { "Pause" }
            button #resign type="button" hidden { "Resign" }
            button #again type="button" hidden { "Restart" }
        }
        (settings())
        p #watchers .quiet {}
        noscript { p { "This page needs JavaScript to show the board." } }
    }
}

fn player(place: &str) -> Markup {
    html! {
        div.player {
            span id={ (place) "-dot" } .dot {}
            svg id={ (place) "-face" } .face aria-hidden="true" hidden { use {} }
            span id={ (place) "-color" } .color {}
            span id={ (place) "-name" } .who {}
            span id={ (place) "-program" } .tag hidden { "program" }
            span id={ (place) "-guest" } .tag.guest hidden { "guest" }
            span id={ (place) "-state" } .state {}
            @if place == "lower" { output #bar-number aria-hidden="true" hidden {} }
            time id={ (place) "-clock" } .clock hidden {}
        }
    }
}

fn steps() -> Markup {
    html! {
        div #steps role="group" aria-label="Look at the game" {
            button #first type="button" aria-label="First position" title="First position (↑)" { "«" }
            button #back type="button" aria-label="One move back" title="One move back (←)" { "‹" }
            button #forward type="button" aria-label="One move on" title="One move on (→)" { "›" }
            button #last type="button" aria-label="Present position" title="Present position (↓)" { "»" }
            button #flip type="button" aria-label="Flip board" title="Flip board (F)" { "⇅" }
        }
    }
}

fn settings() -> Markup {
    html! {
        details #more {
            summary { "Settings and more" }
            label.check #evaluation-row { input #evaluation type="checkbox"; "Show who stands better" }
            label.check { input #sounds type="checkbox"; "Sounds" }
            label.check { input #volume type="range" min="5" max="100" step="5"; "Volume" }
            p { a #from-here href="/play" { "Play from this position" } }
            p { a #pgn href="#" download { "Download as PGN" } }
            p.quiet { "Keys: ← → ↑ ↓ look at the game, F flips, H helps, Z takes back. On the board (Tab) they go from square to square, and Enter moves." }
        }
    }
}
