//! The opponent: where its window names it, and that it is a bot; stated on the command line, or proposed and asked
//! for.

use super::asking::Terminal;
use super::settings::Settings;
use super::vouching::{Grab, Scene, Statement, Vouched, name, pixels_of};
use crate::{CliError, RectArg};
use image::RgbaImage;
use std::time::Duration;
use torres_calibration::{PanelPicture, Proposal, annotate_proposals, annotated, propose_panels, propose_title};
use torres_geometry::DesktopRect;

/// How many more pictures are taken, and how far apart, to see what runs: a clock that runs changes once a second.
const PICTURES: usize = 6;
const APART: Duration = Duration::from_millis(230);

/// Title bars are higher than this, in pixels; less is but a border.
const BORDER: u32 = 8;

/// What came of it: a panel that is vouched for, or what may be one.
pub(super) enum Answer {
    /// The panel, and what is said of it.
    Vouched(Box<Vouched>),
    /// Nothing was chosen of these.
    Open(Proposals),
}

impl Answer {
    /// The annotated picture.
    pub(crate) fn draw(&self, scene: &Scene) -> RgbaImage {
        match self {
            Answer::Vouched(vouched) => vouched.draw(scene),
            Answer::Open(proposals) => proposals.draw(scene),
        }
    }

    /// The panel, where there is one.
    pub(crate) fn vouched(&self) -> Option<&Vouched> {
        match self {
            Answer::Vouched(vouched) => Some(vouched),
            Answer::Open(_) => None,
        }
    }
}

/// As the command line states it, asked back where somebody sits at the terminal and gave the name too.
pub(super) fn stated(settings: &Settings, panel: DesktopRect, scene: &Scene, grab: Grab) -> Result<Answer, CliError> {
    let said = Statement {
        name: settings.opponent_name.clone(),
        is_a_bot: settings.opponent_is_a_bot,
    };
    let vouched = Vouched::take(scene, panel, &said, grab)?;
    vouched.warn(&scene.picture_path());
    if let (Some(terminal), Some(_)) = (Terminal::attended(), &said.name) {
        scene.save(&vouched.draw(scene))?;
        if !says_so(terminal, &vouched, scene)? {
            return Err(CliError::usage(
                "nothing is saved: say with --opponent-panel X,Y,WIDTH,HEIGHT where the window names the opponent",
            ));
        }
    }
    Ok(Answer::Vouched(Box::new(vouched)))
}

/// Where the command line does not state it, looks for panels that may be meant, and asks whoever sits at the terminal,
/// with a picture in which they are numbered; otherwise says what they are.
pub(super) fn proposed(settings: &Settings, scene: &Scene, grab: Grab) -> Result<Answer, CliError> {
    let proposals = Proposals::look(scene, grab)?;
    if let Some(terminal) = Terminal::attended() {
        return asked(settings.opponent_is_a_bot, terminal, proposals, scene, grab);
    }
    for (number, panel) in (1..).zip(&proposals.panels) {
        println!(
            "panel {number}   may name the opponent: --opponent-panel {}",
            name(panel)
        );
    }
    Ok(Answer::Open(proposals))
}

/// Rectangles of the desktop that may name the opponent, and what they show.
#[derive(Default)]
pub(super) struct Proposals {
    panels: Vec<DesktopRect>,
    shown: Vec<Proposal>,
}

impl Proposals {
    fn look(scene: &Scene, grab: Grab) -> Result<Proposals, CliError> {
        let content = pixels_of(&scene.frame);
        let mut pictures = vec![scene.frame.image.clone()];
        for _ in 0..PICTURES {
            std::thread::sleep(APART);
            pictures.push(grab(content)?.image);
        }
        let mut proposals = Proposals::default();
        for rect in propose_panels(&pictures, &scene.finding.map.rect) {
            proposals.panels.push(DesktopRect {
                x: (rect.x + scene.frame.origin.x) as i32,
                y: (rect.y + scene.frame.origin.y) as i32,
                width: rect.width as u32,
                height: rect.height as u32,
            });
            let part = PanelPicture::of_part(&scene.frame.image, &rect);
            proposals.shown.push(Proposal {
                rect: Some(rect),
                picture: part.to_rgba(),
            });
        }
        // Desktop programs name the opponent in the title bar; most titles name nobody, so it comes last.
        let outer = scene.outer();
        let above = u32::try_from(content.y.saturating_sub(outer.y)).unwrap_or(0);
        // A window may lie with its title bar beyond the screen's edge.
        let bar = DesktopRect { height: above, ..outer }.intersect(&scene.monitor);
        if let Some(bar) = bar.filter(|bar| bar.height == above && above > BORDER) {
            let bar = grab(bar)?;
            if let Some(rect) = propose_title(&bar.image) {
                let part = PanelPicture::of_part(&bar.image, &rect);
                proposals.panels.push(DesktopRect {
                    x: (rect.x + bar.origin.x) as i32,
                    y: (rect.y + bar.origin.y) as i32,
                    width: rect.width as u32,
                    height: rect.height as u32,
                });
                proposals.shown.push(Proposal {
                    rect: None,
                    picture: part.to_rgba(),
                });
            }
        }
        Ok(proposals)
    }

    fn draw(&self, scene: &Scene) -> RgbaImage {
        let mut drawn = annotated(&scene.frame.image, &scene.finding, scene.clocks.as_ref(), None);
        annotate_proposals(&mut drawn, &self.shown);
        drawn
    }
}

fn asked(
    is_a_bot: bool,
    terminal: Terminal,
    proposals: Proposals,
    scene: &Scene,
    grab: Grab,
) -> Result<Answer, CliError> {
    let picture = scene.picture_path();
    loop {
        scene.save(&proposals.draw(scene))?;
        println!(
            "Which of these names the opponent? They are numbered in {}, and enlarged below the window; its clock, and words that change in a game or with the colours, must not be in it.",
            picture.display()
        );
        for (number, (panel, shown)) in (1..).zip(proposals.panels.iter().zip(&proposals.shown)) {
            let what = if shown.rect.is_none() { "   the title bar" } else { "" };
            println!("  {number}  {}{what}", name(panel));
        }
        let said = terminal.ask("Its number, or X,Y,WIDTH,HEIGHT in desktop pixels, or Enter for none:")?;
        let panel = match chosen(&said, &proposals.panels) {
            Ok(Some(panel)) => panel,
            Ok(None) => return Ok(Answer::Open(proposals)),
            Err(why) => {
                println!("{why}");
                continue;
            }
        };
        let mut vouched = match Vouched::take(scene, panel, &Statement::default(), grab) {
            Ok(vouched) => vouched,
            Err(CliError::Usage(why)) => {
                println!("{why}");
                continue;
            }
            Err(error) => return Err(error),
        };
        scene.save(&vouched.draw(scene))?;
        vouched.warn(&picture);
        println!(
            "Look at {} now: the panel is framed in it, and enlarged at its bottom.",
            picture.display()
        );
        let is_a_bot = is_a_bot
            || terminal
                .confirms("Is that the name of a computer opponent, on a board that you may play with a program?")?;
        let given = match is_a_bot {
            true => terminal.ask("Its name, as the panel writes it (Enter for none):")?,
            false => String::new(),
        };
        let said = Statement {
            name: (!given.is_empty()).then_some(given),
            is_a_bot,
        };
        vouched.says(scene, &said);
        if said.name.is_some() {
            scene.save(&vouched.draw(scene))?;
            vouched.warn(&picture);
            if !says_so(terminal, &vouched, scene)? {
                continue;
            }
        }
        return Ok(Answer::Vouched(Box::new(vouched)));
    }
}

/// Asks whether the panel in the picture says the name.
fn says_so(terminal: Terminal, vouched: &Vouched, scene: &Scene) -> Result<bool, CliError> {
    let name = vouched.opponent.name.as_deref().unwrap_or_default();
    terminal.confirms(&format!(
        "Does the framed part of {}, enlarged at its bottom, say '{name}'?",
        scene.picture_path().display()
    ))
}

/// What an answer means: a number of the list, a rectangle, or none.
fn chosen(said: &str, proposed: &[DesktopRect]) -> Result<Option<DesktopRect>, String> {
    if said.is_empty() {
        return Ok(None);
    }
    if let Ok(number) = said.parse::<usize>() {
        let panel = number.checked_sub(1).and_then(|index| proposed.get(index));
        return panel
            .map(|panel| Some(*panel))
            .ok_or_else(|| format!("there is no number {number}"));
    }
    said.parse::<RectArg>()
        .map(|RectArg(panel)| Some(panel))
        .map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_number_of_the_list_or_a_rectangle_or_none() {
        let panel = |x| DesktopRect {
            x,
            y: 20,
            width: 200,
            height: 40,
        };
        let proposed = [panel(600), panel(10)];
        assert_eq!(chosen("2", &proposed), Ok(Some(panel(10))));
        assert_eq!(chosen("7,20,200,40", &proposed), Ok(Some(panel(7))));
        assert_eq!(chosen("", &proposed), Ok(None));
        for wrong in ["0", "3", "left", "1,2,3"] {
            assert!(chosen(wrong, &proposed).is_err(), "{wrong}");
        }
    }
}
