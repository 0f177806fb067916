//! Accounts: a name and a password, for whoever wants to be known on more than one browser. Guests play without.

use super::computer::Computer;
use super::person::{DELETED, NAMELESS};
use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Whether others would take a name for something else than an account: guests without a name, deleted accounts and
/// these computers are called so.
pub fn is_reserved(name: &str, computers: &[Computer]) -> bool {
    let is = |other: &str| name.to_lowercase() == other.to_lowercase();
    is(NAMELESS) || is(DELETED) || computers.iter().any(|computer| is(&computer.name()))
}

/// Shortest password, in characters.
pub const SHORTEST_PASSWORD: usize = 8;
/// Longest password, in bytes: nobody lets the server hash a book.
pub const LONGEST_PASSWORD: usize = 256;
/// Wrong passwords of one address or browser at one name that may come at once, and after how long there is one more.
const AT_A_NAME: Rate = Rate {
    at_once: 5,
    every: Duration::from_secs(12),
};
/// Wrong passwords of one address at all names that there are; accounts that it may make.
const OF_AN_ADDRESS: Rate = Rate {
    at_once: 30,
    every: Duration::from_secs(2),
};
/// Names and addresses remembered at most; then those are forgotten that may try as often as anybody.
const REMEMBERED: usize = 20_000;

/// How often something may be done.
#[derive(Clone, Copy, Debug)]
struct Rate {
    at_once: u32,
    every: Duration,
}

/// Who tried how often: a bucket for each, that fills up again.
#[derive(Debug)]
struct Tries<K> {
    rate: Rate,
    /// When the bucket will be full again.
    full_at: HashMap<K, Instant>,
}

impl<K: Eq + Hash> Tries<K> {
    fn new(rate: Rate) -> Tries<K> {
        Tries {
            rate,
            full_at: HashMap::new(),
        }
    }

    /// Counts a try; false, and it does not count, where there were too many.
    fn allows(&mut self, who: K, now: Instant) -> bool {
        if self.full_at.len() >= REMEMBERED {
            self.full_at.retain(|_, full| *full > now);
        }
        let full = self
            .full_at
            .get(&who)
            .copied()
            .filter(|full| *full > now)
            .unwrap_or(now)
            + self.rate.every;
        let allowed = full <= now + self.rate.every * self.rate.at_once;
        // Where there are too many to remember, new ones wait until some are forgotten.
        if allowed && (self.full_at.len() < REMEMBERED || self.full_at.contains_key(&who)) {
            self.full_at.insert(who, full);
            return true;
        }
        false
    }

    /// Takes a try back.
    fn undo(&mut self, who: &K) {
        if let Some(full) = self.full_at.get_mut(who) {
            *full -= self.rate.every;
        }
    }
}

/// Who tries a password.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Trier {
    /// A browser in which this learner has logged in before.
    Known(String),
    /// Some browser at this address.
    At(IpAddr),
}

impl Trier {
    /// A browser that is not known. A household has some 2^64 addresses of the newer kind, which count as one.
    pub fn at(address: IpAddr) -> Trier {
        Trier::At(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            address => address,
        })
    }
}

/// Lets passwords be tried, but not too often, and locks nobody out but who guesses. What counts are wrong passwords at
/// names that there are. Who guesses at one name fills a bucket of their address and that name. Who guesses at many
/// fills their address's, and there others too must wait, but not in browsers in which they have logged in before.
#[derive(Debug)]
pub(super) struct LogIns {
    at_a_name: Mutex<Tries<(Trier, String)>>,
    of_an_address: Mutex<Tries<Trier>>,
    sign_ups: Mutex<Tries<Trier>>,
    /// A hash takes 19 MiB and some 20 ms: one is made at a time, and one more for known browsers, who wait for no
    /// stranger.
    hashing: Semaphore,
    hashing_for_known: Semaphore,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LogIns {
    pub fn new() -> LogIns {
        LogIns {
            at_a_name: Mutex::new(Tries::new(AT_A_NAME)),
            of_an_address: Mutex::new(Tries::new(OF_AN_ADDRESS)),
            sign_ups: Mutex::new(Tries::new(OF_AN_ADDRESS)),
            hashing: Semaphore::new(1),
            hashing_for_known: Semaphore::new(1),
        }
    }

    /// Whether a password may be tried at the account of this name now. The try counts until it is
    /// [forgiven](LogIns::forgive).
    pub fn allows(&self, who: &Trier, name: &str) -> bool {
        let now = Instant::now();
        let pair = (who.clone(), name.to_lowercase());
        lock(&self.at_a_name).allows(pair, now)
            && (matches!(who, Trier::Known(_)) || lock(&self.of_an_address).allows(who.clone(), now))
    }

    /// The password was right: the try does not count.
    pub fn forgive(&self, who: &Trier, name: &str) {
        lock(&self.at_a_name).undo(&(who.clone(), name.to_lowercase()));
        lock(&self.of_an_address).undo(who);
    }

    /// Whether an account may be made there now.
    pub fn allows_sign_up(&self, who: &Trier) -> bool {
        lock(&self.sign_ups).allows(who.clone(), Instant::now())
    }

    /// A password's hash, as a PHC string.
    ///
    /// # Errors
    /// The machine gives no random numbers, or no memory.
    pub async fn hash(&self, password: String) -> Result<String, String> {
        let _turn = self.hashing.acquire().await.map_err(|error| error.to_string())?;
        let hashed = tokio::task::spawn_blocking(move || {
            let mut salt = [0; 16];
            getrandom::fill(&mut salt).map_err(|error| error.to_string())?;
            let salt = SaltString::encode_b64(&salt).map_err(|error| error.to_string())?;
            let hash = Argon2::default().hash_password(password.as_bytes(), &salt);
            hash.map(|hash| hash.to_string()).map_err(|error| error.to_string())
        });
        hashed.await.map_err(|error| error.to_string())?
    }

    /// Whether a password is the one of that hash.
    pub async fn fits(&self, who: &Trier, password: String, hash: String) -> bool {
        let turn = match who {
            Trier::Known(_) => &self.hashing_for_known,
            Trier::At(_) => &self.hashing,
        };
        let Ok(_turn) = turn.acquire().await else {
            return false;
        };
        let fits = tokio::task::spawn_blocking(move || {
            PasswordHash::new(&hash)
                .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
        });
        fits.await.unwrap_or(false)
    }
}

/// What is wrong with a password that somebody chooses.
pub(super) fn password_fault(password: &str) -> Option<String> {
    if password.chars().count() < SHORTEST_PASSWORD {
        return Some(format!("choose a password of at least {SHORTEST_PASSWORD} characters"));
    }
    (password.len() > LONGEST_PASSWORD).then(|| format!("choose a password of at most {LONGEST_PASSWORD} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str) -> Trier {
        Trier::at(address.parse().unwrap())
    }

    #[test]
    fn whoever_guesses_waits_and_others_do_not() {
        let (here, there) = (at("127.0.0.1"), at("192.0.2.7"));
        let log_ins = LogIns::new();
        let tried = (0..10_000).filter(|_| log_ins.allows(&there, "Ann")).count();
        assert!((5..8).contains(&tried), "{tried} of 10,000 were let through");
        assert!(log_ins.allows(&here, "Ann"), "its owner, from elsewhere");
        assert!(log_ins.allows(&there, "Bo"), "another name");
        let known = Trier::Known("ann".into());
        assert!(log_ins.allows(&known, "Ann"), "its owner, in a browser of hers");
        let tried = (0..10_000)
            .filter(|number| log_ins.allows(&there, &format!("{number}")))
            .count();
        assert!((20..35).contains(&tried), "{tried} of 10,000 names were let through");
        assert!(log_ins.allows(&here, "Bo") && log_ins.allows(&known, "Ann"));
        assert!(!log_ins.allows(&there, "Cy") && log_ins.allows_sign_up(&there));
    }

    #[test]
    fn a_class_logs_in_from_one_address() {
        let log_ins = LogIns::new();
        for pupil in 0..500 {
            let (who, name) = (at("192.0.2.7"), format!("pupil {pupil}"));
            assert!(log_ins.allows(&who, &name), "{name}");
            log_ins.forgive(&who, &name);
        }
    }

    #[test]
    fn a_household_of_the_newer_addresses_is_one() {
        assert_eq!(at("2001:db8:0:1::2"), at("2001:db8:0:1:ffff::9"));
        assert_ne!(at("2001:db8:0:1::2"), at("2001:db8:0:2::2"));
        assert_eq!(at("::ffff:192.0.2.7"), at("192.0.2.7"));
    }

    #[test]
    fn a_try_comes_back_with_time_and_what_is_remembered_is_bounded() {
        let mut tries = Tries::new(AT_A_NAME);
        let start = Instant::now();
        for _ in 0..5 {
            assert!(tries.allows(0, start));
        }
        assert!(!tries.allows(0, start + Duration::from_secs(11)));
        assert!(tries.allows(0, start + Duration::from_secs(12)));
        for who in 0..100_000 {
            tries.allows(who, start);
        }
        assert!(tries.full_at.len() <= REMEMBERED);
        assert!(
            tries.allows(-1, start + Duration::from_secs(120)),
            "they are forgotten in time"
        );
    }

    #[tokio::test]
    async fn only_the_right_password_fits() {
        let log_ins = LogIns::new();
        let hash = log_ins.hash("correct horse".into()).await.unwrap();
        assert!(hash.starts_with("$argon2id$"));
        for who in [at("127.0.0.1"), Trier::Known("ann".into())] {
            assert!(log_ins.fits(&who, "correct horse".into(), hash.clone()).await);
            assert!(!log_ins.fits(&who, "Correct horse".into(), hash.clone()).await);
        }
        assert!(password_fault("1234567").is_some() && password_fault("12345678").is_none());
    }
}
