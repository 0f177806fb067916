//! How much memory there is for a table: the kernel promises more than it has, and takes a process whose promise it
//! cannot keep.

use super::tt::TranspositionTable;

/// A table may take this part of the memory that is free when it is asked for: the rest is for the search, and for
/// others.
const SHARE: f64 = 0.75;

/// No memory for a table of the size that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMemory {
    /// More than is free.
    #[error("there is no memory for a table of {wanted} MiB; {most} MiB are the most just now")]
    TooLarge {
        /// What was asked for, in MiB.
        wanted: usize,
        /// What could be had, in MiB.
        most: usize,
    },
    /// The system does not give it.
    #[error("the system gives no memory for a table of {wanted} MiB")]
    Refused {
        /// What was asked for, in MiB.
        wanted: usize,
    },
}

/// The largest table that memory gives just now, in MiB, where one of `held_mib` would be given back for it. At least
/// one, and never more than [`TranspositionTable::MAX_MIB`]; that where the system does not tell.
pub(super) fn largest_table(held_mib: usize) -> usize {
    // The addresses of the old table are given back only when the new one has its own.
    let bounds = [(system::free(), held_mib), (system::address_space(), 0)];
    let bounds = bounds.map(|(bytes, held)| bytes.map_or(TranspositionTable::MAX_MIB, |bytes| of_free(bytes, held)));
    bounds[0].min(bounds[1])
}

fn of_free(bytes: u64, held_mib: usize) -> usize {
    let share = (bytes as f64 * SHARE / f64::from(1 << 20)) as usize;
    share.saturating_add(held_mib).clamp(1, TranspositionTable::MAX_MIB)
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs::read_to_string;
    use std::path::{Path, PathBuf};

    const CGROUPS: &str = "/sys/fs/cgroup";

    /// Bytes that this process could use without anything being written to a swap disk: the machine's, or those that
    /// its control groups leave where these are fewer.
    pub(super) fn free() -> Option<u64> {
        let meminfo = read_to_string("/proc/meminfo").unwrap_or_default();
        let of_machine = bytes_after("MemAvailable:", &meminfo);
        let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
        let of_groups = folders(&groups).into_iter().flat_map(|folder| {
            let ancestors: Vec<PathBuf> = folder.ancestors().map(Path::to_path_buf).collect();
            // An outer group bounds those within it.
            ancestors.into_iter().take_while(|folder| folder.starts_with(CGROUPS))
        });
        let limits = of_groups.filter_map(|folder| left_in(&|name| read_to_string(folder.join(name)).ok()));
        of_machine.into_iter().chain(limits).min()
    }

    /// What `ulimit -v` leaves, in bytes; `None` without a limit.
    pub(super) fn address_space() -> Option<u64> {
        let most = rustix::process::getrlimit(rustix::process::Resource::As).current?;
        let used = bytes_after("VmSize:", &read_to_string("/proc/self/status").ok()?)?;
        Some(most.saturating_sub(used))
    }

    /// The number of a line such as `MemAvailable:   23617648 kB`, in bytes.
    pub(super) fn bytes_after(name: &str, table: &str) -> Option<u64> {
        let line = table.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kib << 10)
    }

    /// The folders of the control groups that count memory, of both versions: `/proc/self/cgroup` has lines `0::/path`
    /// and `4:memory:/path`.
    pub(super) fn folders(groups: &str) -> Vec<PathBuf> {
        let folder = |line: &str| {
            let (_, rest) = line.split_once(':')?;
            let (kinds, path) = rest.split_once(':')?;
            let root = match kinds {
                "" => PathBuf::from(CGROUPS),
                _ if kinds.split(',').any(|kind| kind == "memory") => Path::new(CGROUPS).join("memory"),
                _ => return None,
            };
            Some(root.join(path.trim_start_matches('/')))
        };
        groups.lines().filter_map(folder).collect()
    }

    /// What a control group's limit leaves; files read from disk can be dropped and count as free. `None` without a
    /// limit.
    pub(super) fn left_in(read: &impl Fn(&str) -> Option<String>) -> Option<u64> {
        let number = |name: &str| -> Option<u64> { read(name)?.trim().parse().ok() };
        let (most, used) = match number("memory.max") {
            Some(most) => (most, number("memory.current")?),
            None => (number("memory.limit_in_bytes")?, number("memory.usage_in_bytes")?),
        };
        let stat = read("memory.stat").unwrap_or_default();
        let files = stat
            .lines()
            .find_map(|line| {
                line.strip_prefix("total_inactive_file ")
                    .or(line.strip_prefix("inactive_file "))
            })
            .and_then(|count| count.parse().ok())
            .unwrap_or(0);
        Some(most.saturating_sub(used.saturating_sub(files)))
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn free() -> Option<u64> {
        None
    }

    pub(super) fn address_space() -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_leaves_a_quarter_of_what_is_free() {
        assert_eq!(of_free(4 << 30, 0), 3072);
        assert_eq!(of_free(4 << 30, 64), 3136, "what it would give back counts");
        assert_eq!(of_free(0, 0), 1);
        assert_eq!(of_free(u64::MAX, 64), TranspositionTable::MAX_MIB);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_free_is_read_from_the_kernels_own_tables() {
        use super::system::{bytes_after, folders, left_in};
        use std::path::Path;
        let meminfo =
            "MemTotal:       24683980 kB\nMemFree:        16990816 kB\nMemAvailable:   23617648 kB\nBuffers: 1 kB\n";
        assert_eq!(bytes_after("MemAvailable:", meminfo), Some(23_617_648 * 1024));
        assert_eq!(bytes_after("MemAvailable:", "MemTotal: 3 kB\n"), None);
        assert_eq!(
            folders("4:memory:/a/b\n3:cpuset:/x\n2:cpu,memory:/c\n0::/user.slice/s\n"),
            ["memory/a/b", "memory/c", "user.slice/s"].map(|path| Path::new("/sys/fs/cgroup").join(path))
        );
        let second = |name: &str| match name {
            "memory.max" => Some("1000\n".to_owned()),
            "memory.current" => Some("700\n".to_owned()),
            "memory.stat" => Some("anon 300\ninactive_file 250\n".to_owned()),
            _ => None,
        };
        assert_eq!(left_in(&second), Some(550));
        let unlimited = |name: &str| match name {
            "memory.max" => Some("max\n".to_owned()),
            _ => second(name),
        };
        assert_eq!(left_in(&unlimited), None);
        let first = |name: &str| match name {
            "memory.limit_in_bytes" => Some("900\n".to_owned()),
            "memory.usage_in_bytes" => Some("1000\n".to_owned()),
            _ => None,
        };
        assert_eq!(left_in(&first), Some(0), "more used than allowed leaves nothing");
        assert!(system::free().is_some_and(|bytes| bytes > 0));
    }
}
