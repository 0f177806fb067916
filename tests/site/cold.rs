//! How long a game's page takes to be ready, from a server that has just been started, in a browser that has never been
//! there.
#![cfg(target_os = "linux")]

use serde_json::json;
use torres::desktop::{Browser, BrowserOptions};
use torres_test_support::desktop::{Devtools, on_display};
use torres_test_support::people;
use torres_test_support::site::SiteProcess;
use torres_test_support::wait_for;

const ROUNDS: usize = 20;

/// Writes down when the pieces stand and the server has said whose they are: from then on they can be moved.
const WATCH: &str = "
    const look = () => {
        const pieces = document.querySelectorAll('cg-board piece').length;
        const said = document.getElementById('bot-name')?.textContent || document.querySelector('#lower-name:not(:empty)');
        if (pieces === 32 && said) window.readyAt ??= performance.now();
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });";

#[test]
#[ignore = "a measurement: make cold"]
fn a_cold_game_page() {
    on_display("cold::a_cold_game_page", |display| {
        let elsewhere = SiteProcess::start("", &[]);
        let window = BrowserOptions {
            position: (0, 0),
            size: (1000, 700),
            scale: 1.0,
            devtools: true,
        };
        let browser = Browser::open(display, &format!("http://{}/learn", elsewhere.host()), window).unwrap();
        let mut page = Devtools::of(&browser);
        page.run_in_each_document(WATCH);
        for what in ["the bot's game at /", "a game of two people"] {
            let mut taken: Vec<f64> = Vec::new();
            for _ in 0..ROUNDS {
                let site = SiteProcess::start("", &[]);
                let path = match what {
                    "the bot's game at /" => "/".to_owned(),
                    _ => {
                        let runtime = tokio::runtime::Runtime::new().unwrap();
                        let game = runtime.block_on(people::Browser::new(site.port).make(json!({"color": "black"})));
                        format!("/game/{game}")
                    }
                };
                let url = format!("http://{}{path}", site.host());
                page.go_to(&url);
                // From the navigation's start, by the browser's own clock.
                let ready = wait_for("a page that is ready", || {
                    let ready = page.ask(&format!("location.href === {url:?} ? window.readyAt : null"))?;
                    ready.as_f64()
                });
                taken.push(ready);
            }
            taken.sort_by(f64::total_cmp);
            println!(
                "{what}: ready to move after {:.0} ms (median of {ROUNDS}), {:.0} ms (longest)",
                taken[ROUNDS / 2],
                taken[ROUNDS - 1]
            );
        }
    });
}
