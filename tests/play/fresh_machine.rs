//! What `make` does on a machine with nothing on it: asks for Rust, installs what is missing, and says what is built.
//!
//! The machine is a folder of commands, the only ones that `make` finds. Its apt knows the package lists of one
//! release, as they are in `tests/data/packages`; its cargo writes down what it was told.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const RELEASES: [&str; 3] = ["debian-12", "debian-13", "ubuntu-24.04"];

/// What even a bare machine has.
const BASE: [&str; 15] = [
    "make", "sh", "sed", "grep", "sort", "head", "tail", "env", "uname", "dirname", "cat", "cut", "chmod", "nproc",
    "nice",
];

const DPKG_QUERY: &str = r#"for package; do :; done
grep -qx "$package" "$MACHINE/installed" && echo "install ok installed""#;

/// Installs all or nothing, as apt does; a virtual package is another's name.
const APT_GET: &str = r#"echo "$*" >> "$MACHINE/asked"
[ "$1" = install ] || exit 0
shift
for package; do
    case "$package" in -*) continue ;; esac
    grep -q "^$package " "$MACHINE/lists" || { echo "E: Unable to locate package $package" >&2; exit 100; }
done
for package; do
    case "$package" in -*) continue ;; esac
    real=$(sed -n "s/^$package = //p" "$MACHINE/lists")
    echo "${real:-$package}" >> "$MACHINE/installed"
    case "$package" in chromium*) : > "$MACHINE/bin/${real:-$package}"; chmod +x "$MACHINE/bin/${real:-$package}" ;; esac
done"#;

struct Machine(TempDir);

/// What became of a `make`.
struct Made {
    ok: bool,
    said: String,
}

impl Machine {
    /// One of this release, with root's rights, Rust, and nothing else.
    fn bare(release: &str) -> Machine {
        let machine = Machine(tempfile::tempdir().unwrap());
        let bin = machine.path("bin");
        fs::create_dir(&bin).unwrap();
        for name in BASE {
            symlink(found(name), bin.join(name)).unwrap();
        }
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/packages");
        let lists = fs::read_to_string(data.join(release)).unwrap();
        fs::write(machine.path("lists"), lists).unwrap();
        fs::write(machine.path("installed"), "").unwrap();
        machine.command("dpkg-query", DPKG_QUERY);
        machine.command("apt-get", APT_GET);
        machine.command("id", "echo 0");
        machine.command("rustc", "echo 'rustc 1.95.0 (59807616e 2026-04-14)'");
        machine.command("cargo", r#"echo "$*" >> "$MACHINE/cargo""#);
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, name: &str, script: &str) {
        let file = self.path("bin").join(name);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn lacks(&self, command: &str) {
        fs::remove_file(self.path("bin").join(command)).unwrap();
    }

    /// Its package lists do not have this one.
    fn never_heard_of(&self, package: &str) {
        let lists = self.read("lists");
        let without: Vec<&str> = lists
            .lines()
            .filter(|l| !l.starts_with(&format!("{package} ")))
            .collect();
        assert!(without.len() < lists.lines().count(), "{package} was in the list");
        fs::write(self.path("lists"), without.join("\n")).unwrap();
    }

    fn make(&self, arguments: &[&str]) -> Made {
        let output = Command::new(self.path("bin/make"))
            .args(["-C", env!("CARGO_MANIFEST_DIR")])
            .args(arguments)
            .env_clear()
            .env("PATH", self.path("bin"))
            .env("HOME", self.0.path())
            .env("MACHINE", self.0.path())
            .output()
            .unwrap();
        let (out, err) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
        Made {
            ok: output.status.success(),
            said: out.unwrap() + &err.unwrap(),
        }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// What cargo was told, call by call.
    fn cargo(&self) -> Vec<String> {
        self.read("cargo").lines().map(|line| line.trim().to_owned()).collect()
    }

    fn installed(&self) -> BTreeSet<String> {
        self.read("installed").lines().map(str::to_owned).collect()
    }
}

fn found(command: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let mut files = std::env::split_paths(&path).map(|folder| folder.join(command));
    files
        .find(|file| file.is_file())
        .unwrap_or_else(|| panic!("{command} is on this machine"))
}

#[test]
fn a_bare_machine_of_each_release_gets_its_packages_and_builds_with_xcap() {
    for release in RELEASES {
        let machine = Machine::bare(release);
        let made = machine.make(&["build"]);
        assert!(made.ok, "{release}: {}", made.said);
        assert_eq!(machine.cargo(), ["build --release"], "{release}: {}", made.said);
        let installed = machine.installed();
        for package in ["gcc", "libclang-dev", "libpipewire-0.3-dev", "xvfb", "openbox"] {
            assert!(installed.contains(package), "{release}: {installed:?}");
        }
        let browser = if release.starts_with("ubuntu") {
            "chromium-browser"
        } else {
            "chromium"
        };
        assert!(installed.contains(browser), "{release}: {installed:?}");

        // All is there: apt is not asked again.
        let asked = machine.read("asked");
        assert!(machine.make(&["build"]).ok);
        assert_eq!(machine.read("asked"), asked, "{release}");
    }
}

#[test]
fn where_xcap_cannot_be_had_it_is_left_out_and_that_is_said() {
    for release in RELEASES {
        let machine = Machine::bare(release);
        machine.never_heard_of("libpipewire-0.3-dev");
        let made = machine.make(&["build"]);
        assert!(made.ok, "{release}: {}", made.said);
        assert_eq!(machine.cargo(), ["build --release --no-default-features"], "{release}");
        assert!(
            made.said.contains("building without xcap, for X11 alone"),
            "{}",
            made.said
        );
        assert!(made.said.contains("libpipewire-0.3-dev"), "{}", made.said);
        let installed = machine.installed();
        for package in ["gcc", "libc6-dev", "xvfb", "openbox"] {
            assert!(installed.contains(package), "{release}: {installed:?}");
        }
    }
}

#[test]
fn xcap_is_left_out_where_the_user_says_so() {
    let machine = Machine::bare("debian-13");
    let made = machine.make(&["build", "XCAP=no"]);
    assert!(made.ok, "{}", made.said);
    assert_eq!(machine.cargo(), ["build --release --no-default-features"]);
    let installed = machine.installed();
    assert!(
        installed.contains("gcc") && installed.contains("chromium"),
        "{installed:?}"
    );
    assert!(!installed.contains("libclang-dev"), "{installed:?}");
}

#[test]
fn what_cannot_be_done_without_ends_it() {
    let machine = Machine::bare("debian-13");
    machine.never_heard_of("gcc");
    let made = machine.make(&["build"]);
    assert!(!made.ok, "{}", made.said);
    assert!(made.said.contains("Unable to locate package gcc"), "{}", made.said);
    assert_eq!(machine.cargo(), [""; 0]);
}

#[test]
fn without_the_rights_to_install_it_says_what_to_run() {
    let machine = Machine::bare("debian-13");
    machine.command("id", "echo 1000");
    let made = machine.make(&["build"]);
    assert!(!made.ok, "{}", made.said);
    let said = "as root, run: apt-get install gcc libc6-dev xvfb openbox fonts-dejavu-core libfaketime chromium pkg-config libclang-dev";
    assert!(made.said.contains(said), "{}", made.said);
    assert_eq!(machine.read("asked"), "", "apt is not asked");

    // All but xcap is there: then Torres is built without it.
    let present = "gcc\nlibc6-dev\nxvfb\nopenbox\nfonts-dejavu-core\nlibfaketime\n";
    fs::write(machine.path("installed"), present).unwrap();
    machine.command("google-chrome", "");
    let made = machine.make(&["build"]);
    assert!(made.ok, "{}", made.said);
    assert!(
        made.said.contains("as root, run: apt-get install pkg-config"),
        "{}",
        made.said
    );
    assert_eq!(machine.cargo(), ["build --release --no-default-features"]);
}

#[test]
fn rust_that_is_missing_or_too_old_is_told_of_before_anything_is_installed() {
    let refused = |machine: &Machine, says: &[&str]| {
        for target in ["build", "demo", "test"] {
            let made = machine.make(&[target]);
            assert!(!made.ok, "{}", made.said);
            for words in says {
                assert!(
                    made.said.contains(words),
                    "{target} does not say '{words}':\n{}",
                    made.said
                );
            }
            assert_eq!(machine.read("asked"), "", "apt is not asked");
            assert_eq!(machine.cargo(), [""; 0], "nor is cargo");
        }
    };
    let machine = Machine::bare("debian-13");
    for version in ["1.85.0 (4d91de4e4 2025-02-17)", "1.9.0", "0.99.1"] {
        machine.command("rustc", &format!("echo 'rustc {version}'"));
        let this = format!("this is {}", version.split(' ').next().unwrap());
        refused(
            &machine,
            &["Torres needs Rust 1.95 or newer", &this, "https://rustup.rs"],
        );
    }
    machine.command("rustup", "");
    refused(&machine, &["rustup update stable"]);
    // As rustup's own does where no toolchain was chosen.
    machine.command("rustc", "exit 1");
    refused(
        &machine,
        &["`rustc --version` does not work here", "rustup default stable"],
    );
    machine.lacks("rustup");
    machine.lacks("rustc");
    refused(&machine, &["there is no rustc", "https://rustup.rs"]);

    for version in ["1.95.0", "1.100.0-nightly (x)", "2.0.0"] {
        machine.command("rustc", &format!("echo 'rustc {version}'"));
        let made = machine.make(&["rust"]);
        assert!(made.ok, "{version}: {}", made.said);
    }
}

/// What cargo has run, whole and not only built: `--lib`, `--doc`, and the programs of `tests/`.
fn tested(told: &[String]) -> BTreeSet<String> {
    let runs = told
        .iter()
        .filter(|call| call.starts_with("test ") && !call.contains("--no-run"));
    let whole = runs.filter_map(|call| match call.split_once(" -- ") {
        None => Some(call.as_str()),
        // What is left out here is run by another call.
        Some((whole, left_out)) => {
            let alone = left_out.strip_prefix("--skip ")?.replace("--skip ", "");
            assert!(told.contains(&format!("{whole} -- {alone}")), "{alone}: {told:?}");
            Some(whole)
        }
    });
    let words = whole.flat_map(|call| call.split(' ').skip(1));
    let words = words.filter(|word| *word != "--test" && *word != "--no-default-features");
    words.map(str::to_owned).collect()
}

/// All that there is to run.
fn everything() -> BTreeSet<String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let folders = fs::read_dir(tests).unwrap().map(|entry| entry.unwrap().path());
    let programs = folders.filter(|folder| folder.join("main.rs").is_file());
    let names = programs.map(|folder| folder.file_name().unwrap().to_str().unwrap().to_owned());
    names.chain(["--lib", "--doc"].map(str::to_owned)).collect()
}

#[test]
fn both_forms_are_tested() {
    let machine = Machine::bare("debian-13");
    assert!(machine.make(&["test"]).ok);
    let told = machine.cargo();
    assert_eq!(tested(&told), everything(), "{told:?}");
    let x11 = "test --no-default-features --test desktop --test play -- screen_capture:: e2e_demo::".to_owned();
    assert!(told.contains(&x11), "{told:?}");

    let machine = Machine::bare("debian-13");
    assert!(machine.make(&["test", "XCAP=no"]).ok);
    let told = machine.cargo();
    let without = |call: &&String| call.starts_with("test") && !call.contains("--no-default-features");
    assert_eq!(told.iter().find(without), None);
    assert_eq!(tested(&told), everything(), "{told:?}");
    let lints = told
        .iter()
        .filter(|call| call.starts_with("clippy") || call.starts_with("doc"));
    assert!(
        lints.clone().count() == 2 && lints.clone().all(|call| call.contains("--no-default-features")),
        "{told:?}"
    );
}
