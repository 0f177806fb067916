//! Whatever this program prints passes here: in all of the house `println!` and its like are these, so that a control character in a name
//! reaches no terminal, and nobody has to think of it.
//!
//! What moves the cursor on purpose (the line that changes in place) is written to the terminal by whoever does it, around texts that were
//! made [`printable`](crate::picture::printable).

#![allow(unused_macros, reason = "none of the standard library's may be left unguarded")]

macro_rules! print {
    ($($text:tt)*) => { ::std::print!("{}", $crate::picture::printable(&::std::format!($($text)*))) };
}

macro_rules! println {
    () => { ::std::println!() };
    ($($text:tt)*) => { ::std::println!("{}", $crate::picture::printable(&::std::format!($($text)*))) };
}

macro_rules! eprint {
    ($($text:tt)*) => { ::std::eprint!("{}", $crate::picture::printable(&::std::format!($($text)*))) };
}

macro_rules! eprintln {
    () => { ::std::eprintln!() };
    ($($text:tt)*) => { ::std::eprintln!("{}", $crate::picture::printable(&::std::format!($($text)*))) };
}
