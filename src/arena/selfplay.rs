//! Games of our own engine against itself, for evaluations to learn from: quiet positions, with the search's score and
//! the game's result.
//!
//! A game depends on nothing but its number, the seed, the settings and the engine, and games go to the file in the
//! order of their numbers: the file is the same whatever the number of threads, and however often it was broken off.

use super::openings::Openings;
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use torres_data::random::SplitMix;
use torres_data::{DataError, GameFile, Outcome, Record};
use torres_engine::nnue::Network;
use torres_engine::{
    Color, Engine, Evaluation, Game, Move, Options, Position, Score, SearchControl, SearchLimits, bench,
};

/// How games are made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A search ends with the iteration in which it has visited this many nodes.
    pub nodes: u64,
    /// Plies played by chance after each opening, so that no two games are alike.
    pub random_plies: usize,
    /// Makes other games of the same settings.
    pub seed: u64,
    /// Where games start.
    pub openings: Openings,
    /// Transposition table in MiB.
    pub hash_mib: usize,
    /// What the searches ask.
    pub evaluation: Evaluation,
    /// Another network than the one that comes with the engine.
    pub network: Option<Arc<Network>>,
}

/// An iteration is broken off when the search has visited this many times [`Settings::nodes`].
const NODES_MOST: u64 = 10;
/// Beyond this score, in centipawns, for [`DECIDED_PLIES`] plies in a row a game counts as won.
const DECIDED: i32 = 2000;
const DECIDED_PLIES: usize = 5;
/// Within this score, after [`DRAWN_FROM`] plies and for [`DRAWN_PLIES`] plies in a row, a game counts as drawn.
const DRAWN: i32 = 8;
const DRAWN_PLIES: usize = 14;
const DRAWN_FROM: usize = 80;
/// Positions beyond this score, in centipawns, are decided and teach nothing. Every mate is beyond it.
const TEACHES: i32 = 3000;
/// What a mate counts in centipawns.
const MATES: i32 = 10_000;
/// Chance may not decide a game before it begins: after the random plies the score must be within this.
const FAIR: i32 = 250;
/// A game that is no fairer after this many attempts is left out.
const ATTEMPTS: u64 = 20;
/// Depth in plies of the bench whose node count tells engines apart: a twentieth of a second.
const SIGNATURE_DEPTH: u32 = 6;

impl Settings {
    fn engine(&self, hash_mib: usize) -> Engine {
        let mut engine = Engine::new(hash_mib);
        engine.set_options(Options {
            evaluation: self.evaluation,
            ..Options::default()
        });
        if let Some(network) = &self.network {
            engine.set_network(Arc::clone(network));
        }
        engine
    }

    /// A number that differs where anything differs on which games depend: the engine, the settings, the seed.
    pub fn run(&self) -> u64 {
        let mut engine = self.engine(bench::HASH_MIB);
        let engine = bench::bench_of(&mut engine, SIGNATURE_DEPTH, &mut |_, _| {}).nodes;
        let numbers = [
            engine,
            self.nodes,
            NODES_MOST,
            self.random_plies as u64,
            self.seed,
            self.hash_mib as u64,
            DECIDED as u64,
            DECIDED_PLIES as u64,
            DRAWN as u64,
            DRAWN_PLIES as u64,
            DRAWN_FROM as u64,
            TEACHES as u64,
            FAIR as u64,
            ATTEMPTS,
        ];
        let mut hash = Fnv::default();
        numbers.iter().for_each(|number| hash.add(&number.to_le_bytes()));
        (0..self.openings.len()).for_each(|opening| hash.add(self.openings.of_pair(opening).as_bytes()));
        hash.0
    }
}

/// Fowler, Noll and Vo's hash FNV-1a, <http://www.isthe.com/chongo/tech/comp/fnv/>: the same number in every release of
/// every compiler.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// What became of the positions that were searched: each is counted once, under the first that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sifted {
    /// The side to move is in check.
    pub in_check: u64,
    /// The best move takes something or promotes.
    pub noisy: u64,
    /// The score is beyond what teaches anything.
    pub decided: u64,
    /// Recorded.
    pub kept: u64,
}

impl Sifted {
    /// All positions searched.
    pub fn all(&self) -> u64 {
        self.in_check + self.noisy + self.decided + self.kept
    }
}

impl AddAssign for Sifted {
    fn add_assign(&mut self, other: Sifted) {
        self.in_check += other.in_check;
        self.noisy += other.noisy;
        self.decided += other.decided;
        self.kept += other.kept;
    }
}

/// A game to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlayed {
    /// Its quiet positions.
    pub records: Vec<Record>,
    /// And what became of the others.
    pub sifted: Sifted,
    /// Nodes searched for it.
    pub nodes: u64,
}

/// Why there is no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoGame {
    /// No start was fair; nor will it be next time.
    Unfair,
    /// It was broken off.
    Stopped,
}

/// The engine that plays both sides.
pub struct Player<'a> {
    engine: Engine,
    settings: &'a Settings,
    nodes: u64,
}

impl<'a> Player<'a> {
    /// A player with these settings.
    pub fn new(settings: &'a Settings) -> Player<'a> {
        Player {
            engine: settings.engine(settings.hash_mib),
            settings,
            nodes: 0,
        }
    }

    /// Plays a game, if it is not broken off.
    ///
    /// # Errors
    /// No fair start was found, or it was broken off.
    pub fn play(&mut self, number: u32, stopped: &AtomicBool) -> Result<SelfPlayed, NoGame> {
        self.engine.new_game();
        self.nodes = 0;
        let start = (0..ATTEMPTS).find_map(|attempt| {
            let game = self.start(number, attempt)?;
            let (_, score) = self.search(&game)?;
            (score.abs() <= FAIR).then_some(game)
        });
        let mut game = start.ok_or(NoGame::Unfair)?;
        let (mut scores, mut kept, mut sifted) = (Vec::new(), Vec::new(), Sifted::default());
        let outcome = loop {
            if stopped.load(Ordering::Relaxed) {
                return Err(NoGame::Stopped);
            }
            let position = *game.position();
            let Some((mv, score)) = (if game.is_draw() { None } else { self.search(&game) }) else {
                // Mate, or a draw of any kind.
                let mated = position.in_check() && position.legal_moves().is_empty();
                break match position.turn() {
                    Color::White if mated => Outcome::BlackWins,
                    Color::Black if mated => Outcome::WhiteWins,
                    _ => Outcome::Draw,
                };
            };
            let reason = match () {
                () if position.in_check() => &mut sifted.in_check,
                () if !mv.is_quiet() => &mut sifted.noisy,
                () if score.abs() > TEACHES => &mut sifted.decided,
                () => {
                    kept.push((position, score as i16));
                    &mut sifted.kept
                }
            };
            *reason += 1;
            scores.push(score);
            if let Some(outcome) = decided(&scores) {
                break outcome;
            }
            game.play(mv);
        };
        let record = |(position, score): &(Position, i16)| Record::new(position, *score, outcome);
        Ok(SelfPlayed {
            records: kept.iter().map(record).collect(),
            sifted,
            nodes: self.nodes,
        })
    }

    /// An opening and some moves by chance.
    fn start(&self, number: u32, attempt: u64) -> Option<Game> {
        let game = u64::from(number).wrapping_mul(ATTEMPTS) + attempt;
        let mut random = SplitMix(SplitMix(self.settings.seed).next() ^ SplitMix(game).next());
        let opening = random.below(self.settings.openings.len());
        let mut game = Game::from_fen_and_moves(self.settings.openings.of_pair(opening), [] as [&str; 0]).ok()?;
        for _ in 0..self.settings.random_plies {
            let moves = game.position().legal_moves();
            if moves.is_empty() || game.is_draw() {
                return None;
            }
            game.play(moves[random.below(moves.len())]);
        }
        Some(game)
    }

    /// The best move, and its score from White's view; `None` when there is no move.
    fn search(&mut self, game: &Game) -> Option<(Move, i32)> {
        let (soft, control) = (self.settings.nodes, SearchControl::new());
        let limits = SearchLimits {
            nodes: Some(soft.saturating_mul(NODES_MOST)),
            ..SearchLimits::default()
        };
        // Told of each completed iteration: so the search ends between two.
        let result = self.engine.search(game, &limits, &control, &mut |info| {
            if info.nodes >= soft {
                control.stop();
            }
        });
        self.nodes += result.nodes;
        let score = match result.score {
            Score::Cp(score) => score,
            Score::Mate(moves) if moves > 0 => MATES,
            Score::Mate(_) => -MATES,
        };
        let score = match game.position().turn() {
            Color::White => score,
            Color::Black => -score,
        };
        result.best.map(|mv| (mv, score))
    }
}

/// A result that is clear from the scores so far.
fn decided(scores: &[i32]) -> Option<Outcome> {
    let last = |plies: usize| scores.len().checked_sub(plies).map(|from| &scores[from..]);
    let all =
        |plies: usize, test: fn(i32) -> bool| last(plies).is_some_and(|scores| scores.iter().all(|&score| test(score)));
    if all(DECIDED_PLIES, |score| score > DECIDED) {
        Some(Outcome::WhiteWins)
    } else if all(DECIDED_PLIES, |score| score < -DECIDED) {
        Some(Outcome::BlackWins)
    } else if scores.len() >= DRAWN_FROM && all(DRAWN_PLIES, |score| score.abs() <= DRAWN) {
        Some(Outcome::Draw)
    } else {
        None
    }
}

/// Plays games on so many threads until all below a number are in the file, or until it is stopped; `on_game` hears of
/// each that went to the file. A game that is under way when it is stopped is played again the next time.
///
/// # Errors
/// The disk refuses.
pub fn play_all(
    settings: &Settings,
    file: &mut GameFile,
    games: u32,
    threads: usize,
    stopped: &AtomicBool,
    mut on_game: impl FnMut(&GameFile, &SelfPlayed),
) -> Result<(), DataError> {
    let counter = AtomicU32::new(file.next());
    let (sender, receiver) = sync_channel(threads);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|| play_some(settings, &counter, games, stopped, sender));
        }
        drop(sender);
        let (mut next, mut waiting) = (file.next(), BTreeMap::new());
        for (number, played) in receiver {
            waiting.insert(number, played);
            // A game waits for those before it: then what is in the file is always all up to some number.
            while let Some(played) = waiting.remove(&next) {
                if let Some(played) = played {
                    file.append(next, played.records.clone())
                        .inspect_err(|_| stopped.store(true, Ordering::Relaxed))?;
                    on_game(file, &played);
                }
                next += 1;
            }
        }
        Ok(())
    })
}

/// Plays games until there are enough, somebody says stop, or nobody takes them any more.
fn play_some(
    settings: &Settings,
    counter: &AtomicU32,
    games: u32,
    stopped: &AtomicBool,
    sender: SyncSender<(u32, Option<SelfPlayed>)>,
) {
    let mut player = Player::new(settings);
    loop {
        let number = counter.fetch_add(1, Ordering::Relaxed);
        if number >= games {
            return;
        }
        let played = match player.play(number, stopped) {
            Ok(played) => Some(played),
            Err(NoGame::Unfair) => None,
            Err(NoGame::Stopped) => return,
        };
        if sender.send((number, played)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use torres_engine::nnue::{BUCKETS, INPUTS, Weights};

    fn settings() -> Settings {
        Settings {
            nodes: 200,
            random_plies: 4,
            seed: 1,
            openings: Openings::built_in(1),
            hash_mib: 1,
            evaluation: Evaluation::default(),
            network: None,
        }
    }

    /// It values every position the same.
    fn ignorant_network() -> Arc<Network> {
        let weights = Weights {
            inputs: vec![0; INPUTS * 64],
            input_bias: vec![0; 64],
            outputs: vec![0; BUCKETS * 2 * 64],
            output_bias: [0; BUCKETS],
        };
        Arc::new(Network::new(&weights, "knows nothing").unwrap())
    }

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn play(settings: &Settings, number: u32) -> SelfPlayed {
        Player::new(settings).play(number, &GO_ON).unwrap()
    }

    #[test]
    fn a_game_depends_on_its_number_and_the_settings_only() {
        let settings = settings();
        let alone = play(&settings, 3);
        let mut player = Player::new(&settings);
        let games: Vec<_> = (2..4).map(|number| player.play(number, &GO_ON).unwrap()).collect();
        assert_eq!(games[1], alone);
        assert_ne!(games[0].records, games[1].records);
        let other = Settings {
            seed: 2,
            ..settings.clone()
        };
        assert_ne!(play(&other, 3).records, alone.records);
    }

    #[test]
    fn what_is_recorded_is_quiet() {
        let settings = settings();
        let mut sifted = Sifted::default();
        for number in 0..10 {
            let game = play(&settings, number);
            assert!(game.records.len() > 5, "{}", game.records.len());
            assert_eq!(game.sifted.kept, game.records.len() as u64);
            for record in &game.records {
                let position = record.position().unwrap();
                assert!(
                    !position.in_check() && i32::from(record.score()).abs() <= TEACHES,
                    "{position}"
                );
                assert_eq!(record.outcome(), game.records[0].outcome());
            }
            sifted += game.sifted;
        }
        // Captures and checks are common enough.
        let all = sifted.all();
        assert!(sifted.noisy > all / 20 && sifted.in_check > all / 50, "{sifted:?}");
    }

    /// Score and result are from White's view, whoever is to move.
    #[test]
    fn who_stands_better_wins_more_often() {
        let settings = settings();
        let (mut ahead, mut points) = (0, 0.0);
        for number in 0..20 {
            for record in play(&settings, number).records {
                let white = record.outcome().unwrap().white_points();
                if i32::from(record.score()).abs() > 300 {
                    ahead += 1;
                    points += if record.score() > 0 { white } else { 1.0 - white };
                }
            }
        }
        assert!(
            ahead > 50 && points / ahead as f32 > 0.8,
            "{points} points from {ahead} positions"
        );
    }

    #[test]
    fn clear_scores_end_games() {
        assert_eq!(decided(&[DECIDED + 1; DECIDED_PLIES]), Some(Outcome::WhiteWins));
        assert_eq!(decided(&[-DECIDED - 1; DECIDED_PLIES]), Some(Outcome::BlackWins));
        assert_eq!(decided(&[DECIDED + 1; DECIDED_PLIES - 1]), None);
        assert_eq!(decided(&[0; DRAWN_FROM]), Some(Outcome::Draw));
        assert_eq!(decided(&[0; DRAWN_FROM - 1]), None);
    }

    #[test]
    fn a_run_is_another_one_when_anything_is_different() {
        let settings = settings();
        let run = settings.run();
        assert_eq!(run, settings.run());
        for other in [
            Settings {
                nodes: 201,
                ..settings.clone()
            },
            Settings {
                random_plies: 5,
                ..settings.clone()
            },
            Settings {
                seed: 2,
                ..settings.clone()
            },
            Settings {
                openings: Openings::built_in(2),
                ..settings.clone()
            },
            Settings {
                evaluation: Evaluation::HandMade,
                ..settings.clone()
            },
            Settings {
                network: Some(ignorant_network()),
                ..settings.clone()
            },
            Settings {
                hash_mib: 2,
                ..settings.clone()
            },
        ] {
            assert_ne!(run, other.run(), "{other:?}");
        }
    }

    #[test]
    fn a_search_ends_between_two_iterations() {
        let settings = settings();
        let mut player = Player::new(&settings);
        let game = player.start(0, 0).unwrap();
        player.search(&game).unwrap();
        let nodes = player.nodes;
        let mut ends = Vec::new();
        let limits = SearchLimits {
            depth: Some(12),
            ..SearchLimits::default()
        };
        Engine::new(settings.hash_mib).search(&game, &limits, &SearchControl::new(), &mut |info| ends.push(info.nodes));
        let first = ends.into_iter().find(|&end| end >= settings.nodes);
        assert_eq!(
            Some(nodes),
            first,
            "the first iteration that ends beyond {}",
            settings.nodes
        );
    }

    /// Plays on in a file until all games are in it, or as many as `most` were added.
    fn play_file(path: &Path, settings: &Settings, threads: usize, most: u32) -> GameFile {
        let mut file = GameFile::open(path, 1).unwrap();
        let (stopped, mut played) = (AtomicBool::new(false), 0);
        play_all(settings, &mut file, 20, threads, &stopped, |file, _| {
            played += 1;
            if played >= most {
                // Meanwhile some games end and others do not, more or fewer each time.
                std::thread::sleep(std::time::Duration::from_millis(file.games() % 4 * 4));
                stopped.store(true, Ordering::Relaxed);
            }
        })
        .unwrap();
        file
    }

    #[test]
    fn the_file_is_the_same_on_any_number_of_threads_and_however_often_it_was_stopped() {
        let folder = torres_fuzz::folder();
        let settings = settings();
        let at = |name: &str| folder.path().join(name);
        let whole = play_file(&at("whole"), &settings, 1, u32::MAX);
        assert!(whole.games() >= 18 && whole.positions() > 200, "{whole:?}");
        play_file(&at("threads"), &settings, 3, u32::MAX);
        let mut stops = 0;
        while play_file(&at("stopped"), &settings, 4, 1).next() < whole.next() {
            stops += 1;
        }
        assert!(stops >= 2, "{stops}");
        let bytes = |name: &str| std::fs::read(at(name)).unwrap();
        assert!(bytes("whole") == bytes("threads"), "threads make a difference");
        assert!(bytes("whole") == bytes("stopped"), "stops make a difference");
    }
}
