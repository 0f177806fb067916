//! The link between Torres and an engine in another process.

mod figures;
mod ponder;
mod protocol;
mod supervisor;
mod uci;
