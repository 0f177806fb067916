//! How this board takes moves.

/// What puts down a piece that is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deselects {
    /// A click on an empty square to which no piece can go.
    Empty,
    /// Another click on the piece.
    Piece,
}
