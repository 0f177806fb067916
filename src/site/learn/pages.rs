//! The pages of lessons.

use super::course::{Found, Row};
use super::view::View;
use super::visitor::Visitor;
use super::{Learn, STYLES, trouble};
use crate::layout::{Page, Section};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use torres_lessons::{Part, Task};

/// The list of lessons.
pub(super) async fn course(State(learn): State<Learn>, visitor: Visitor) -> Result<Response, Response> {
    let rows = learn.rows(&visitor.learner).await?;
    let due = learn.due(&visitor.learner).await?;
    let next = rows.iter().find(|row| !row.is_done());
    let (basic, advanced): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.lesson.part == Part::Basic);
    let done = rows.iter().filter(|row| row.is_done()).count();
    let page = Page {
        title: "Learn chess",
        section: Section::Learn,
        styles: &STYLES,
        script: None,
        board: false,
        main: html! {
            div class="wide" {
                div class="welcome" {
                    h1 { "Learn chess" }
                    p { "Short lessons on the board, from how the pieces move to mating with a rook. " (done) " of " (rows.len()) " done." }
                    @if let Some(row) = next {
                        a class="button primary" href=(step_address(row, row.next_step())) {
                            @if row.done_count() == 0 && done == 0 { "Start with " } @else { "Go on with " }
                            (row.lesson.title)
                        }
                    } @else {
                        a class="button primary" href="/puzzles" { "All done. Solve puzzles" }
                    }
                }
                @if !due.is_empty() {
                    section class="due" aria-labelledby="due" {
                        h2 id="due" { "To repeat today" }
                        ul {
                            @for found in &due {
                                li { a href=(format!("/learn/{}/{}", found.lesson.id, found.place + 1)) {
                                    strong { (found.lesson.title) } " " span { (found.step.ask) }
                                } }
                            }
                        }
                    }
                }
                (part("Basic", "The rules of the game", &basic))
                (part("Advanced", "How to play well", &advanced))
                section class="part" aria-label="Practice" {
                    h2 { "Practice " small { "Again and again" } }
                    ul class="lessons" {
                        li { a href="/learn/coordinates" { span class="title" { "Coordinates" } span class="count" { "30 seconds" } } }
                        li { a href="/puzzles" { span class="title" { "Puzzles" } span class="count" { "Rated" } } }
                    }
                }
            }
        },
    };
    Ok(visitor.answered(page))
}

fn part(title: &str, about: &str, rows: &[&Row]) -> Markup {
    html! {
        section class="part" aria-label=(title) {
            h2 { (title) " " small { (about) } }
            ol class="lessons" {
                @for row in rows {
                    li class=[row.is_done().then_some("done")] {
                        a href=(step_address(row, row.next_step())) {
                            span class="title" { (row.lesson.title) }
                            span class="count" {
                                @if row.is_done() { "Done" } @else { (row.done_count()) " of " (row.done.len()) }
                            }
                            span class="bar" aria-hidden="true" {
                                @for done in &row.done { i class=[done.then_some("full")] {} }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A lesson begins at its first step that is not done.
pub(super) async fn lesson(
    State(learn): State<Learn>,
    Path(id): Path<String>,
    visitor: Visitor,
) -> Result<Response, Response> {
    let rows = learn.rows(&visitor.learner).await?;
    let Some(row) = rows.iter().find(|row| row.lesson.id == id) else {
        return Err(no_lesson());
    };
    let to = Redirect::to(&step_address(row, row.next_step()));
    Ok(visitor.answered(to))
}

/// A step of a lesson.
pub(super) async fn step(
    State(learn): State<Learn>,
    Path((lesson, number)): Path<(String, String)>,
    visitor: Visitor,
) -> Result<Response, Response> {
    let Some(found) = learn.find(&lesson, &number) else {
        return Err(no_lesson());
    };
    let rows = learn.rows(&visitor.learner).await?;
    let progress = learn.progress(&visitor.learner, &found).await?;
    let marks = &found.step.marks;
    let view = View::of(found.step, &progress, marks, None)
        .or_else(|_| View::of(found.step, &Default::default(), marks, None))
        .map_err(|error| (StatusCode::CONFLICT, error.to_string()).into_response())?;
    let next = following(&learn, &found);
    let page = Page {
        title: found.lesson.title.as_str(),
        section: Section::Learn,
        styles: &STYLES,
        script: Some("/step.js"),
        board: true,
        main: html! {
            div class="table" {
                div class="task" {
                    p class="crumbs" {
                        a href="/learn" { "Lessons" } " › " (found.lesson.title)
                    }
                    (steps(&found, rows.get(found.at)))
                    @if found.place == 0 {
                        div class="story" { @for said in &found.lesson.text { p { (said) } } }
                    }
                    h1 id="ask" { (found.step.ask) }
                }
                (board(&view))
                div class="help" {
                    @if let Task::Answer { options, .. } = &found.step.task {
                        div class="options" role="group" aria-labelledby="ask" {
                            @for (place, choice) in options.iter().enumerate() {
                                button type="button" data-option=(place) { (choice.option) }
                            }
                        }
                    }
                    (feedback())
                    a id="next" class="button primary" hidden href=(next.0) { (next.1) }
                    (tools(&found.step.task))
                }
            }
        },
    };
    Ok(visitor.answered(page))
}

/// Where to go after a step, and how that is called.
fn following(learn: &Learn, found: &Found) -> (String, String) {
    if found.place + 1 < found.lesson.steps.len() {
        return (format!("/learn/{}/{}", found.lesson.id, found.place + 2), "Next".into());
    }
    match learn.0.lessons.get(found.at + 1) {
        Some(next) => (format!("/learn/{}", next.id), format!("Next lesson: {}", next.title)),
        None => ("/learn".into(), "Back to the lessons".into()),
    }
}

fn steps(found: &Found, row: Option<&Row>) -> Markup {
    let done = |place: usize| row.is_some_and(|row| row.done.get(place) == Some(&true));
    html! {
        ol class="steps" aria-label="Steps of this lesson" {
            @for place in 0..found.lesson.steps.len() {
                li {
                    a href=(format!("/learn/{}/{}", found.lesson.id, place + 1))
                        class=[done(place).then_some("done")]
                        aria-current=[(place == found.place).then_some("step")]
                        aria-label=(format!("Step {}{}", place + 1, if done(place) { ", done" } else { "" }))
                    { (place + 1) }
                }
            }
        }
    }
}

/// The board of a view: the page's module draws it.
pub(super) fn board(view: &View) -> Markup {
    html! {
        div class="board-place" {
            div id="board" class="cg-wrap" tabindex="0" role="application" aria-label="Chess board"
                aria-describedby="board-keys" data-view=(view.json()) {}
            p id="board-keys" class="unseen" {
                "Arrow keys go from square to square, Enter takes a piece and puts it down. Moves can be typed below."
            }
            p id="board-says" class="unseen" aria-live="polite" {}
        }
    }
}

/// Where verdicts are told.
pub(super) fn feedback() -> Markup {
    html! { p id="says" role="status" {} }
}

/// Hint, typed moves, beginning anew.
pub(super) fn tools(task: &Task) -> Markup {
    let answers = matches!(task, Task::Answer { .. });
    let (label, example) = match task {
        Task::Choose { .. } => ("Or type a square", "e4"),
        _ => ("Or type a move", "Nf3"),
    };
    html! {
        @if !answers {
            form id="typed" {
                label for="text" { (label) }
                input id="text" name="text" placeholder=(example) maxlength="10" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go";
                button type="submit" { "Enter" }
            }
        }
        div class="tools" {
            button id="hint" type="button" { "Hint" }
            @if !answers { button id="restart" type="button" { "Start again" } }
        }
        noscript { p { "The board needs JavaScript." } }
    }
}

fn step_address(row: &Row, place: usize) -> String {
    format!("/learn/{}/{}", row.lesson.id, place + 1)
}

fn no_lesson() -> Response {
    trouble(
        StatusCode::NOT_FOUND,
        "No such lesson",
        "There is no lesson or step of this name.",
    )
}
