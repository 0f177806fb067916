//! A new migration is built in, though no other file changed.

#[expect(clippy::disallowed_macros, reason = "cargo reads it")]
fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
