//! An account is made, used, left and deleted in a browser, by mouse and by keyboard; and whoever has none is called a
//! guest.
#![cfg(target_os = "linux")]

use crate::visitor::{DESK, Visitor, on_desk_and_phone};
use torres_test_support::desktop::on_display;
use torres_test_support::site::SiteProcess;

#[test]
fn an_account_is_made_by_mouse_left_come_back_to_and_deleted() {
    on_desk_and_phone(
        "account_page::an_account_is_made_by_mouse_left_come_back_to_and_deleted",
        "/learn",
        |display, site, mut ann, screen| {
            ann.push("nav a[href='/account']");
            ann.sees_heading("Account");
            ann.fills("#up-name", "Ann");
            ann.fills("#up-password", "short");
            ann.push("#sign-up button");
            ann.sees_text("problem", "8");
            ann.fills("#up-password", "correct horse");
            ann.push("#sign-up button");
            ann.sees_heading("Ann");
            if screen == DESK {
                ann.is_for_everyone("account-own");
            }
            // She is called by her account.
            ann.goes(&site, "/people");
            assert!(ann.page.run("document.getElementById('name')").is_null());
            ann.see(
                "her name",
                "document.querySelector('#make p').textContent === 'You play as Ann.'",
            );
            ann.push("input[name=listed][value=yes] + span");
            ann.push("#make button");
            ann.sees_text("lower-name", "Ann");
            assert!(ann.page.run("document.getElementById('lower-guest').hidden") == true);
            // Her friend's address is seen whole.
            let cut_off = "(one => one.scrollWidth > one.clientWidth)(document.getElementById('address'))";
            assert!(ann.page.run(cut_off) == false);
            if screen == DESK {
                ann.is_for_everyone("waiting-game");
                ann.page.screen(screen, false);
            }
            let mut cy = Visitor::at(display, &site, "/people", screen);
            cy.sees_text("open", "Ann");
            assert!(cy.page.run("document.querySelector('#open .guest')").is_null());
            // The name is taken for guests.
            cy.fills("#name", "aNN");
            cy.push("#make button");
            cy.sees_text("problem", "the name of an account");
            cy.fills("#name", "Cy");
            cy.page.key("Tab");
            cy.push("#open a");
            cy.push("#join");
            cy.sees_text("lower-name", "Cy");
            let guest = "document.getElementById('lower-guest').checkVisibility()";
            cy.see("that Cy is a guest", guest);
            ann.sees_text("upper-name", "Cy");
            ann.see(
                "that Cy is a guest",
                "document.getElementById('upper-guest').checkVisibility()",
            );
            drop(cy);

            // What is kept of her comes as a file.
            ann.goes(&site, "/account");
            let kept = "fetch(document.querySelector('a[download]').href).then((answer) => answer.json())";
            let kept = ann.page.run(kept);
            assert_eq!(kept["name"], "Ann");
            assert_eq!(kept["games"].as_array().unwrap().len(), 1);
            ann.push("#log-out button");
            ann.sees_heading("Account");
            ann.fills("#in-name", "ann");
            ann.fills("#in-password", "wrong horse");
            ann.push("#log-in button");
            ann.sees_text("problem", "wrong");
            ann.fills("#in-password", "correct horse");
            ann.push("#log-in button");
            ann.sees_heading("Ann");
            ann.fills("#delete-password", "wrong horse");
            ann.push("#delete button");
            ann.sees_text("problem", "wrong");
            ann.fills("#delete-password", "correct horse");
            ann.push("#delete button");
            ann.sees_heading("Account");
            // Nobody has the name any more.
            ann.fills("#in-name", "Ann");
            ann.fills("#in-password", "correct horse");
            ann.push("#log-in button");
            ann.sees_text("problem", "wrong");
        },
    );
}

#[test]
fn an_account_is_made_and_left_by_the_keyboard() {
    on_display("account_page::an_account_is_made_and_left_by_the_keyboard", |display| {
        let site = SiteProcess::start("", &[]);
        let mut ann = Visitor::at(display, &site, "/account", DESK);
        ann.sees_heading("Account");
        ann.tabs_to("#up-name");
        ann.page.type_text("Ann");
        ann.page.key("Tab");
        ann.page.type_text("correct horse");
        ann.page.key("Enter");
        ann.sees_heading("Ann");
        ann.tabs_to("#log-out button");
        ann.page.key("Enter");
        ann.sees_heading("Account");
        ann.tabs_to("#in-name");
        ann.page.type_text("Ann");
        ann.page.key("Tab");
        ann.page.type_text("correct horse");
        ann.page.key("Enter");
        ann.sees_heading("Ann");
        // Who tries too often is told to wait.
        ann.tabs_to("#log-out button");
        ann.page.key("Enter");
        ann.sees_heading("Account");
        ann.tabs_to("#in-name");
        ann.page.type_text("Ann");
        ann.page.key("Tab");
        ann.page.type_text("wrong horse");
        torres_test_support::wait_for("a word that it is too often", || {
            ann.page.run("document.getElementById('problem').textContent = ''");
            ann.page.key("Enter");
            ann.see("an answer", "document.getElementById('problem').textContent !== ''");
            ann.text("problem").contains("too many tries").then_some(())
        });
    });
}

#[test]
fn a_guest_is_given_all_that_is_kept_and_is_forgotten() {
    on_desk_and_phone(
        "account_page::a_guest_is_given_all_that_is_kept_and_is_forgotten",
        "/learn/board/1",
        |display, site, mut ann, screen| {
            // A step with a mistake, a puzzle that is given up, and a game.
            ann.answers("a1");
            ann.see("a mistake", "document.getElementById('says').className === 'bad'");
            ann.answers("e4");
            ann.see("the way on", "!document.getElementById('next').hidden");
            ann.goes(&site, "/puzzles");
            ann.push("#solution");
            ann.sees_text("about", "Solution: ");
            ann.goes(&site, "/people");
            ann.fills("#name", "Ann");
            ann.push("input[name=color][value=white] + span");
            ann.push("#make button");
            ann.sees_text("lower-name", "Ann");
            let game = ann.page.run("location.pathname").as_str().unwrap().to_owned();
            let mut bo = Visitor::at(display, &site, &game, screen);
            bo.push("#join");
            ann.plays("e2", "e4");
            bo.plays("e7", "e5");
            ann.sees_moves(2);

            ann.goes(&site, "/account");
            let kept = "fetch(document.querySelector('a[download]').href).then((answer) => answer.json())";
            let given = ann.page.run(kept);
            let table = |name: &str| {
                given["kept"][name]
                    .as_array()
                    .unwrap_or_else(|| panic!("{name}: {given}"))
            };
            let step = &table("lesson_progress")[0];
            assert_eq!((&step["lesson"], &step["done"]), (&"board".into(), &1.into()));
            assert_eq!(step["state"]["mistakes"], 1, "{step}");
            assert!(table("review")[0]["stability"].as_f64().unwrap() > 0.0);
            assert_eq!(table("puzzle_attempt")[0]["solved"], 0);
            let rating = table("puzzle_rating")[0]["rating"].as_f64().unwrap();
            assert!(rating < 1500.0, "{rating}");
            assert!(table("learner")[0]["made"].as_i64().is_some() && table("account").is_empty());
            let games = given["games"].as_array().unwrap();
            assert_eq!(games.len(), 1);
            assert!(
                games[0]["changes"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|one| one["uci"] == "e7e5")
            );

            // It is not done by chance: a box is ticked first.
            ann.push("#delete button");
            assert!(ann.page.run("document.querySelector('#delete :invalid') !== null") == true);
            ann.push("#delete [type=checkbox]");
            ann.page.run("window.isLeft = true");
            ann.push("#delete button");
            ann.see(
                "the page anew",
                "window.isLeft === undefined && document.readyState === 'complete'",
            );
            let given = ann.page.run(kept);
            for (name, rows) in given["kept"].as_object().unwrap() {
                // Whoever comes is a guest from then on.
                let left = usize::from(name == "learner");
                assert_eq!(rows.as_array().unwrap().len(), left, "{name}");
            }
            assert!(given["games"].as_array().unwrap().is_empty());
            ann.goes(&site, "/learn");
            ann.see(
                    "no step done, and none to repeat",
                    "document.querySelector('.lessons .count').textContent.startsWith('0 of') && !document.querySelector('.due')",
                );
        },
    );
}
