//! The windows on the desktop, by their titles.

use super::info::{ScreenError, WindowInfo, is_wayland};
#[cfg(not(target_os = "linux"))]
use super::portable as platform;
#[cfg(target_os = "linux")]
use super::x11 as platform;
use torres_printing::one_line;

/// All windows, the front one first.
///
/// A window that closes while the list is read is left out.
pub fn windows() -> Result<Vec<WindowInfo>, ScreenError> {
    if is_wayland() {
        return Err(ScreenError::Wayland);
    }
    let mut all = platform::windows().map_err(ScreenError::NoWindowList)?;
    for window in &mut all {
        // What programs call themselves reaches terminals.
        window.title = one_line(&window.title).into_owned();
        window.app = one_line(&window.app).into_owned();
    }
    Ok(all)
}

/// The front window whose title contains the text, in any case of letters; one that is not minimised goes first.
pub fn find_window(title_contains: &str) -> Result<WindowInfo, ScreenError> {
    let all = windows()?;
    choose(&all, title_contains)
        .cloned()
        .ok_or_else(|| ScreenError::NoWindow {
            wanted: title_contains.to_owned(),
            found: all.into_iter().map(|w| w.title).filter(|t| !t.is_empty()).collect(),
        })
}

/// The window of that id as it is now; `None` once it is closed.
pub fn window(id: u32) -> Result<Option<WindowInfo>, ScreenError> {
    Ok(windows()?.into_iter().find(|w| w.id == id))
}

/// The other windows of the program that shows this one, the front one first; none where this one is closed.
pub fn windows_beside(id: u32) -> Result<Vec<WindowInfo>, ScreenError> {
    let mut all = windows()?;
    let Some(own) = all.iter().position(|window| window.id == id) else {
        return Ok(Vec::new());
    };
    let own = all.remove(own);
    let is_of_program = platform::of_program(&own).map_err(ScreenError::NoWindowList)?;
    all.retain(is_of_program);
    Ok(all)
}

fn choose<'a>(all: &'a [WindowInfo], title_contains: &str) -> Option<&'a WindowInfo> {
    // Also a title that a calibration kept as it was.
    let wanted = one_line(title_contains).to_lowercase();
    let mut matching = all.iter().filter(|w| w.title.to_lowercase().contains(&wanted));
    let first = matching.clone().next();
    matching.find(|w| !w.minimised).or(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_geometry::DesktopRect;

    fn titled(id: u32, title: &str, minimised: bool) -> WindowInfo {
        let client = DesktopRect {
            x: 0,
            y: 0,
            width: 100,
            height: 100,
        };
        WindowInfo {
            id,
            title: title.to_owned(),
            app: "app".to_owned(),
            client,
            minimised,
        }
    }

    #[test]
    fn the_front_window_with_the_text_in_its_title_is_chosen() {
        let all = [
            titled(1, "Mail", false),
            titled(2, "My CHESS", false),
            titled(3, "Chess", false),
        ];
        assert_eq!(choose(&all, "chess").map(|w| w.id), Some(2));
        assert_eq!(choose(&all, "draughts"), None);
        let odd = [titled(1, &one_line("Chess\n\u{1b}[2J"), false)];
        assert_eq!(choose(&odd, "chess\n\u{1b}[2J").map(|w| w.id), Some(1));
    }

    #[test]
    fn a_minimised_window_is_chosen_only_if_there_is_no_other() {
        let all = [titled(1, "Chess", true), titled(2, "Chess", false)];
        assert_eq!(choose(&all, "Chess").map(|w| w.id), Some(2));
        assert_eq!(choose(&all[..1], "Chess").map(|w| w.id), Some(1));
    }
}
