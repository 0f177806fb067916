//! Asks Torres' engine over its socket. In one terminal, and in another:
//!
//!     torres engine --socket example
//!     cargo run --release --example ask_engine -- example 1000
//!
//! The arguments are the socket's name and the milliseconds for the move.

use shakmaty::Chess;
use std::error::Error;
use torres::chess::fen;
use torres::link::address::SocketName;
use torres::link::client::EngineClient;
use torres::link::messages::{FromEngine, Go, ToEngine};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: ask_engine SOCKET MILLISECONDS";
    let socket: SocketName = arguments.next().ok_or(usage)?.parse()?;
    let move_ms = arguments.next().ok_or(usage)?.parse()?;
    let mut engine = EngineClient::connect(&socket).await?;
    let mut go = Go {
        fen: fen(&Chess::default()),
        moves: vec!["e2e4".into()],
        ..Go::default()
    };
    go.limits.move_ms = Some(move_ms);
    engine.send(ToEngine::Go(go))?;
    loop {
        match engine.receive().await? {
            FromEngine::Info(info) => println!("depth {:>2}  {:?}  {}", info.depth, info.score, info.pv.join(" ")),
            FromEngine::BestMove(answer) => {
                println!("best move: {:?}", answer.best);
                return Ok(());
            }
            FromEngine::Error { message, .. } => return Err(message.into()),
            _ => {}
        }
    }
}
