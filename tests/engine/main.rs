//! The engine by what it promises: legal moves, mates, and the protocol that other programs speak to it.

mod bare_king;
mod movegen_vs_shakmaty;
mod perft;
mod tactics;
mod uci;
