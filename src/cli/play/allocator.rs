//! How much memory a run of many games holds.

/// Keeps the process's memory together, however many games it plays.
///
/// glibc gives each busy thread an arena of its own, and each keeps what its largest frames once took: a run went up
/// and down between 40 and 105 MiB. With one arena for all it stays near 51 (`make soak`, docs/figures.md), and no
/// thread here allocates enough for them to wait for each other.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn keep_together() {
    // SAFETY: `mallopt` takes two numbers and may be called at any time; this one says how many arenas may be made from
    // now on.
    let _ = unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
}

/// Gives back what a game that is over has held: its film and frames leave gaps that the allocator would keep.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn give_back() {
    // SAFETY: `malloc_trim` takes a number of bytes to keep and may be called at any time; it touches free memory only.
    let _ = unsafe { libc::malloc_trim(0) };
}

/// Elsewhere there is nothing to be done.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn keep_together() {}

/// Elsewhere there is nothing to be done.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back() {}
