//! `torres site`.

mod settings;

pub(crate) use self::settings::{Args, BotArgs, DEFAULT_DELAY_MS, LogForm, delay_ms};

use self::settings::Settings;
use super::{CliError, CliResult, Exit, own_program, stop_signal};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use torres_link::Launch;
use torres_link::policy::Policy;
use torres_link::process::EngineCommand;
use torres_link::supervisor::Supervisor;
use torres_link::uci::UciCommand;
use torres_people::computers::{Computers, Mind};
use torres_people::open_hall;
use torres_site::Site;
use torres_site::opponents::{EngineBot, Engines};
use tracing::level_filters::LevelFilter;

/// The levels' searches are small.
const ENGINE_HASH_MIB: u32 = 16;
/// A foreign engine may answer no ping while it thinks, and be late on a busy machine: neither ends a game.
const PATIENCE: Policy = Policy {
    ping_every: Duration::from_millis(250),
    patience: 40,
    grace: Duration::from_secs(1),
    after_stop: Duration::from_secs(5),
    failures: 3,
};
/// Serve the practice site.
pub(crate) fn run(args: Args) -> CliResult {
    let Settings { config, stderr } = args.check()?;
    tell_what_happens(stderr, config.reach.is_some());
    #[cfg(unix)]
    open_as_many_files_as_may_be();
    let command = EngineCommand {
        hash_mib: ENGINE_HASH_MIB,
        ..EngineCommand::of(own_program()?)
    };
    let engine = Supervisor::new(command.clone());
    let engines = config.engines.clone();
    let computers = Computers::new(config.seed, &config.engines, move |mind| {
        thinker(&command, &engines, mind)
    });
    super::runtime()?.block_on(async {
        let stop = stop_signal()?;
        for bot in config.engines.iter() {
            starts(bot).await?;
        }
        let site = Site::bind(config, engine, |bot| {
            Supervisor::new(bot.command.clone()).with_policy(PATIENCE)
        })
        .await
        .map_err(CliError::usage)?;
        let hall = open_hall(site.store().clone(), computers).await;
        let hall = hall.map_err(CliError::failed)?;
        let people = torres_people::router(Arc::clone(&hall), site.url_for_others());
        let site = site.with(people);
        let stop = async move {
            stop.await;
            tracing::info!("the site stops");
            hall.close().await;
        };
        // One line, at once: whoever started us reads the address from it. A second is for others.
        let mut out = std::io::stdout();
        let lines = [Some(site.url()), site.url_for_others()];
        let lines = lines.into_iter().flatten().map(|url| format!("{url}\n"));
        out.write_all(lines.collect::<String>().as_bytes())
            .and_then(|()| out.flush())
            .map_err(|e| CliError::failed(format!("cannot print the site's address: {e}")))?;
        tracing::info!(
            url = site.url(),
            for_others = site.url_for_others(),
            "the site is served"
        );
        site.run(stop).await;
        tracing::info!("the site has stopped");
        Ok(Exit::Done)
    })
}

/// Tells on standard error what the server does: what goes wrong, and a little more where others come.
fn tell_what_happens(form: LogForm, others_come: bool) {
    let usual = match others_come {
        true => LevelFilter::INFO,
        false => LevelFilter::WARN,
    };
    let asked = std::env::var("TORRES_LOG").ok().and_then(|level| level.parse().ok());
    let told = tracing_subscriber::fmt()
        .with_max_level(asked.unwrap_or(usual))
        .with_writer(std::io::stderr);
    // Somebody else tells it where this fails: there is one who does in a process.
    let _ = match form {
        LogForm::Text => told.with_ansi(false).try_init(),
        LogForm::Json => told.json().try_init(),
    };
}

/// Each connection is an open file, and systems let a program have more than they give it.
#[cfg(unix)]
fn open_as_many_files_as_may_be() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::debug!("the number of open files stays as it is: {error}");
    }
}

/// The engine behind a computer's seat, not started yet.
fn thinker(own: &EngineCommand, engines: &Engines, mind: Mind) -> Supervisor {
    match mind {
        Mind::Levels | Mind::Analyses => Supervisor::new(own.clone()),
        Mind::Engine(index) => match engines.iter().nth(index) {
            Some(bot) => Supervisor::new(bot.command.clone()).with_policy(PATIENCE),
            // There is none: a mind is made of this list.
            None => Supervisor::new(own.clone()),
        },
        Mind::Character(id) => Supervisor::new(UciCommand {
            program: own.program.to_string_lossy().into_owned(),
            arguments: vec!["uci".into()],
            threads: Some(1),
            hash_mib: Some(own.hash_mib),
            ponder: false,
            options: vec![("Character".into(), id.into())],
        })
        .with_policy(PATIENCE),
    }
}

/// An engine that does not start, or lacks an option, is better known before the first game.
async fn starts(bot: &EngineBot) -> Result<(), CliError> {
    let started = bot.command.clone().launch().await;
    started
        .map(drop)
        .map_err(|why| CliError::usage(format!("the bot {}: {why}", bot.name)))
}
