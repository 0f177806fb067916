//! The rim: captures frames, feeds the machine, and does what it orders. Decides nothing about the game, and waits in
//! one place only. It is one thing, the loop over screen, engine, user and mouse; `looking`, `acting` and `choosing`
//! are its chapters.

mod acting;
mod choosing;
mod drag_result;
mod following;
mod hanging;
mod holding;
mod looking;

use super::commands::{Command, Commands, Said};
use super::eye::{Eye, Observation};
use super::game::End;
use super::guard::Guard;
use super::log::Log;
use super::look_timer::LookTimer;
use super::machine::{Event, Fact, Machine, Order, Origin, PauseReason, Phase, describe};
use super::next_game::{NextGame, ShownInGame};
use super::opened::Surroundings;
use super::page_change::PageChange;
use super::site_clocks::SiteClocks;
use super::thinking::{News, Thinking, Thought};
use choosing::Asked;
use drag_result::DragResult;
use hanging::Hanging;
use looking::Search;
use shakmaty::{Color, Move, Square};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::Instant;
use torres_calibration::{Calibration, PromotionChoice};
use torres_frame::{Frame, Timestamp};
use torres_geometry::BoardMap;
use torres_link::ThinkEvent;
use torres_link::messages::Score;
use torres_mouse::{Mouse, StopFlag, StopReason};
use torres_vision::Tracker;

/// A pause without anybody's answer ends after this time.
pub const PAUSE_ENDS: Duration = Duration::from_secs(600);

/// What the user is told while Torres plays.
#[derive(Debug)]
pub enum Progress<'a> {
    /// The game moved on, or Torres does something else now.
    State(&'a Machine),
    /// A move is part of the game now.
    Played {
        /// The game with it.
        machine: &'a Machine,
        /// How many moves were made before it.
        ply: usize,
        /// What the engine thought of it, where it is ours.
        thought: Option<Thought>,
    },
    /// The engine thinks further, and expects this line (UCI).
    Thinking(&'a Machine, Thought, &'a [String]),
    /// The engine thinks further on the opponent's time, about the position after the move that it expects of them.
    Pondering(&'a Machine, Thought, &'a [String]),
    /// A frame was looked at; the tracker has followed the board up to it.
    Observation(&'a Observation, &'a Tracker),
    /// Our move, for the user to make.
    Advice(&'a Machine, Move, Option<Thought>),
    /// Something worth a line.
    Note(&'a str),
    /// All input is stopped.
    Paused {
        /// Why.
        reason: &'a PauseReason,
        /// The folder of what was seen, where something was left.
        evidence: Option<&'a Path>,
    },
    /// It goes on.
    Resumed,
}

/// How the driver came to its end.
#[derive(Debug)]
pub enum Ended {
    /// The game is over, or (`None`) as many plies are played as were asked for.
    Game(Option<End>),
    /// The board shows the beginning of another game.
    Abandoned,
    /// Paused, and nobody resumed.
    Paused(PauseReason),
    /// Stopped by the user or the emergency stop.
    Stopped(StopReason),
}

/// Everything the driver moves.
pub struct Driver<'a> {
    /// How the board looks and where it is.
    pub calibration: &'a Calibration,
    /// Who plays against us, as the user vouched.
    pub guard: Guard,
    /// Where the calibration's file is: while a game is paused, its user may show another place of the opponent's
    /// panel.
    pub file: PathBuf,
    /// The button of the next game, where the user has shown one by now.
    pub next_game: &'a mut Option<NextGame>,
    /// What the user has clicked for the piece that a pawn became, where the page's question is not read.
    pub choices: &'a mut Vec<PromotionChoice>,
    /// What sees the board.
    pub eye: Eye<'a>,
    /// The mouse; `None` where the user makes the moves.
    pub mouse: Option<Mouse>,
    /// Stops all input.
    pub stop: StopFlag,
    /// What reads the site's clocks.
    pub clocks: &'a mut SiteClocks,
    /// The engine's task.
    pub thinking: &'a mut Thinking,
    /// What decides.
    pub machine: Machine,
    /// Journal, evidence, and what the game's files are made from.
    pub log: Log,
    /// What the user says.
    pub commands: &'a mut Commands,
    /// Tells the user.
    pub tell: &'a mut (dyn FnMut(Progress<'_>) + Send),
}

/// What goes on besides the machine.
struct DriverState {
    thought: Option<Thought>,
    /// What is thought on the opponent's time, and the line expected (UCI): a thought of ours only after a hit.
    pondered: Option<(Thought, Vec<String>)>,
    paused: Option<(PauseReason, Timestamp)>,
    /// What was seen last, for evidence.
    last: Option<Observation>,
    /// The opponent panel, where the final check before a gesture saw it changed.
    panel: Option<Frame>,
    /// The last search everywhere for the dialog that a promotion awaits.
    searched: Option<Search>,
    /// Whether the look under way reads and searches what is not understood, which takes long.
    worked: bool,
    /// How long gestures took in it.
    acted: Duration,
    /// The board right before the first gesture at our move, if it rested then: nothing of ours is selected on it.
    untouched: Option<(Frame, BoardMap)>,
    /// A drag of ours of which no frame has shown yet what became of it.
    drop: Option<DragResult>,
    /// The board right before the end of the gesture that was made, as long as the page has drawn nothing since.
    undrawn: Option<Frame>,
    /// Whether the program gets to its events meanwhile.
    hanging: Hanging,
    /// Whether the page draws a piece that is held, as far as its last drags say.
    draws_held: Option<bool>,
    /// The window right before our pawn's last step: a dialog may lie beside the board.
    around: Option<Surroundings>,
    /// The drag of ours that the page has to answer before the pointer leaves the board.
    aside: Option<DragResult>,
    /// The square off which the pointer was taken, and the board as it was seen before.
    left: Option<(Square, Observation)>,
    /// The dialog in which the user is to choose a piece.
    asked: Option<Asked>,
    /// Something was not as it should be since the button of the next game was looked for everywhere.
    strange: bool,
    /// The button of the next game was seen at the last look for it.
    offered: bool,
    /// When the page beside the board was looked at while no move came.
    page_looked_at: Timestamp,
    /// The page right after our last move, and what is new on it.
    page_change: Option<PageChange>,
    /// Whether the user shows that button by now.
    shown_in_game: ShownInGame,
    /// What the user was told last that goes on.
    doing: &'static str,
    /// When to look next.
    timer: LookTimer,
}

impl Driver<'_> {
    /// Plays the game to its end. Returns how it ended, and what was kept of it.
    pub async fn play(mut self) -> (Ended, Machine, Log) {
        let window = self.eye.place().client();
        let shown_in_game = ShownInGame::new(self.file.clone(), self.eye.grab(window).ok());
        let mut state = DriverState {
            thought: None,
            pondered: None,
            paused: None,
            last: None,
            panel: None,
            untouched: None,
            searched: None,
            worked: false,
            acted: Duration::ZERO,
            drop: None,
            aside: None,
            undrawn: None,
            hanging: Hanging::default(),
            around: None,
            draws_held: None,
            left: None,
            asked: None,
            strange: false,
            offered: false,
            page_looked_at: Timestamp::default(),
            page_change: None,
            shown_in_game,
            doing: "",
            timer: self.eye.look_timer(),
        };
        let orders = self.machine.begin(Timestamp::now());
        let mut ended = self.obey(orders, &mut state);
        while ended.is_none() {
            ended = tokio::select! {
                // The user first.
                biased;
                reason = self.stop.tripped() => Some(Ended::Stopped(reason)),
                said = self.commands.next() => self.commanded(said, &mut state),
                news = self.thinking.next() => self.heard(news, &mut state),
                () = state.timer.next() => self.look(&mut state),
            };
            if let Some(reason) = self.stop.reason() {
                ended = Some(Ended::Stopped(reason));
            }
        }
        self.thinking.drop_question();
        let ended = ended.unwrap_or(Ended::Game(None));
        (ended, self.machine, self.log)
    }

    fn feed(&mut self, event: Event<'_>, at: Timestamp, state: &mut DriverState) -> Option<Ended> {
        let was_aiming = self.machine.aim().is_some();
        let orders = self.machine.on(event, at);
        if !was_aiming && self.machine.aim().is_some() {
            state.timer.hurry();
        }
        self.obey(orders, state)
    }

    /// Does what the machine orders; what comes of it may bring further orders.
    fn obey(&mut self, orders: Vec<Order>, state: &mut DriverState) -> Option<Ended> {
        for order in orders {
            let acts = matches!(order, Order::Perform(..) | Order::TakeAside);
            let begun = Instant::now();
            let ended = match order {
                Order::Think(go) | Order::Ponder(go) => {
                    (state.thought, state.pondered) = (None, None);
                    self.log.asked(&go);
                    self.thinking.ask(go);
                    (self.tell)(Progress::State(&self.machine));
                    None
                }
                Order::PonderHit(id) => {
                    self.thinking.ponder_hit(id);
                    (self.tell)(Progress::State(&self.machine));
                    if let Some((thought, pv)) = state.pondered.take() {
                        state.thought = Some(thought);
                        (self.tell)(Progress::Thinking(&self.machine, thought, &pv));
                    }
                    None
                }
                Order::StopThinking => {
                    self.thinking.drop_question();
                    None
                }
                Order::Perform(aim, poised) => {
                    self.tell_doing(state);
                    self.perform(aim, poised, state)
                }
                Order::TakeAside => self.take_aside_after_the_drop(state),
                Order::Tell(fact) => {
                    self.report(&fact, state);
                    None
                }
                Order::Pause(reason) => self.pause(reason, state),
                Order::Finish(end) => Some(Ended::Game(end)),
                Order::Abandon => {
                    self.log.abandoned(state.last.as_ref(), self.eye.tracker());
                    Some(Ended::Abandoned)
                }
            };
            if acts {
                state.acted += begun.elapsed();
            }
            if ended.is_some() {
                return ended;
            }
        }
        self.tell_doing(state);
        None
    }

    /// Tells what goes on, where that is something else than was told last.
    fn tell_doing(&mut self, state: &mut DriverState) {
        let doing = self.machine.doing();
        if std::mem::replace(&mut state.doing, doing) != doing {
            (self.tell)(Progress::State(&self.machine));
        }
    }

    /// Pauses, and ends where no command can come to go on.
    fn pause(&mut self, reason: PauseReason, state: &mut DriverState) -> Option<Ended> {
        if let (PauseReason::Opponent(_), Some(panel)) = (&reason, state.panel.take()) {
            self.log.guard_refused(&panel);
        }
        if reason.asks_for_piece() {
            state.asked = self.will_ask(state);
        }
        let evidence = self.log.paused(&reason, state.last.as_ref(), self.eye.tracker());
        (self.tell)(Progress::Paused {
            reason: &reason,
            evidence: evidence.as_deref(),
        });
        // Over the bot's name Torres clicks nothing the next time either.
        let is_remembered = matches!(
            reason,
            PauseReason::Promotion(_) | PauseReason::PromotionNotConfirmed(_)
        );
        if is_remembered && state.asked.is_some() {
            let note =
                "what is clicked for it is remembered, and clicked by itself where the page shows the same again";
            (self.tell)(Progress::Note(note));
        }
        state.paused = Some((reason.clone(), Timestamp::now()));
        (!self.commands.can_come()).then_some(Ended::Paused(reason))
    }

    fn report(&mut self, fact: &Fact, state: &mut DriverState) {
        let note = note(fact, || self.where_no_move_comes());
        match fact {
            Fact::Played { by, origin, played, .. } => {
                let own = *by == self.machine.own();
                if own
                    && let Some(asked) = state.asked.take()
                    && let Some(role) = played.promotion()
                {
                    self.remember_choice(role, &asked);
                }
                let thought = state.thought.filter(|_| own);
                self.report_played(fact, *origin, thought);
            }
            Fact::Pondered {
                id,
                expected,
                end,
                took,
            } => self.log.pondered(*id, *expected, *end, *took),
            Fact::TakenBack(plies) => self.log.taken_back(*plies, self.machine.game()),
            Fact::DrawClaimable(claim) => self.log.draw_claimable(*claim),
            Fact::EndUnderNotice | Fact::Learned(_) => note.iter().for_each(|note| self.log.learned(note)),
            Fact::Refused(aim, reason) => self.log.refused(aim, reason),
            Fact::Withdrawn(attempt) => self.log.withdrawn(attempt),
            Fact::NotLanded { made, next } => {
                state.strange = true;
                self.log
                    .not_landed((made, next), state.last.as_ref(), self.eye.tracker());
            }
            Fact::NoReply(_) | Fact::Turned | Fact::GivenUp(_) => {}
        }
        if let Some(note) = &note {
            (self.tell)(Progress::Note(note));
        }
        if matches!(fact, Fact::TakenBack(_)) {
            (self.tell)(Progress::State(&self.machine));
        }
    }

    /// What the user may do where no move of the opponent's comes.
    fn where_no_move_comes(&self) -> String {
        let landings = self.log.landings();
        let has_moved = landings.first_try + landings.after_retry > 0 || self.machine.game().plies() > 1;
        if !has_moved {
            // White's first move stands there at most, and that is not ours.
            let other = !self.machine.own();
            return format!("if you have {other} on this page, press q and say so with --color {other}");
        }
        let advice = match self.next_game {
            Some(_) => "",
            None => {
                "; show the button of the next game once (torres calibrate ... --new-game), and Torres sees an end by it"
            }
        };
        format!("if the game is over, press q{advice}")
    }

    fn report_played(&mut self, fact: &Fact, origin: Origin, thought: Option<Thought>) {
        let ply = self.log.plies().len();
        let before = self.machine.game().position_before(ply);
        self.log.played(fact, &before, &self.machine);
        if origin == Origin::NotOurs {
            (self.tell)(Progress::Note(
                "our side made a move that Torres did not order; taken as played",
            ));
        }
        (self.tell)(Progress::Played {
            machine: &self.machine,
            ply,
            thought,
        });
    }

    fn heard(&mut self, news: Option<News>, state: &mut DriverState) -> Option<Ended> {
        let now = Timestamp::now();
        match news {
            Some(News::Event(ThinkEvent::Info(info))) => {
                // From our view either way: a search on the opponent's time is about the position after their move.
                let thought = Thought {
                    score: for_white(info.score, self.machine.own()),
                    depth: info.depth,
                };
                if *self.machine.phase() == (Phase::Thinking { id: info.id }) {
                    state.thought = Some(thought);
                    (self.tell)(Progress::Thinking(&self.machine, thought, &info.pv));
                    self.log.reported(info);
                } else if self.machine.pondering().is_some_and(|it| it.id == info.id) {
                    (self.tell)(Progress::Pondering(&self.machine, thought, &info.pv));
                    state.pondered = Some((thought, info.pv.clone()));
                    self.log.reported(info);
                }
                None
            }
            Some(News::Event(ThinkEvent::Restarted(why))) => {
                let pondering = self.machine.pondering().is_some();
                self.log.engine_restarted(&why, pondering);
                (self.tell)(Progress::Note(&match pondering {
                    true => format!("the engine was replaced while it pondered: {why}"),
                    false => format!("the engine was replaced and asked again: {why}"),
                }));
                None
            }
            Some(News::Answer(best)) => {
                let of_use = *self.machine.phase() == (Phase::Thinking { id: best.id });
                let dropped = (!of_use).then_some("nobody waits for it any more");
                self.log.answered(&best, state.thought.filter(|_| of_use), dropped);
                self.feed(Event::Answered(&best), now, state)
            }
            Some(News::Failed(error)) => self.feed(Event::EngineFailed(error.to_string()), now, state),
            None => self.feed(Event::EngineFailed("its task ended".to_owned()), now, state),
        }
    }

    /// Obeys the user. Input stays halted until this returns.
    fn commanded(&mut self, said: Option<Said>, state: &mut DriverState) -> Option<Ended> {
        let now = Timestamp::now();
        let paused = state.paused.is_some();
        match said.as_ref().map(|said| said.command) {
            Some(Command::PauseOrResume | Command::Resume) if paused => {
                if let Some((PauseReason::Opponent(_), _)) = state.paused.take() {
                    self.shown_anew();
                    self.guard.game_goes_on();
                }
                self.eye.refresh();
                state.timer.hurry();
                self.log.resumed();
                (self.tell)(Progress::Resumed);
                self.feed(Event::Resumed, now, state)
            }
            Some(Command::PauseOrResume | Command::Pause) => self.feed(Event::PauseWanted, now, state),
            Some(Command::Resume) => None,
            // Whoever could have answered is gone.
            None => state.paused.clone().map(|(reason, _)| Ended::Paused(reason)),
        }
    }
}

impl Driver<'_> {
    /// The user may have shown another place where the page names the same opponent.
    fn shown_anew(&mut self) {
        let shown = Calibration::load(&self.file).ok().and_then(|now| now.opponent);
        if let Some(opponent) = shown
            && self.guard.shown_anew(&opponent, self.calibration)
        {
            self.log.vouched(&opponent);
        }
    }
}

/// A score from the mover's view as White sees it.
fn for_white(score: Score, mover: Color) -> Score {
    match (score, mover) {
        (score, Color::White) => score,
        (Score::Cp(cp), Color::Black) => Score::Cp(-cp),
        (Score::Mate(moves), Color::Black) => Score::Mate(-moves),
    }
}

/// What the user reads of a fact, if anything; `where_no_move_comes` says what they may do then.
fn note(fact: &Fact, where_no_move_comes: impl FnOnce() -> String) -> Option<Cow<'static, str>> {
    Some(match fact {
        Fact::TakenBack(_) => "moves were taken back on the board; going on from there".into(),
        Fact::DrawClaimable(claim) => {
            format!("a draw may be claimed, by {claim}; playing on while the board lets it").into()
        }
        Fact::NoReply(seconds) => format!("no move has come for {seconds} s: {}", where_no_move_comes()).into(),
        Fact::EndUnderNotice => {
            "our move ends the game by the rules, and a notice or a shade lies over the board: it is taken as made"
                .into()
        }
        Fact::Turned => "the board was turned round; going on from its other side".into(),
        Fact::Withdrawn(_) => "the board moved during the gesture; the piece was put back".into(),
        Fact::GivenUp(_) => {
            "the piece does not follow the pointer: the drag was given up on its square, and its target is clicked"
                .into()
        }
        Fact::NotLanded { made, next } => {
            format!("{} did not land; once more by {}", describe(made), next.manner.name()).into()
        }
        Fact::Learned(habit) => habit.to_string().into(),
        Fact::Played { .. } | Fact::Pondered { .. } | Fact::Refused(..) => return None,
    })
}
