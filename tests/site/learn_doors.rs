//! The doors of the pages of learning, without a browser: who is let in, what is refused, whose progress it is.

use torres_test_support::site::SiteProcess;

const JSON: &str = "Content-Type: application/json\r\n";
const STEP: &str = "/learn/board/1";
const RIGHT: &str = r#"{"type":"click","square":"e4"}"#;

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

fn own(site: &SiteProcess) -> String {
    format!("http://{}", site.host())
}

/// The cookie that an answer sets, as a browser sends it back.
fn cookie(answer: &str) -> String {
    let set = answer.split("set-cookie: ").nth(1).expect("a cookie is set");
    let (pair, rest) = set.split_once("; ").unwrap();
    assert!(
        rest.starts_with("Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"),
        "{rest}"
    );
    format!("Cookie: {pair}\r\n")
}

#[tokio::test]
async fn only_the_sites_own_pages_may_tell_what_a_learner_did() {
    let site = SiteProcess::start("", &[]);
    for origin in ["null", "http://evil.example", "http://127.0.0.1:1", ""] {
        assert_eq!(status(&site.post(STEP, origin, JSON, RIGHT).await), "403", "{origin}");
    }
    let own = own(&site);
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    assert_eq!(status(&site.post(STEP, &own, form, RIGHT).await), "415");
    for nonsense in [
        "",
        "{}",
        "[1]",
        r#"{"type":"fly"}"#,
        r#"{"type":"hint","more":1}"#,
        "\u{0}",
    ] {
        assert_eq!(
            status(&site.post(STEP, &own, JSON, nonsense).await),
            "400",
            "{nonsense}"
        );
    }
    let long = format!(r#"{{"type":"typed","text":"{}"}}"#, "e".repeat(5000));
    assert_eq!(status(&site.post(STEP, &own, JSON, &long).await), "413");
    for nowhere in [
        "/learn/board/0",
        "/learn/board/01",
        "/learn/board/99",
        "/learn/no/1",
        "/learn/%3Cb%3E/1",
    ] {
        assert_eq!(status(&site.post(nowhere, &own, JSON, RIGHT).await), "404", "{nowhere}");
        let page = site.get(nowhere, &site.host()).await;
        assert!(status(&page) == "404" && !page.contains("<b>"), "{nowhere}: {page}");
    }
    let right = site.post(STEP, &own, JSON, RIGHT).await;
    assert!(
        status(&right) == "200" && right.contains(r#""outcome":"finished""#),
        "{right}"
    );
}

#[tokio::test]
async fn each_learner_has_a_progress_of_their_own() {
    let site = SiteProcess::start("", &[]);
    let own = own(&site);
    let first = cookie(&site.post(STEP, &own, JSON, RIGHT).await);
    let second = cookie(&site.get("/learn", &site.host()).await);
    assert_ne!(first, second);
    // The lesson begins at the first step that is not done.
    for (who, next) in [(&first, "/learn/board/2"), (&second, "/learn/board/1")] {
        let host = format!("{}\r\n{}", site.host(), who.trim_end());
        let answer = site.get("/learn/board", &host).await;
        assert!(answer.contains(&format!("location: {next}\r\n")), "{answer}");
        assert!(!answer.contains("set-cookie"), "who is known needs no cookie: {answer}");
    }
}
