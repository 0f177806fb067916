# `make` alone says what there is to make. What is missing is installed first.

# What cargo is told beside its command: nothing, or to leave out xcap. Asked once, when the packages have been installed; `make XCAP=no` says so.
FORM = $(eval FORM := $(shell XCAP=$(XCAP) tools/build-form.sh))$(FORM)

# `make EXE=name` builds just the engine, for this machine's processor, under that name: as OpenBench asks for it. Run
# without arguments and with its input redirected it speaks UCI; `name bench` ends with its signature.
ifdef EXE
$(EXE): FORCE
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=native" cargo build --release $(FORM) --target-dir target/native
	cp target/native/release/torres $(EXE)
FORCE:
endif

.PHONY: help demo games killed load cold soak soak-faults soak-looks strangers programs test test-play test-rooms test-processes test-room lint doc bench build packages test-packages rust vision-report

help: ## this list
	@sed -n '/^[a-z-]*:.*## /{s/:.*## /                    /;s/^\(.\{15\}\) */make \1/p;}' Makefile

build: packages ## the program, at target/release/torres
	cargo build --release $(FORM)

packages: rust ## installs what Torres is built and run with
	@tools/install-packages.sh run

test-packages: packages ## installs what its tests need beside that
	@tools/install-packages.sh test

rust:
	@tools/check-rust.sh

# Arguments for the demo: make demo ARGS="--color black --level 5"
demo: build ## one game in a browser, in torres-demo/; make demo ARGS=--headed shows it
	target/release/torres demo $(ARGS)

lint: packages ## rustfmt, clippy and rustdoc without a warning; cargo-deny and typos where they are installed
	cargo fmt --check
	cargo clippy --all-targets $(FORM) -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --quiet $(FORM)
	if command -v cargo-deny >/dev/null; then cargo deny --log-level warn check licenses bans sources; fi
	if command -v typos >/dev/null; then typos; fi

# All tests are built first. What measures how soon something is done runs alone: the desktop's tests how fast buttons come up and pages draw, those of
# other programs what is drawn in few places (docs/programs.md), and three files and a test of whole games how soon a page and Torres answer. Then three rows run
# beside each other; what a command prints is shown when it has ended. The first plays whole games, whose tests mostly wait for pages and bots: three
# on each core. The second computes, and gives way.
test: lint test-packages ## lint, then every test
	cargo test $(FORM) --no-run --lib $(addprefix --test ,$(PROGRAMS))
	cargo test $(FORM) --test desktop --test programs
	cargo test $(FORM) --test play -- $(ALONE)
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=line FORM="$(FORM)" test-play test-rooms test-processes
	$(if $(FORM),,cargo test --no-default-features --test desktop --test play -- screen_capture:: e2e_demo::)

PROGRAMS = $(patsubst tests/%/main.rs,%,$(wildcard tests/*/main.rs))
ALONE = e2e_move_input:: e2e_record:: e2e_stopping:: e2e_peer::a_button_in_a_notice
PROCESSES = $(filter-out desktop programs play engine vision,$(PROGRAMS))

test-play:
	RUST_TEST_THREADS=$$((3 * $$(nproc))) cargo test $(FORM) --test play -- $(addprefix --skip ,$(ALONE))

test-rooms:
	nice -n 5 cargo test $(FORM) --lib
	nice -n 5 cargo test $(FORM) --test engine --test vision
	nice -n 5 cargo test $(FORM) --doc

test-processes:
	cargo test $(FORM) $(addprefix --test ,$(PROCESSES))

# ROOM is a folder of src/: its unit tests, and those of tests/ROOM where there is such a folder.
test-room: ## one room's tests: make test-room ROOM=vision
	@test -f "src/$(ROOM)/Cargo.toml" || { echo "make test-room ROOM=..., a folder of src/" >&2; exit 1; }
	cargo test $(FORM) -p torres-$(ROOM)
	$(if $(wildcard tests/$(ROOM)/main.rs),cargo test $(FORM) --test $(ROOM))

doc: ## the code's documentation, in a browser
	cargo doc --no-deps --open $(FORM)

bench: packages ## speed of vision, capture, engine, move generation
	cargo bench $(FORM)

# Twenty games in a row, both colours, all levels: the figures of docs/figures.md. Takes about an hour.
games: build ## twenty games in a row in the demo, in an hour
	target/release/torres demo --games 20 --vary --level 1 --out torres-games $(ARGS)

# Many games: while things go wrong at random (docs/faults.md), and on pages of any look, layout and manner (docs/programs.md). Both go on where they
# were left; make soak GAMES=100 SEED=1, or one of both.
# Stopped ten times in each game, and nothing else: make soak-faults GAMES=30 SEED=11 STOPS=10. One page once more: make soak-looks ONLY=12.
GAMES ?= 100
soak: soak-faults soak-looks ## many games: both of the following

soak-faults: packages ## many games while things go wrong: GAMES=100 SEED=1 STOPS=10
	GAMES=$(GAMES) SEED=$(SEED) STOPS=$(STOPS) cargo test $(FORM) --test soak soak -- --exact --ignored --nocapture

soak-looks: packages | tests/scenes/node_modules ## many games on pages of any look: GAMES=100 SEED=1 ONLY=12
	GAMES=$(GAMES) SEED=$(SEED) ONLY=$(ONLY) cargo test $(FORM) --test soak looks::looks -- --exact --ignored --nocapture

# Pages that somebody else made, in a folder as docs/programs.md says: make strangers PAGES=folder GAMES=3 ONLY=arbor. Nothing is played twice.
strangers: GAMES = 1
strangers: packages ## first runs on pages that somebody else made: PAGES=folder GAMES=3
	PAGES="$(PAGES)" GAMES=$(GAMES) ONLY="$(ONLY)" cargo test $(FORM) --test soak strangers::strangers -- --exact --ignored --nocapture

# Games of two people (docs/contracts.md): how long moves take with 500 games at once, and what a game takes of memory; GAMES=500 SECONDS=30. And
# the server killed in fifty moments of twenty games, and the network cut thirty times.
load: packages ## many games of two people at once, measured
	cargo test $(FORM) --test site people_killed::load -- --exact --ignored --nocapture

killed: packages ## games of two people while the server is killed and the network cut
	cargo test $(FORM) --test site -- people_killed::fifty_kills people_killed::thirty_cuts --exact --ignored --nocapture

cold: packages ## how soon a game's page is ready, from a server just started
	cargo test $(FORM) --test site cold::a_cold_game_page -- --exact --ignored --nocapture

# Whole games with programs that nobody here built, as White and as Black, held against what went over their engines' wires (docs/programs.md).
# Goes on where it was left; ONLY=xboard plays with those whose name has that once more.
programs: packages ## whole games with programs that nobody here built
	tools/install-packages.sh programs
	ONLY="$(ONLY)" cargo test $(FORM) --test programs programs -- --exact --ignored --nocapture

# Renders 50 scenes of looks that vision was tuned on and 50 of looks that were put aside, once for each SEED, and reports how well
# they are read: docs/vision-report.md. For a single scene: make vision-report REPORT="target/vision-scenes/1/tuned-1-004 --pictures DIR"
SEED = 1
SCENES = target/vision-scenes/$(SEED)
vision-report: $(SCENES)/complete ## how well rendered boards are read
	cargo run --release --quiet $(FORM) --example vision_report -- $(or $(REPORT),$(SCENES))

$(SCENES)/complete: | tests/scenes/node_modules
	node tests/scenes/render.mjs --random 100 --seed $(SEED) --group all --out $(SCENES)
	node tests/scenes/render.mjs --named figures --out $(SCENES)
	touch $@

tests/scenes/node_modules:
	cd tests/scenes && npm ci --ignore-scripts
