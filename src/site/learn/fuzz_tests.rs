//! Fuzz target: what a page says of a learner's step, up to the board that is shown then.

use super::coordinates;
use super::doors::{Said, begun_anew, input, read};
use super::view::View;
use shakmaty::Position;
use torres_fuzz::{Judged, names_damage, run};
use torres_lessons::{Input, Outcome, Progress, judge, shelf};

#[test]
#[expect(clippy::too_many_lines, reason = "a table of seeds")]
fn fuzz_learner() {
    let seeds = [
        r#"{"type":"move","uci":"e2e4"}"#,
        r#"{"type":"move","uci":"a7a8q"}"#,
        r#"{"type":"click","square":"e4"}"#,
        r#"{"type":"option","option":1}"#,
        r#"{"type":"typed","text":"Nf3"}"#,
        r#"{"type":"typed","text":"exd8=Q+"}"#,
        r#"{"type":"hint"}"#,
        r#"{"type":"restart"}"#,
        r#"{"type":"solution"}"#,
        r#"{"type":"start","bottom":"black"}"#,
        r#"{"type":"over"}"#,
    ]
    .map(|text| text.as_bytes().to_vec());
    let words = [
        "move",
        "click",
        "typed",
        "option",
        "e1",
        "h8",
        "e1g1",
        "0000",
        "O-O",
        "Kd2",
        "Qh5",
        "a8=N",
        "\"uci\":",
        "\"text\":",
    ];
    let steps: Vec<_> = shelf::lessons().into_iter().flat_map(|lesson| lesson.steps).collect();
    let mut progress = Progress::default();
    let mut round = 0;
    run("learner", &seeds, &words, |text| {
        // Each step is somebody's for some messages.
        let step = &steps[round / 32 % steps.len()];
        if round % 32 == 0 {
            progress = Progress::default();
        }
        round += 1;
        let trainer = read::<coordinates::Said>(text);
        let said: Said = match read(text) {
            Ok(said) => said,
            Err(why) => {
                assert!(names_damage(&why) && why.len() < 1_500, "{why}");
                return if trainer.is_ok() {
                    Judged::Accepted
                } else {
                    Judged::Refused
                };
            }
        };
        if said == (Said::Restart {}) {
            progress = begun_anew(std::mem::take(&mut progress));
        }
        if let Ok(input) = input(step, &progress, &said) {
            let mut verdict = judge(step, &progress, &input).expect("what was shown fits");
            if let Outcome::Ask { fen } = &verdict.outcome {
                let position = torres_chess::parse_fen(fen).expect("what is asked about is a position");
                let reply = position.legal_moves()[round % position.legal_moves().len()];
                let reply = Input::Reply(shakmaty::uci::UciMove::from_standard(reply));
                verdict = judge(step, &verdict.progress, &reply).expect("a legal reply fits");
            }
            assert!(verdict.progress.mistakes >= progress.mistakes && verdict.progress.hints >= progress.hints);
            progress = verdict.progress;
        }
        let view = View::of(step, &progress, &step.marks, None).expect("what was judged can be shown");
        serde_json::to_string(&view).expect("what is shown can be sent");
        Judged::Accepted
    });
}
