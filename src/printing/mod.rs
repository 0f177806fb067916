//! Text on its way to a terminal.
//!
//! Names come from windows, pages, engines and files. They may hold control characters, which would move the cursor or
//! hide words. The macros of this crate replace `println!` and its like in every room (`#[macro_use] extern crate
//! torres_printing`): what they print is made [`printable`] first. `clippy.toml` forbids those of the standard library.
//!
//! Whoever moves the cursor on purpose (the status line, which changes in place) writes to the terminal directly,
//! around texts that were made [`printable`].

use std::borrow::Cow;
use std::io::{ErrorKind, Write};

/// Prints like the standard library's macro, with control characters spelled out.
#[macro_export]
macro_rules! print {
    ($($text:tt)*) => { $crate::to_stdout(&::std::format!($($text)*), "") };
}

/// Prints a line like the standard library's macro, with control characters spelled out.
#[macro_export]
macro_rules! println {
    () => { $crate::to_stdout("", "\n") };
    ($($text:tt)*) => { $crate::to_stdout(&::std::format!($($text)*), "\n") };
}

/// Prints to standard error like the standard library's macro, with control characters spelled out.
#[macro_export]
macro_rules! eprint {
    ($($text:tt)*) => { $crate::to_stderr(&::std::format!($($text)*), "") };
}

/// Prints a line to standard error like the standard library's macro, with control characters spelled out.
#[macro_export]
macro_rules! eprintln {
    () => { $crate::to_stderr("", "\n") };
    ($($text:tt)*) => { $crate::to_stderr(&::std::format!($($text)*), "\n") };
}

/// What [`print!`] and [`println!`] do: prints `text`, made [`printable`], and `end`. A reader who has read enough
/// (`| head`) stops nothing: what is being done is done to its end.
///
/// # Panics
///
/// Where standard output takes no text for another reason, as on a full disk.
pub fn to_stdout(text: &str, end: &str) {
    match write!(std::io::stdout(), "{}{end}", printable(text)) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("cannot write to standard output: {error}"),
        _ => {}
    }
}

/// What [`eprint!`] and [`eprintln!`] do: prints `text`, made [`printable`], and `end`. A terminal that has closed takes
/// no words; the exit status still says what failed.
pub fn to_stderr(text: &str, end: &str) {
    let _ = write!(std::io::stderr(), "{}{end}", printable(text));
}

/// A line for people to read: what goes on beyond `most` characters is cut off, and that is shown. Messages that quote
/// a file or another program must not grow with what they quote.
pub fn shortened(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// A text as a terminal may be sent it: its control characters are spelled out (`\\u001b`) and not obeyed, lines and
/// tabs aside. Names come from windows, pages, engines and files, and whatever such a name holds moves no cursor, hides
/// no word and turns no line around. The spelling is JSON's: of a line of JSON, the same is read as before.
pub fn printable(text: &str) -> Cow<'_, str> {
    spelled_out(text, |c| is_control(c) && !matches!(c, '\n' | '\t'))
}

/// The same for a name: it has no line breaks either.
pub fn one_line(name: &str) -> Cow<'_, str> {
    spelled_out(name, is_control)
}

/// Unicode's control characters, its line and paragraph separators, and what turns the direction of writing for the
/// rest of a line.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn spelled_out(text: &str, is_wrong: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_wrong) {
        return Cow::Borrowed(text);
    }
    let spelled = text.chars().fold(String::new(), |mut out, c| {
        match is_wrong(c) {
            // All of them lie below U+10000: four digits are enough.
            true => out += &format!("\\u{:04x}", u32::from(c)),
            false => out.push(c),
        }
        out
    });
    Cow::Owned(spelled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_spelled_out() {
        let title = "\u{1b}]0;gone\u{7}chess\r\u{9b}2J\u{7f}\u{202e}tob\u{2069}";
        let shown = "\\u001b]0;gone\\u0007chess\\u000d\\u009b2J\\u007f\\u202etob\\u2069";
        assert_eq!(printable(title), shown);
        assert_eq!(printable("a\tb\nc"), "a\tb\nc");
        assert_eq!(one_line("a\tb\nc\u{2028}d"), "a\\u0009b\\u000ac\\u2028d");
        // Nothing else is touched, however it is written.
        let name = "Žofie «ßot» 将棋 ♞ 👩\u{200d}🚀 שח";
        assert!(matches!(one_line(name), Cow::Borrowed(same) if same == name));
    }

    #[test]
    fn a_line_of_json_means_the_same_as_before() {
        let line = serde_json::json!({ "name": "\u{1b}\u{7f}\u{9b}\u{202e}\n" });
        let printed = printable(&line.to_string()).into_owned();
        assert!(!printed.chars().any(is_control), "{printed:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&printed).unwrap(), line);
    }
}
