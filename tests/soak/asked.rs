//! The numbers that the environment asks for.

/// A variable's number; `None` where it is not set. Panics where it is no number.
pub fn number(name: &str) -> Option<u32> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}
