//! The schedule: which games are still to be played, and several of them at once.

use super::contender::{Contender, Seat};
use super::game::{Adjudication, play};
use super::openings::Openings;
use super::record::{GameRecord, Pairing, Store};
use super::sprt::Sprt;
use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engine that is measured.
    pub engine: Contender,
    /// Those it is measured by, one after the other.
    pub opponents: Vec<Contender>,
    /// Games against each; an odd last one leaves its opening half played.
    pub games: usize,
    /// Where games start.
    pub openings: Openings,
    /// Games at once, at least 1.
    pub concurrency: usize,
    /// When games may be ended early; `None` for never.
    pub adjudication: Option<Adjudication>,
    /// When matches may be ended early; `None` for never.
    pub sprt: Option<Sprt>,
}

/// One game to be played.
#[derive(Clone, Debug)]
struct Fixture {
    opponent: usize,
    pairing: Pairing,
    number: usize,
}

impl Plan {
    /// Who meets whom, in the order of the opponents.
    pub fn pairings(&self) -> Vec<Pairing> {
        let adjudicated = if self.adjudication.is_some() {
            ", adjudicated"
        } else {
            ""
        };
        let pairing = |opponent: &Contender| Pairing {
            engine: self.engine.side(),
            opponent: opponent.side(),
            openings: format!("{}{adjudicated}", self.openings.name()),
        };
        self.opponents.iter().map(pairing).collect()
    }

    /// The games that are not in the store yet.
    fn missing(&self, store: &Store) -> VecDeque<Fixture> {
        let mut missing = VecDeque::new();
        for (opponent, pairing) in self.pairings().into_iter().enumerate() {
            let played: HashSet<usize> = store
                .records()
                .iter()
                .filter(|record| record.pairing == pairing)
                .map(|record| record.number)
                .collect();
            missing.extend(
                (0..self.games)
                    .filter(|number| !played.contains(number))
                    .map(|number| Fixture {
                        opponent,
                        pairing: pairing.clone(),
                        number,
                    }),
            );
        }
        missing
    }

    /// Plays what is not in the store yet, and appends each game as it ends; `on_game` hears of it and of how many are
    /// still to come. Dropping the future ends all engines; games that were running are played again another time.
    ///
    /// # Errors
    /// An engine does not start, a game cannot be written, or the store has games of other builds of these engines.
    pub async fn play(
        &self,
        store: &mut Store,
        on_game: &mut dyn FnMut(&GameRecord, &Store, usize),
    ) -> Result<(), String> {
        for pairing in self.pairings() {
            if store.has_another_build_of(&pairing) {
                return Err(format!(
                    "the folder has games of '{}' and '{}' in another build; name this one otherwise or choose another folder",
                    pairing.engine.name, pairing.opponent.name
                ));
            }
        }
        let missing = self.missing(store);
        let mut to_come = missing.len();
        if self.is_answered(store) {
            return Ok(());
        }
        let queue = Arc::new(Mutex::new(missing));
        let (sender, mut finished) = mpsc::channel(1);
        let mut tables = JoinSet::new();
        for _ in 0..self.concurrency.clamp(1, to_come.max(1)) {
            tables.spawn(table(self.clone(), Arc::clone(&queue), sender.clone()));
        }
        drop(sender);
        while let Some(record) = finished.recv().await {
            let record: GameRecord = record?;
            to_come -= 1;
            store.append(record.clone())?;
            on_game(&record, store, to_come);
            if self.is_answered(store) {
                break;
            }
        }
        Ok(())
    }

    /// Whether the sequential test of each match has its answer.
    fn is_answered(&self, store: &Store) -> bool {
        self.sprt.is_some_and(|sprt| {
            let answered = |pairing: &Pairing| sprt.standing(&store.tally(pairing)).answer.is_some();
            self.pairings().iter().all(answered)
        })
    }
}

/// A table at which one game after the other is played.
async fn table(plan: Plan, queue: Arc<Mutex<VecDeque<Fixture>>>, finished: mpsc::Sender<Result<GameRecord, String>>) {
    let mut seats = Seats::default();
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    while let Some(fixture) = next() {
        let record = seats.play(&plan, fixture).await;
        let failed = record.is_err();
        if finished.send(record).await.is_err() || failed {
            return;
        }
    }
}

/// The engines at a table. They stay from game to game, unless one failed or another opponent comes.
#[derive(Default)]
struct Seats {
    engine: Option<Seat>,
    opponent: Option<(usize, Seat)>,
}

impl Seats {
    async fn play(&mut self, plan: &Plan, fixture: Fixture) -> Result<GameRecord, String> {
        let contender = &plan.opponents[fixture.opponent];
        let mut engine = match self.engine.take() {
            Some(seat) => seat,
            None => Seat::take(&plan.engine).await?,
        };
        let mut opponent = match self.opponent.take() {
            Some((number, seat)) if number == fixture.opponent => seat,
            _ => Seat::take(contender).await?,
        };
        let opening = plan.openings.of_pair(fixture.number / 2);
        let engine_white = fixture.number.is_multiple_of(2);
        let limits = [plan.engine.limits, contender.limits];
        let mut played = if engine_white {
            play(opening, [&mut engine, &mut opponent], limits, plan.adjudication).await?
        } else {
            let limits = [limits[1], limits[0]];
            play(opening, [&mut opponent, &mut engine], limits, plan.adjudication).await?
        };
        if !engine_white {
            played.efforts.reverse();
        }
        let record = GameRecord {
            pairing: fixture.pairing,
            number: fixture.number,
            opening: opening.to_owned(),
            engine_white,
            points: if engine_white {
                played.white_points
            } else {
                1.0 - played.white_points
            },
            end: played.end,
            detail: played.detail,
            moves: played.moves.join(" "),
            engine_effort: played.efforts[0],
            opponent_effort: played.efforts[1],
        };
        // After a fault both are started anew: the other may still wait for something.
        if !record.end.is_fault() {
            self.engine = Some(engine);
            self.opponent = Some((fixture.opponent, opponent));
        }
        Ok(record)
    }
}
