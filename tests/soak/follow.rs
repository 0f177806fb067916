//! One game of a player that nobody disturbs, watched in its journal and in the page's log until it is over.

use crate::logs::{Believed, Journal, SiteGame};
use std::thread::sleep;
use std::time::{Duration, Instant};
use torres_test_support::play::Run;

/// A game in which nothing happens for so long is hung.
const HUNG: Duration = Duration::from_secs(60);
/// What a pause leaves behind is written within this time.
const EVIDENCE_WITHIN: Duration = Duration::from_secs(2);
/// The page's log has the end of a game within this time.
const LOGGED_WITHIN: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A game that is over, or in which nothing goes on.
pub struct Followed {
    /// By the page.
    pub game: SiteGame,
    /// By the player.
    pub believed: Believed,
    pub seconds: f64,
    /// Why it did not come to its end.
    pub problem: Option<String>,
}

/// Follows a game; `of_page` reads it as the page's log has it now.
pub fn follow(play: &mut Run, journal: &mut Journal, mut of_page: impl FnMut() -> SiteGame) -> Followed {
    let began = Instant::now();
    let mut believed = Believed::default();
    let (mut plies, mut since, mut ended) = (0, Instant::now(), None);
    let problem = loop {
        let game = of_page();
        journal.read(&mut believed);
        if game.moves.len() != plies {
            (plies, since) = (game.moves.len(), Instant::now());
        }
        // The player may see a mate before the page's log has it.
        if let Some(result) = &believed.result
            && (game.result.is_some() || ended.get_or_insert_with(Instant::now).elapsed() > LOGGED_WITHIN)
        {
            break wrong_end(result, &believed.termination, &game);
        }
        if let Some(reason) = &believed.paused {
            sleep(EVIDENCE_WITHIN);
            break Some(format!("paused: {reason}"));
        }
        if play.has_ended() {
            let said = play.said();
            break Some(format!("the player ended: {}", said.lines().last().unwrap_or_default()));
        }
        if since.elapsed() > HUNG {
            break Some(format!("hung: nothing was played for {HUNG:?}"));
        }
        sleep(LOOK_EVERY);
    };
    Followed {
        game: of_page(),
        believed,
        seconds: began.elapsed().as_secs_f64(),
        problem,
    }
}

/// What Torres says of the end, where the page says otherwise. An end may be taken from the page, without its score: a
/// notice may hide the last move.
fn wrong_end(result: &str, termination: &str, game: &SiteGame) -> Option<String> {
    let told = game.result.as_deref().unwrap_or("nothing");
    let fits = told.split(' ').next() == Some(result) || (result == "*" && game.result.is_some());
    (!fits).then(|| format!("{told} on the page, {result} ({termination}) by Torres"))
}
