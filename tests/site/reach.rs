//! Others than this machine's own browsers come to the site: only where that was asked for, with TLS, and not to the
//! instrument.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Output, Stdio};
use torres_test_support::people::Browser;
use torres_test_support::site::SiteProcess;
use torres_test_support::torres;

/// A certificate for this machine, and its key, in files.
struct Certified {
    dir: tempfile::TempDir,
    certificate: String,
}

impl Certified {
    fn new() -> Certified {
        let dir = tempfile::tempdir().unwrap();
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let certificate = made.cert.pem();
        std::fs::write(dir.path().join("cert.pem"), &certificate).unwrap();
        std::fs::write(dir.path().join("key.pem"), made.signing_key.serialize_pem()).unwrap();
        Certified { dir, certificate }
    }

    fn path(&self, name: &str) -> String {
        let path: PathBuf = self.dir.path().join(name);
        path.to_str().unwrap().to_owned()
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

fn get(path: &str, host: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
}

#[tokio::test]
async fn others_play_over_tls_and_do_not_reach_the_instrument() {
    let certified = Certified::new();
    let (certificate, key) = (certified.path("cert.pem"), certified.path("key.pem"));
    let args = ["--listen", "127.0.0.1:0", "--tls-cert", &certificate, "--tls-key", &key];
    let site = SiteProcess::start("", &args);
    let port = site.port_for_others();
    assert_eq!(site.for_others, Some(format!("https://127.0.0.1:{port}/")));

    let mut ann = Browser::new(site.port);
    let mut bo = Browser::with_tls(port, &certified.certificate);
    let page = bo.ask(&get("/people", &bo.host)).await;
    assert!(status(&page) == "200" && page.contains("Play a person"), "{page}");
    let game = bo
        .make(json!({"name": "Bo", "color": "black", "clock": {"initial_ms": 60_000, "increment_ms": 0}}))
        .await;
    let page = bo.ask(&get(&format!("/game/{game}"), &bo.host)).await;
    let cookie = page.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.ends_with("HttpOnly; SameSite=Lax; Secure"), "{cookie}");
    let mut black = bo.enter(&game, "Bo").await.unwrap();
    let mut white = ann.enter(&game, "Ann").await.unwrap();
    assert_eq!(white.ask(json!({"type": "join"})).await.unwrap()["type"], "ack");
    for (ply, uci) in ["f2f3", "e7e5", "g2g4", "d8h4"].into_iter().enumerate() {
        let (mover, other) = if ply % 2 == 0 {
            (&mut white, &mut black)
        } else {
            (&mut black, &mut white)
        };
        mover.until(|shown| shown.is_own_turn()).await.unwrap();
        assert_eq!(mover.play(uci).await.unwrap()["type"], "ack");
        other.until(|shown| shown.moves.len() == ply + 1).await.unwrap();
    }
    white
        .until(|shown| shown.now["end"]["reason"] == "checkmate")
        .await
        .unwrap();

    // The table, its log and its socket are this machine's own.
    let front = bo.ask(&get("/", &bo.host)).await;
    assert!(
        status(&front) == "307" && front.contains("location: /people\r\n"),
        "{front}"
    );
    for own in ["/ws", "/log"] {
        assert_eq!(status(&bo.ask(&get(own, &bo.host)).await), "404", "{own}");
        assert_ne!(status(&ann.ask(&get(own, &ann.host)).await), "404", "{own}");
    }
    // Nobody's page but the site's own asks for anything, and nothing is said in clear text.
    for origin in [
        format!("http://127.0.0.1:{port}"),
        ann.origin(),
        "https://evil.example".into(),
        "null".into(),
    ] {
        assert_eq!(bo.post_from(&origin, "/people/games", "{}").await.0, 403, "{origin}");
    }
    let clear = Browser::new(port).ask(&get("/people", &bo.host)).await;
    assert!(!clear.contains("Play a person"), "{clear}");
}

#[tokio::test]
async fn in_clear_text_the_site_answers_to_its_numbers_and_names() {
    let args = ["--listen", "127.0.0.1:0", "--host", "club.example"];
    let site = SiteProcess::start("", &args);
    let browser = Browser::new(site.port_for_others());
    for host in [browser.host.as_str(), "club.example", "192.0.2.7:8443", "localhost"] {
        assert_eq!(status(&browser.ask(&get("/people", host)).await), "200", "{host}");
    }
    let page = browser.ask(&get("/account", &browser.host)).await;
    assert!(page.contains("set-cookie: ") && !page.contains("Secure"), "{page}");
    assert_eq!(status(&browser.ask(&get("/people", "evil.example")).await), "403");
    // Whoever watches over it asks by either door.
    for (door, host) in [
        (&browser, "192.0.2.7:8443"),
        (&Browser::new(site.port), site.host().as_str()),
    ] {
        let health = door.ask(&get("/health", host)).await;
        assert!(
            status(&health) == "200" && health.contains(r#"{"status":"ok","version":""#),
            "{health}"
        );
    }
    // This machine's own door knows one name, whatever others use.
    let own = Browser::new(site.port);
    assert_eq!(status(&own.ask(&get("/people", "club.example")).await), "403");
}

/// What becomes of a site that is started so, with nobody at a terminal.
fn ended(args: &[&str]) -> Output {
    let mut command = torres(&["site", "--port", "0", "--data", ":memory:"]);
    command.args(args).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn nobody_else_gets_in_unless_somebody_says_so() {
    let certified = Certified::new();
    let other = Certified::new();
    let (certificate, key) = (certified.path("cert.pem"), certified.path("key.pem"));
    let refused = |args: &[&str], why: &str| {
        let ended = ended(args);
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.code() == Some(2) && said.contains(why), "{args:?}: {said}");
        assert!(ended.stdout.is_empty());
    };
    refused(&["--listen", "0.0.0.0:0"], "Nothing is encrypted");
    refused(&["--listen", "0.0.0.0:0"], "--yes");
    refused(&["--listen", "club.example"], "--listen");
    refused(&["--yes"], "--listen");
    refused(&["--tls-cert", &certificate, "--tls-key", &key], "--listen");
    let with = |chain: &str, key: &str, why: &str| {
        refused(&["--listen", "127.0.0.1:0", "--tls-cert", chain, "--tls-key", key], why);
    };
    with(&certificate, "nowhere", "nowhere");
    with(&key, &key, "cannot");
    with(&certificate, &other.path("key.pem"), "the certificate and its key");
}

#[tokio::test]
async fn a_word_lets_everybody_in() {
    let site = SiteProcess::start("", &["--listen", "0.0.0.0:0", "--yes"]);
    let mut others = Browser::new(site.port_for_others());
    others.make(json!({"color": "white"})).await;
}

#[tokio::test]
async fn what_the_server_does_is_told_in_lines_of_json_without_secrets() {
    let mut command = torres(&["site", "--port", "0", "--data", ":memory:", "--stderr", "json"]);
    command
        .env("TORRES_LOG", "debug")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut url = String::new();
    stdout.read_line(&mut url).unwrap();
    let port = url
        .trim()
        .trim_end_matches('/')
        .rsplit(':')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let mut ann = Browser::new(port);
    let secret = json!({"name": "Ann", "password": "correct horse"});
    assert_eq!(ann.post("/account/sign-up", &secret).await.0, 200);
    ann.get("/account").await;
    child.kill().unwrap();
    let told = child.wait_with_output().unwrap().stderr;
    let told = String::from_utf8(told).unwrap();
    let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (method, path) in [("POST", "/account/sign-up"), ("GET", "/account")] {
        let is_told = |line: &&Value| line["fields"]["path"] == path && line["fields"]["method"] == method;
        let line = lines
            .iter()
            .find(is_told)
            .unwrap_or_else(|| panic!("{path} is not told: {told}"));
        assert_eq!(line["fields"]["status"], 200, "{line}");
        assert!(line["level"].is_string() && line["timestamp"].is_string(), "{line}");
    }
    let cookie = ann.cookie.unwrap();
    for secret in cookie
        .split(['=', ';'])
        .filter(|part| part.len() > 20)
        .chain(["correct horse"])
    {
        assert!(!told.contains(secret), "{secret} is told: {told}");
    }
}
