//! Accounts: a name and a password, for whoever wants to be known on more than one browser. Guests play without.

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Shortest password, in characters.
pub const SHORTEST_PASSWORD: usize = 8;
/// Longest password, in bytes: nobody lets the server hash a book.
pub const LONGEST_PASSWORD: usize = 256;
/// Tries of one address at one name that may come at once, and after how long there is one more.
const AT_A_NAME: Rate = Rate {
    at_once: 5,
    every: Duration::from_secs(12),
};
/// Tries of one address at all names.
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
}

/// Lets passwords be tried, but not too often: who tries too often at one name, or from one address, does not keep others from their own.
#[derive(Debug)]
pub(super) struct LogIns {
    at_a_name: Mutex<Tries<(IpAddr, String)>>,
    of_an_address: Mutex<Tries<IpAddr>>,
    /// A hash takes 19 MiB and some 20 ms: so many are made at a time.
    hashing: Semaphore,
}

impl LogIns {
    pub fn new() -> LogIns {
        LogIns {
            at_a_name: Mutex::new(Tries::new(AT_A_NAME)),
            of_an_address: Mutex::new(Tries::new(OF_AN_ADDRESS)),
            hashing: Semaphore::new(2),
        }
    }

    /// Whether this address may try a password at this name now.
    pub fn allows(&self, address: IpAddr, name: &str) -> bool {
        let now = Instant::now();
        let pair = (address, name.to_lowercase());
        let at_a_name = self
            .at_a_name
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .allows(pair, now);
        at_a_name
            && self
                .of_an_address
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .allows(address, now)
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

    /// Whether a password is the one of that hash. Where there is no hash, a stranger is to find out no sooner.
    pub async fn fits(&self, password: String, hash: Option<String>) -> bool {
        let Ok(_turn) = self.hashing.acquire().await else {
            return false;
        };
        let fits = tokio::task::spawn_blocking(move || {
            let argon = Argon2::default();
            let Some(hash) = hash else {
                // As long as it takes where there is one.
                let _ = SaltString::from_b64("bm9ib2R5IGF0IGFsbA")
                    .map(|salt| argon.hash_password(password.as_bytes(), &salt).is_ok());
                return false;
            };
            PasswordHash::new(&hash).is_ok_and(|hash| argon.verify_password(password.as_bytes(), &hash).is_ok())
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

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 1));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 7));

    #[test]
    fn whoever_tries_too_often_waits_and_others_do_not() {
        let log_ins = LogIns::new();
        let tried = (0..10_000).filter(|_| log_ins.allows(THERE, "Ann")).count();
        assert!((5..8).contains(&tried), "{tried} of 10,000 were let through");
        assert!(log_ins.allows(HERE, "Ann"), "its owner, from elsewhere");
        assert!(log_ins.allows(THERE, "Bo"), "another name");
        let tried = (0..10_000)
            .filter(|number| log_ins.allows(THERE, &format!("{number}")))
            .count();
        assert!((20..35).contains(&tried), "{tried} of 10,000 names were let through");
        assert!(log_ins.allows(HERE, "Bo"));
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
        assert!(log_ins.fits("correct horse".into(), Some(hash.clone())).await);
        assert!(!log_ins.fits("Correct horse".into(), Some(hash)).await);
        assert!(!log_ins.fits("correct horse".into(), None).await);
        assert!(password_fault("1234567").is_some() && password_fault("12345678").is_none());
    }
}
