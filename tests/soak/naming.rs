//! Which of the panels that `calibrate` proposes names the bot.

use torres::geometry::{DesktopPx, DesktopRect};

/// For a page that is asked where its panel lies.
pub const NOWHERE: DesktopRect = DesktopRect {
    x: 0,
    y: 0,
    width: 1,
    height: 1,
};

/// The first proposal with the name in it and little else, and its number from 1; `said` is what a calibration without
/// a panel printed, `name` where the page has the name.
pub fn naming(said: &str, name: &DesktopRect) -> Option<(usize, DesktopRect)> {
    let mut numbered = (1..).zip(proposals(said));
    numbered.find(|(_, panel)| panel.contains(middle(name)) && panel.width < 3 * name.width)
}

/// As a user draws it: the name with some room.
pub fn around(name: DesktopRect) -> DesktopRect {
    DesktopRect {
        x: name.x - 4,
        y: name.y - 2,
        width: name.width + 8,
        height: name.height + 4,
    }
}

fn proposals(said: &str) -> Vec<DesktopRect> {
    let proposals = said.lines().filter_map(|line| line.split_once("--opponent-panel "));
    let numbers = |rect: &str| -> Option<[i32; 4]> {
        let all: Vec<i32> = rect
            .trim()
            .split(',')
            .map(|part| part.parse().ok())
            .collect::<Option<_>>()?;
        all.try_into().ok()
    };
    proposals
        .filter_map(|(_, rect)| numbers(rect))
        .map(|[x, y, width, height]| DesktopRect {
            x,
            y,
            width: width as u32,
            height: height as u32,
        })
        .collect()
}

fn middle(rect: &DesktopRect) -> DesktopPx {
    DesktopPx {
        x: f64::from(rect.x) + f64::from(rect.width) / 2.0,
        y: f64::from(rect.y) + f64::from(rect.height) / 2.0,
    }
}
