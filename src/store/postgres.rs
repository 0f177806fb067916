//! A PostgreSQL of one test's own, where Debian's is installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Who may run the server where tests are root's: it refuses to be root's own.
const USER: &str = "postgres";

/// A server that listens on a socket in a folder of its own, and ends with its value.
pub struct Postgres {
    programs: PathBuf,
    dir: tempfile::TempDir,
}

impl Postgres {
    /// Starts one, or `None` where none is installed.
    pub fn start() -> Option<Postgres> {
        let installed = std::fs::read_dir("/usr/lib/postgresql").ok()?;
        let mut programs: Vec<PathBuf> = installed.map(|entry| entry.unwrap().path().join("bin")).collect();
        programs.sort();
        let server = Postgres {
            programs: programs.pop()?,
            dir: tempfile::tempdir().unwrap(),
        };
        if is_root() {
            let owned = Command::new("chown").arg(USER).arg(server.dir.path()).status().unwrap();
            assert!(owned.success());
        }
        let data = server.data();
        server.run(
            "initdb",
            &["-D", &data, "-A", "trust", "-U", "torres", "-E", "UTF8", "--no-sync"],
        );
        let socket = server.dir.path().to_str().unwrap().to_owned();
        let options = format!("-c listen_addresses= -c unix_socket_directories={socket} -c fsync=off");
        server.run(
            "pg_ctl",
            &["-D", &data, "-w", "-o", &options, "-l", &format!("{data}.log"), "start"],
        );
        Some(server)
    }

    /// Where its first database is.
    pub fn url(&self) -> String {
        let socket = self.dir.path().to_str().unwrap().replace('/', "%2F");
        format!("postgres://torres@{socket}/postgres")
    }

    fn data(&self) -> String {
        self.dir.path().join("data").to_str().unwrap().to_owned()
    }

    fn run(&self, program: &str, args: &[&str]) {
        let mut command = as_user(&self.programs.join(program));
        let status = command.args(args).stdout(Stdio::null()).stdin(Stdio::null()).status();
        assert!(status.unwrap().success(), "{program} {args:?}");
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let data = self.data();
        let mut stop = as_user(&self.programs.join("pg_ctl"));
        let _ = stop
            .args(["-D", &data, "-m", "immediate", "stop"])
            .stdout(Stdio::null())
            .status();
    }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout == b"0\n"
}

fn as_user(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid", USER, "--regid", USER, "--clear-groups"])
        .arg(program);
    command.current_dir("/");
    command
}
