//! What a game's task is told.

use super::announcement::{Guests, ServerName};
use super::command::Command;
use super::person::Person;
use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc;

/// What a game is told.
pub(super) enum ToHost {
    /// A client comes.
    Arrive {
        /// Names the client.
        connection: u64,
        /// Whose it is.
        person: Person,
        /// The last change that it has seen.
        seen: u64,
        /// The way to it.
        client: mpsc::Sender<Utf8Bytes>,
    },
    /// A client asks something.
    Command {
        /// Which client.
        connection: u64,
        /// The client's number of it.
        id: u32,
        /// What.
        command: Command,
    },
    /// The way to a client and back was measured.
    Pinged {
        /// Which client.
        connection: u64,
        /// In ms.
        ms: u32,
    },
    /// A client is gone.
    Gone {
        /// Which client.
        connection: u64,
    },
    /// Another server has changed the game: just now, or who knows when.
    ChangedElsewhere {
        /// Just now.
        live: bool,
    },
    /// Who is at the game by way of another server.
    There {
        /// Which.
        server: ServerName,
        /// Who.
        guests: Guests,
    },
    /// Another server wants to know who is here.
    Announce,
}
