//! Where an engine listens: a Unix-domain socket in a directory that only its owner can enter, or a named pipe on
//! Windows.

use interprocess::local_socket::tokio::{Listener, Stream, prelude::*};
use interprocess::local_socket::{ListenerOptions, Name};
use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};

/// A local socket's name, as `torres engine --socket NAME` takes it and prints it.
///
/// On Unix a name with a `/` in it is a path; any other stands for a socket in the runtime directory:
/// `$XDG_RUNTIME_DIR/torres`, or `torres-UID` in the directory for temporary files. On Windows it is a pipe's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SocketName(imp::Address);

impl SocketName {
    /// A name in the runtime directory that no other socket of this machine has.
    ///
    /// Fails when the runtime directory cannot be made, or belongs to somebody else.
    pub fn unused() -> io::Result<SocketName> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        imp::named(&format!("engine-{}-{count}", std::process::id())).map(SocketName)
    }

    /// Starts to listen. The socket can be opened by its owner only and is removed when the listener is dropped.
    ///
    /// A socket file that a killed engine left behind is replaced; one on which somebody answers is not.
    pub async fn listen(&self) -> io::Result<Listener> {
        imp::check(&self.0)?;
        match self.bind() {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                if self.connect().await.is_ok() {
                    let problem = format!("somebody listens on {self} already; choose another name");
                    return Err(io::Error::new(io::ErrorKind::AddrInUse, problem));
                }
                imp::remove_stale(&self.0)?;
                self.bind()
            }
            other => other,
        }
    }

    fn bind(&self) -> io::Result<Listener> {
        match imp::owner_only(ListenerOptions::new().name(self.name()?))?.create_tokio() {
            // macOS cannot choose a socket's mode before it is there.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                let listener = ListenerOptions::new().name(self.name()?).create_tokio()?;
                imp::close_to_others(&self.0)?;
                Ok(listener)
            }
            other => other,
        }
    }

    /// Opens a connection.
    pub async fn connect(&self) -> io::Result<Stream> {
        Stream::connect(self.name()?).await
    }

    /// Removes the file that a killed engine left behind. Nothing happens where there is none.
    pub fn remove(&self) {
        // It is gone already when the engine ended by itself; nothing depends on it either way.
        imp::remove_stale(&self.0).ok();
    }

    fn name(&self) -> io::Result<Name<'_>> {
        imp::name(&self.0)
    }
}

impl FromStr for SocketName {
    type Err = io::Error;
    fn from_str(text: &str) -> io::Result<SocketName> {
        if matches!(text, "" | "." | "..") || text.contains('\0') {
            let problem = format!("'{text}' is no socket name; give a word or a path");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        imp::named(text).map(SocketName)
    }
}

impl fmt::Display for SocketName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        imp::show(&self.0, f)
    }
}

#[cfg(unix)]
mod imp {
    use interprocess::local_socket::{GenericFilePath, ListenerOptions, Name, ToFsName};
    use interprocess::os::unix::local_socket::ListenerOptionsExt;
    use std::fmt;
    use std::fs::{DirBuilder, Permissions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
    use std::path::{Path, PathBuf};

    pub(crate) type Address = PathBuf;

    pub(crate) fn named(text: &str) -> io::Result<Address> {
        if text.contains('/') {
            Ok(PathBuf::from(text))
        } else {
            Ok(runtime_directory()?.join(text))
        }
    }

    pub(crate) fn name(path: &Address) -> io::Result<Name<'_>> {
        path.as_path().to_fs_name::<GenericFilePath>()
    }

    pub(crate) fn show(path: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", path.display())
    }

    pub(crate) fn owner_only(options: ListenerOptions<'_>) -> io::Result<ListenerOptions<'_>> {
        Ok(options.mode(0o600))
    }

    /// Until this is done the process's umask protects the socket, and its directory if that is the runtime one.
    pub(crate) fn close_to_others(path: &Address) -> io::Result<()> {
        std::fs::set_permissions(path, Permissions::from_mode(0o600))
    }

    /// The directory must not let others put a socket of theirs in the place of ours.
    pub(crate) fn check(path: &Address) -> io::Result<()> {
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let about = std::fs::metadata(directory).map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("the socket's directory {}: {error}; create it", directory.display()),
            )
        })?;
        let owner = about.uid();
        let foreign = owner != 0 && owner != rustix::process::geteuid().as_raw();
        let open_to_all = about.mode() & 0o022 != 0 && about.mode() & 0o1000 == 0;
        if foreign || open_to_all {
            return Err(refused(directory, "other users can replace files in it"));
        }
        Ok(())
    }

    /// Removes a socket of ours on which nobody answers.
    pub(crate) fn remove_stale(path: &Address) -> io::Result<()> {
        let about = std::fs::symlink_metadata(path)?;
        if !about.file_type().is_socket() || about.uid() != rustix::process::geteuid().as_raw() {
            let problem = format!(
                "{} is in the way and is no socket of yours; choose another name",
                path.display()
            );
            return Err(io::Error::new(io::ErrorKind::AddrInUse, problem));
        }
        std::fs::remove_file(path)
    }

    /// Made when missing; only its owner can enter it.
    fn runtime_directory() -> io::Result<PathBuf> {
        let ours = rustix::process::geteuid().as_raw();
        let of_session = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        match of_session.filter(|dir| std::fs::metadata(dir).is_ok_and(|about| about.is_dir() && about.uid() == ours)) {
            Some(session) => private_directory(session.join("torres")),
            None => private_directory(std::env::temp_dir().join(format!("torres-{ours}"))),
        }
    }

    pub(super) fn private_directory(path: PathBuf) -> io::Result<PathBuf> {
        match DirBuilder::new().mode(0o700).create(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(io::Error::new(
                    error.kind(),
                    format!("cannot create {}: {error}", path.display()),
                ));
            }
            _ => {}
        }
        // Not followed: a link here could have been laid by somebody else.
        let about = std::fs::symlink_metadata(&path)?;
        if !about.is_dir() {
            return Err(refused(&path, "it is not a directory"));
        }
        if about.uid() != rustix::process::geteuid().as_raw() {
            return Err(refused(&path, "it belongs to another user"));
        }
        if about.mode() & 0o077 != 0 {
            std::fs::set_permissions(&path, Permissions::from_mode(0o700))?;
        }
        Ok(path)
    }

    fn refused(path: &Path, why: &str) -> io::Error {
        let problem = format!(
            "the directory {} is not safe for an engine's socket: {why}; name a socket elsewhere with --socket",
            path.display()
        );
        io::Error::new(io::ErrorKind::PermissionDenied, problem)
    }
}

/// Written for Windows and never run there.
#[cfg(windows)]
mod imp {
    use interprocess::local_socket::{GenericNamespaced, ListenerOptions, Name, ToNsName};
    use interprocess::os::windows::local_socket::ListenerOptionsExt;
    use interprocess::os::windows::security_descriptor::SecurityDescriptor;
    use std::fmt;
    use std::io;
    use widestring::U16CString;

    pub type Address = String;

    pub fn named(text: &str) -> io::Result<Address> {
        Ok(text.strip_prefix(r"\\.\pipe\").unwrap_or(text).to_string())
    }

    pub fn name(pipe: &Address) -> io::Result<Name<'_>> {
        pipe.as_str().to_ns_name::<GenericNamespaced>()
    }

    pub fn show(pipe: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r"\\.\pipe\{pipe}")
    }

    pub fn check(_: &Address) -> io::Result<()> {
        Ok(())
    }

    /// A pipe's descriptor does that from the start.
    pub(crate) fn close_to_others(_: &Address) -> io::Result<()> {
        Ok(())
    }

    /// A pipe vanishes with its process.
    pub(crate) fn remove_stale(_: &Address) -> io::Result<()> {
        Ok(())
    }

    /// Everything to the owner and nothing to anybody else, in the security descriptor string format.
    const OWNER_ONLY: &str = "D:P(A;;GA;;;OW)";

    pub(crate) fn owner_only(options: ListenerOptions<'_>) -> io::Result<ListenerOptions<'_>> {
        let descriptor = U16CString::from_str(OWNER_ONLY).map_err(io::Error::other)?;
        Ok(options.security_descriptor(SecurityDescriptor::deserialize(&descriptor)?))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    fn socket_in(directory: &std::path::Path) -> SocketName {
        directory.join("s").to_str().unwrap().parse().unwrap()
    }

    #[tokio::test]
    async fn only_the_owner_can_open_the_socket_and_it_goes_with_the_listener() {
        let directory = tempfile::tempdir().unwrap();
        let name = socket_in(directory.path());
        let listener = name.listen().await.unwrap();
        let path = directory.path().join("s");
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        drop(listener);
        assert!(!path.exists());
    }

    #[test]
    fn a_private_directory_is_made_or_closed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("torres");
        imp::private_directory(path.clone()).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        imp::private_directory(path.clone()).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_link_or_a_file_in_the_place_of_the_directory_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let real = directory.path().join("real");
        std::fs::create_dir(&real).unwrap();
        let link = directory.path().join("link");
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert_eq!(
            imp::private_directory(link).unwrap_err().kind(),
            io::ErrorKind::PermissionDenied
        );
        let file = directory.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_eq!(
            imp::private_directory(file).unwrap_err().kind(),
            io::ErrorKind::PermissionDenied
        );
    }

    #[tokio::test]
    async fn a_directory_in_which_others_can_replace_files_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::set_permissions(directory.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        let refused = socket_in(directory.path()).listen().await.unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        std::fs::set_permissions(directory.path(), std::fs::Permissions::from_mode(0o1777)).unwrap();
        assert!(socket_in(directory.path()).listen().await.is_ok(), "sticky, like /tmp");
    }

    #[tokio::test]
    async fn a_dead_socket_is_replaced_and_a_living_one_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let name = socket_in(directory.path());
        // A std listener does not remove its file: what a killed engine leaves behind.
        drop(std::os::unix::net::UnixListener::bind(directory.path().join("s")).unwrap());
        let living = name.listen().await.unwrap();
        assert_eq!(name.listen().await.unwrap_err().kind(), io::ErrorKind::AddrInUse);
        drop(living);
        std::fs::write(directory.path().join("s"), "precious").unwrap();
        assert!(name.listen().await.is_err());
        assert_eq!(std::fs::read_to_string(directory.path().join("s")).unwrap(), "precious");
    }

    #[test]
    fn names_are_words_or_paths() {
        assert_eq!("/tmp/x.sock".parse::<SocketName>().unwrap().to_string(), "/tmp/x.sock");
        let word: SocketName = "mine".parse().unwrap();
        assert!(word.to_string().ends_with("/mine"), "{word}");
        for wrong in ["", ".", "..", "a\0b"] {
            assert!(wrong.parse::<SocketName>().is_err());
        }
        assert_ne!(SocketName::unused().unwrap(), SocketName::unused().unwrap());
    }
}
