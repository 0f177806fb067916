#!/bin/sh
# Says what to do where there is no Rust, or one older than Cargo.toml asks for: before anything else is installed.
set -eu

wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")

advise() {
    {
        echo "Torres needs Rust $wanted or newer: $1."
        if command -v rustup >/dev/null 2>&1; then
            echo "Run: rustup update stable && rustup default stable"
        elif [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/rustc" ]; then
            echo "It is in ${CARGO_HOME:-$HOME/.cargo}/bin, which is not in PATH. Run: . ${CARGO_HOME:-$HOME/.cargo}/env"
        else
            echo "Install it from https://rustup.rs (Debian's own is too old), and open a new terminal."
        fi
    } >&2
    exit 1
}

for program in rustc cargo; do
    command -v "$program" >/dev/null 2>&1 || advise "there is no $program"
done
# `rustc 1.95.0 (59807616e 2026-04-14)`
found=$(rustc --version 2>/dev/null | sed -n 's/^rustc \([0-9][0-9.]*\).*/\1/p')
[ -n "$found" ] || advise "\`rustc --version\` does not work here"
oldest=$(printf '%s\n' "$wanted" "$found" | sort -t . -k 1,1n -k 2,2n -k 3,3n | head -n 1)
[ "$oldest" = "$wanted" ] || advise "this is $found"
