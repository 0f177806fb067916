//! The characters over UCI, without the rest of Torres: quick to build where two are to be measured.
//!
//! ```text
//! torres ladder --out alv --engine target/release/examples/uci --option Character=alv3 --against target/release/examples/uci
//! ```

use std::io;
use torres_characters::Cast;
use torres_engine::uci;

fn main() -> io::Result<()> {
    uci::serve(io::stdin().lock(), io::stdout(), Cast::new)
}
