# `make demo` shows a game, `make test` runs every test; both install what is missing first.

.PHONY: demo games test lint doc bench build packages

build: packages
	cargo build --release

packages:
	@tools/install-packages.sh run

# Arguments for the demo: make demo ARGS="--color black --level 5"
demo: build
	target/release/torres demo $(ARGS)

lint: packages
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --quiet

# Tests that share a display or measure the machine's patience run one binary after the other, as cargo test does.
test: lint
	cargo test

doc:
	cargo doc --no-deps --open

bench: packages
	cargo bench

# Twenty games in a row, both colours, all levels: the figures of the README. Takes about an hour.
games: build
	target/release/torres demo --games 20 --vary --level 1 --out torres-games $(ARGS)
