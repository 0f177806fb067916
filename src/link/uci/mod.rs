//! Any UCI engine as if it were ours: the link's words translated to UCI on its standard input and output, and back.
//!
//! UCI is Stefan Meyer-Kahlen's and Rudolf Huber's protocol,
//! <https://www.shredderchess.com/chess-features/uci-universal-chess-interface.html>. What an engine says beyond what
//! is asked is ignored, as that page demands.

mod fuzz_tests;
pub mod presets;
mod program;
mod translator;

use super::client::EngineClient;
use super::framing::{Line, LineDecoder};
use super::group::EngineGroup;
use super::messages::{FromEngine, ToEngine};
use super::{Fault, Launch};
use futures_util::future::BoxFuture;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc;
use tokio::time::timeout;
use translator::{Introduction, Translator};

/// How long an engine may take to say `uciok` and `readyok`; some load a large network first.
const START: Duration = Duration::from_secs(20);

/// The option of an engine that can think on the opponent's time.
const PONDER: &str = "Ponder";

/// How to start a UCI engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciCommand {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The option `Threads`, where the engine has it; the nearest number that it takes.
    pub threads: Option<u16>,
    /// The option `Hash`, in MiB, likewise.
    pub hash_mib: Option<u32>,
    /// Sets the option `Ponder`: the engine will be asked to think on the opponent's time too, where it has the option.
    pub ponder: bool,
    /// Other options by name, set once at the start; an engine that lacks one is refused.
    pub options: Vec<(String, String)>,
}

impl FromStr for UciCommand {
    type Err = String;
    /// A command line with a shell's quotes: `'/opt/my engine' --uci`.
    fn from_str(line: &str) -> Result<UciCommand, String> {
        let words = shlex::split(line).ok_or_else(|| format!("the command '{line}' has an open quote; close it"))?;
        let mut words = words.into_iter();
        // A pair of quotes with nothing in it is a word, too.
        let program = words.next().filter(|word| !word.trim().is_empty());
        let program = program.ok_or("the engine's command is empty; name a program")?;
        Ok(UciCommand {
            program,
            arguments: words.collect(),
            threads: None,
            hash_mib: None,
            ponder: false,
            options: Vec::new(),
        })
    }
}

impl UciCommand {
    /// Where the program is: as a shell finds it, and among the games, which Debian keeps in a folder that not every
    /// user searches.
    ///
    /// # Errors
    /// There is no such program; with what to do.
    pub fn find(&self) -> Result<PathBuf, String> {
        program::find(&self.program).ok_or_else(|| {
            format!(
                "there is no program '{}'; name an engine's command, or install the engine",
                self.program
            )
        })
    }
}

impl UciCommand {
    /// Starts the engine to see that it does, and that it takes these very threads and table.
    ///
    /// # Errors
    /// It does not start, lacks an option, or one of its options does not take the value; with what it takes.
    pub async fn tried(&self) -> Result<(), String> {
        let (_client, introduction) = self.start().await?;
        let takes = |(option, value): (&str, Option<u32>)| match value {
            Some(value) => introduction.takes(option, &value.to_string()),
            None => Ok(()),
        };
        let wrong = self.numbers().into_iter().map(takes).find_map(Result::err);
        wrong.map_or(Ok(()), |wrong| Err(format!("'{}': {wrong}", self.program)))
    }

    fn numbers(&self) -> [(&'static str, Option<u32>); 2] {
        [("Threads", self.threads.map(u32::from)), ("Hash", self.hash_mib)]
    }

    async fn start(&self) -> Result<(EngineClient, Introduction), String> {
        let (group, stdin, stdout) = EngineGroup::spawn(Command::new(&self.program).args(&self.arguments))?;
        let mut pipes = Pipes {
            stdin,
            stdout,
            decoder: LineDecoder::default(),
            lines: VecDeque::new(),
        };
        match timeout(START, pipes.shake_hands(self)).await {
            Ok(Ok((introduction, translator))) => {
                let can_ponder = self.ponder && introduction.offers(PONDER);
                let name = introduction.name.as_ref().unwrap_or(&self.program).clone();
                let carry = |outbox, inbox| pipes.carry(translator, outbox, inbox);
                let client = EngineClient::translated(name, group, carry).pondering(can_ponder);
                Ok((client, introduction))
            }
            Ok(Err(Fault::Gone)) => Err(format!(
                "'{}' is no UCI engine that starts: {}",
                self.program,
                group.post_mortem().await
            )),
            Ok(Err(fault)) => Err(format!(
                "'{}': {fault}; see that it is a UCI engine that has the options set",
                self.program
            )),
            Err(_) => Err(format!(
                "'{}' did not say uciok and readyok within {START:?}; see that it is a UCI engine",
                self.program
            )),
        }
    }
}

impl Launch for UciCommand {
    fn launch(&mut self) -> BoxFuture<'_, Result<EngineClient, String>> {
        Box::pin(async move { Ok(self.start().await?.0) })
    }
}

struct Pipes {
    stdin: ChildStdin,
    stdout: ChildStdout,
    decoder: LineDecoder,
    /// Read and not yet taken.
    lines: VecDeque<Line>,
}

impl Pipes {
    async fn say(&mut self, line: &str) -> Result<(), Fault> {
        self.stdin
            .write_all(format!("{line}\n").as_bytes())
            .await
            .map_err(|_| Fault::Gone)
    }

    /// The next line. Cancel-safe.
    async fn hear(&mut self) -> Result<String, Fault> {
        loop {
            match self.lines.pop_front() {
                Some(Line::Whole(bytes)) => return Ok(String::from_utf8_lossy(&bytes).trim().to_string()),
                Some(Line::TooLong) => return Err(Fault::Babble("it sent an endless line".to_string())),
                None => {}
            }
            let mut chunk = [0; 4096];
            match self.stdout.read(&mut chunk).await {
                Ok(bytes) if bytes > 0 => self.lines.extend(self.decoder.feed(&chunk[..bytes])),
                _ => return Err(Fault::Gone),
            }
        }
    }

    async fn shake_hands(&mut self, command: &UciCommand) -> Result<(Introduction, Translator), Fault> {
        let mut introduction = Introduction::default();
        self.say("uci").await?;
        while !introduction.hear(&self.hear().await?) {}
        let offers = |option: &str| introduction.offers(option);
        for (option, value) in command.numbers() {
            if let Some(value) = value.filter(|_| offers(option)) {
                let value = introduction.nearest(option, value.into());
                self.say(&format!("setoption name {option} value {value}")).await?;
            }
        }
        if command.ponder && offers(PONDER) {
            self.say(&format!("setoption name {PONDER} value true")).await?;
        }
        for (option, value) in &command.options {
            if !offers(option) {
                return Err(Fault::Babble(format!("it has no option '{option}'")));
            }
            introduction.takes(option, value).map_err(Fault::Babble)?;
            self.say(&format!("setoption name {option} value {value}")).await?;
        }
        self.say("isready").await?;
        while self.hear().await? != "readyok" {}
        let limits_strength = offers("UCI_LimitStrength") && offers("UCI_Elo");
        Ok((introduction, Translator::new(limits_strength)))
    }

    /// Translates in both directions until one side is gone.
    async fn carry(
        mut self,
        mut translator: Translator,
        mut outbox: mpsc::UnboundedReceiver<ToEngine>,
        inbox: mpsc::Sender<Result<FromEngine, Fault>>,
    ) {
        loop {
            let replies = tokio::select! {
                message = outbox.recv() => match message.map(|message| translator.say(message)) {
                    Some(Ok(lines)) => {
                        for line in lines {
                            if self.say(&line).await.is_err() {
                                return;
                            }
                        }
                        None
                    }
                    Some(Err(reply)) => Some(Ok(reply)),
                    None => return,
                },
                line = self.hear() => match line {
                    Ok(line) => translator.hear(&line),
                    Err(Fault::Gone) => return,
                    Err(babble) => Some(Err(babble)),
                },
            };
            if let Some(reply) = replies
                && inbox.send(reply).await.is_err()
            {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_as_a_shell_would() {
        let command: UciCommand = "'/opt/my engine' --book \"a b\" x".parse().unwrap();
        assert_eq!(command.program, "/opt/my engine");
        assert_eq!(command.arguments, ["--book", "a b", "x"]);
        assert!("".parse::<UciCommand>().is_err());
        assert!("'open".parse::<UciCommand>().is_err());
    }
}
