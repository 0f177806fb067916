//! What the user says while Torres plays, from the terminal's keys and the watch page's buttons.
//!
//! Input halts in the moment in which the user speaks, whatever the driver is at; what becomes of the game is then the
//! driver's.

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use torres_mouse::{Pause, StopFlag, StopReason};

/// What the user can say of the game. To end it all trips the stop flag and is no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Pause, or go on after a fresh look.
    PauseOrResume,
    /// Pause, if it is not paused.
    Pause,
    /// Go on after a fresh look, if it is paused.
    Resume,
}

/// A command, and the halt of all input until it is obeyed.
#[derive(Debug)]
pub struct Said {
    /// What was said.
    pub command: Command,
    _halt: Pause,
}

/// Passes on what the user says; clones speak to the same driver.
#[derive(Clone, Debug)]
pub struct Remote {
    stop: StopFlag,
    said: UnboundedSender<Said>,
}

impl Remote {
    /// The user says this: input halts now, and until the command is obeyed.
    pub fn say(&self, command: Command) {
        let said = Said {
            command,
            _halt: self.stop.pause(),
        };
        // Where nobody obeys any more, there is nothing left to halt.
        let _ = self.said.send(said);
    }

    /// The user ends it all.
    pub fn quit(&self) {
        self.stop(StopReason::User);
    }

    /// It all ends for this reason.
    pub fn stop(&self, reason: StopReason) {
        self.stop.trip(reason);
    }

    /// Whether nobody obeys any more.
    pub fn is_closed(&self) -> bool {
        self.said.is_closed()
    }
}

/// What the user says, in order.
#[derive(Debug)]
pub struct Commands {
    said: Option<UnboundedReceiver<Said>>,
}

impl Commands {
    /// Commands, and who passes them on. What ends it all trips this flag.
    pub fn new(stop: &StopFlag) -> (Remote, Commands) {
        let (tell, said) = unbounded_channel();
        let remote = Remote {
            stop: stop.clone(),
            said: tell,
        };
        (remote, Commands { said: Some(said) })
    }

    /// Nobody can say anything.
    pub fn none() -> Commands {
        Commands { said: None }
    }

    /// Whether somebody can say something.
    pub(crate) fn can_come(&self) -> bool {
        self.said.is_some()
    }

    /// What the user says next; `None` once, when whoever could say something is gone, and nothing ever after that.
    pub async fn next(&mut self) -> Option<Said> {
        match &mut self.said {
            Some(said) => {
                let next = said.recv().await;
                if next.is_none() {
                    self.said = None;
                }
                next
            }
            None => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use torres_mouse::Halt;

    #[test]
    fn input_halts_when_the_user_speaks_and_until_the_command_is_obeyed() {
        let stop = StopFlag::new();
        let (remote, mut commands) = Commands::new(&stop);
        remote.say(Command::Pause);
        assert_eq!(stop.halt(), Some(Halt::Paused));
        let said = commands.next().now_or_never().flatten().unwrap();
        assert_eq!((said.command, stop.halt()), (Command::Pause, Some(Halt::Paused)));
        drop(said);
        assert_eq!(stop.halt(), None);
        remote.stop(StopReason::User);
        assert_eq!(stop.halt(), Some(Halt::Stopped(StopReason::User)));
    }

    #[test]
    fn what_nobody_hears_halts_nothing() {
        let stop = StopFlag::new();
        let (remote, commands) = Commands::new(&stop);
        remote.say(Command::Pause);
        drop(commands);
        assert_eq!(stop.halt(), None);
        remote.say(Command::Pause);
        assert_eq!((remote.is_closed(), stop.halt()), (true, None));
    }

    #[test]
    fn whoever_is_gone_is_told_once() {
        let (remote, mut commands) = Commands::new(&StopFlag::new());
        drop(remote);
        assert!(matches!(commands.next().now_or_never(), Some(None)));
        assert!(!commands.can_come() && commands.next().now_or_never().is_none());
    }
}
