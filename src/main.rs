//! The `torres` binary: everything is in the library's `cli` room.

fn main() -> std::process::ExitCode {
    torres::cli::main()
}
