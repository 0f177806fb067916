//! The opponent: where the page names it, and that it is a bot; stated on the command line, or proposed and asked for.

use super::Args;
use super::asking::Terminal;
use crate::calibration::{
    Opponent, PanelPicture, RelativeRect, annotate_proposals, has_clock, is_on_board, propose_panels,
};
use crate::cli::{CliError, RectArg};
use crate::frame::{Frame, FrameSource};
use crate::geometry::{BoardRect, DesktopRect, FrameRect};
use crate::screen::LiveScreen;
use image::RgbaImage;
use std::path::Path;
use std::time::Duration;

/// So many more pictures are taken, so far apart, to see what runs: a clock that runs changes once a second.
const PICTURES: usize = 6;
const APART: Duration = Duration::from_millis(230);

/// What is said of the opponent.
#[derive(Clone, Debug)]
pub(super) struct Stated {
    /// The panel, in desktop pixels.
    panel: Option<DesktopRect>,
    name: Option<String>,
    is_a_bot: bool,
    /// What was proposed, while nothing was stated.
    proposed: Vec<DesktopRect>,
}

impl Stated {
    /// As the command line states it.
    pub fn by(args: &Args) -> Stated {
        Stated {
            panel: args.opponent_panel.map(|RectArg(panel)| panel),
            name: args.opponent_name.clone(),
            is_a_bot: args.opponent_is_a_bot,
            proposed: Vec::new(),
        }
    }

    /// The panel in the frame's own pixels.
    pub fn panel_in(&self, frame: &Frame) -> Option<FrameRect> {
        self.panel.map(|panel| inside(&panel, frame))
    }

    /// Numbers what was proposed in the picture, as long as nothing was chosen.
    pub fn draw_proposals(&self, drawn: &mut RgbaImage, frame: &Frame) {
        let proposed: Vec<FrameRect> = self.proposed.iter().map(|panel| inside(panel, frame)).collect();
        if self.panel.is_none() {
            annotate_proposals(drawn, &proposed);
        }
    }

    /// Where nothing was stated, looks for panels that may be meant, and asks whoever sits at the terminal, with a picture in which
    /// they are numbered; otherwise says what they are.
    pub fn complete(
        mut self,
        screen: &mut LiveScreen,
        frame: &Frame,
        board: &BoardRect,
        drawn: &RgbaImage,
        picture: &Path,
    ) -> Result<Stated, CliError> {
        if self.panel.is_some() {
            return Ok(self);
        }
        let mut pictures = vec![frame.image.clone()];
        for _ in 0..PICTURES {
            std::thread::sleep(APART);
            pictures.push(screen.next_frame().map_err(CliError::failed)?.image);
        }
        self.proposed = propose_panels(&pictures, board)
            .into_iter()
            .map(|rect| DesktopRect {
                x: (rect.x + frame.origin.x) as i32,
                y: (rect.y + frame.origin.y) as i32,
                width: rect.width as u32,
                height: rect.height as u32,
            })
            .collect();
        match Terminal::attended() {
            Some(terminal) => {
                let mut drawn = drawn.clone();
                self.draw_proposals(&mut drawn, frame);
                save(&drawn, picture)?;
                self.asked(terminal, picture)
            }
            None => {
                for (number, panel) in (1..).zip(&self.proposed) {
                    println!(
                        "panel {number}   may name the opponent: --opponent-panel {}",
                        name(panel)
                    );
                }
                Ok(self)
            }
        }
    }

    fn asked(mut self, terminal: Terminal, picture: &Path) -> Result<Stated, CliError> {
        println!(
            "Which of these names the opponent? They are numbered in {}; its clock must not be in it.",
            picture.display()
        );
        for (number, panel) in (1..).zip(&self.proposed) {
            println!("  {number}  {}", name(panel));
        }
        let panel = loop {
            let said = terminal.ask("Its number, or X,Y,WIDTH,HEIGHT in desktop pixels, or Enter for none:")?;
            match chosen(&said, &self.proposed) {
                Ok(panel) => break panel,
                Err(why) => println!("{why}"),
            }
        };
        self.panel = panel;
        if panel.is_some() {
            self.is_a_bot = self.is_a_bot
                || terminal.confirms("Is it a computer opponent, on a board that you may play with a program?")?;
            if self.is_a_bot {
                let name = terminal.ask("Its name, for the results (Enter for none):")?;
                self.name = (!name.is_empty()).then_some(name);
            }
        }
        Ok(self)
    }

    /// What the calibration keeps, of a window in which the board lies there in the frame.
    pub fn opponent(
        &self,
        frame: &Frame,
        board: &BoardRect,
        client: DesktopRect,
    ) -> Result<Option<Opponent>, CliError> {
        let Some(panel) = self.panel else {
            return Ok(None);
        };
        let whole = DesktopRect {
            x: frame.origin.x as i32,
            y: frame.origin.y as i32,
            width: frame.image.width(),
            height: frame.image.height(),
        };
        if panel.intersect(&whole) != Some(panel) {
            return Err(CliError::usage(format!(
                "the opponent panel {} is not wholly inside the window at {},{} ({} × {} px)",
                name(&panel),
                client.x,
                client.y,
                client.width,
                client.height
            )));
        }
        if is_on_board(&inside(&panel, frame), board) {
            return Err(CliError::usage(format!(
                "the opponent panel {} lies on the board, which changes with every move; it belongs around the bot's name",
                name(&panel)
            )));
        }
        if has_clock(&frame.image, board, &inside(&panel, frame)) {
            println!(
                "note      in the opponent panel something looks like a clock: once it runs the panel looks different and Torres pauses; leave it out"
            );
        }
        let inside = RelativeRect::of(panel, whole);
        let (x, y) = (inside.x.unsigned_abs(), inside.y.unsigned_abs());
        let cut = image::imageops::crop_imm(&*frame.image, x, y, inside.width, inside.height);
        Ok(Some(Opponent {
            panel: RelativeRect::of(panel, client),
            picture: PanelPicture::new(&cut.to_image()),
            name: self.name.clone(),
            declared_bot: self.is_a_bot,
        }))
    }
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

/// A panel in the frame's own pixels.
fn inside(panel: &DesktopRect, frame: &Frame) -> FrameRect {
    FrameRect {
        x: f64::from(panel.x) - frame.origin.x,
        y: f64::from(panel.y) - frame.origin.y,
        width: f64::from(panel.width),
        height: f64::from(panel.height),
    }
}

/// As `--opponent-panel` takes it.
fn name(panel: &DesktopRect) -> String {
    format!("{},{},{},{}", panel.x, panel.y, panel.width, panel.height)
}

fn save(drawn: &RgbaImage, picture: &Path) -> Result<(), CliError> {
    if let Some(folder) = picture.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .map_err(|e| CliError::failed(format!("cannot make the folder {}: {e}", folder.display())))?;
    }
    drawn
        .save(picture)
        .map_err(|e| CliError::failed(format!("cannot write the picture {}: {e}", picture.display())))
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
        assert_eq!(name(&panel(7)), "7,20,200,40");
    }
}
