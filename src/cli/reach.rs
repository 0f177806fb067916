//! Whether, and how, others may reach the site: asked of whoever starts it.

use super::CliError;
use std::io::{BufRead, IsTerminal, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use torres_site::{Certificate, Reach};

/// How others may reach the site.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct ReachArgs {
    /// Let others reach the site on this address and port, such as 0.0.0.0:8443 for all of this machine's networks;
    /// says what that means, and asks.
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    /// The certificate that proves the site's name to others: a PEM file, with the certificates that vouch for it.
    #[arg(long, value_name = "FILE", requires_all = ["listen", "tls_key"])]
    pub tls_cert: Option<PathBuf>,
    /// The certificate's private key, a PEM file.
    #[arg(long, value_name = "FILE", requires_all = ["listen", "tls_cert"])]
    pub tls_key: Option<PathBuf>,
    /// A name by which others may ask for the site without TLS, beside its IP addresses; may be said several times.
    #[arg(long, value_name = "NAME", requires = "listen")]
    pub host: Vec<String>,
    /// Answer yes to what --listen asks, where nobody is at a terminal.
    #[arg(long, requires = "listen")]
    pub yes: bool,
}

impl ReachArgs {
    /// What was asked for, and agreed to at the terminal; `None` where the site is to stay this machine's own.
    ///
    /// # Errors
    /// Nobody agreed.
    pub(crate) fn agreed(self) -> Result<Option<Reach>, CliError> {
        self.agreed_by(ask_at_the_terminal)
    }

    /// What was asked for, if `ask` brings an answer to a question and it is yes; an answer of `None`: nobody can be
    /// asked.
    fn agreed_by(self, ask: impl FnOnce(&str) -> Option<String>) -> Result<Option<Reach>, CliError> {
        let Some(address) = self.listen else { return Ok(None) };
        let certificate = self.tls_cert.zip(self.tls_key);
        let reach = Reach {
            address,
            certificate: certificate.map(|(chain, key)| Certificate { chain, key }),
            names: self.host,
        };
        if self.yes || address.ip().is_loopback() {
            return Ok(Some(reach));
        }
        let meaning = meaning(&reach);
        match ask(&format!("{meaning}\nType yes to go on: ")) {
            Some(answer) if answer.trim().eq_ignore_ascii_case("yes") => Ok(Some(reach)),
            Some(_) => Err(CliError::usage("nobody said yes, so nothing is served")),
            None => Err(CliError::usage(format!(
                "{meaning}\nNobody is at a terminal to be asked; say --yes if that is meant"
            ))),
        }
    }
}

/// What is answered at the terminal; `None` where there is none.
fn ask_at_the_terminal(question: &str) -> Option<String> {
    if !std::io::stdin().is_terminal() {
        return None;
    }
    eprint!("{question}");
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    let _ = std::io::stdin().lock().read_line(&mut answer);
    Some(answer)
}

/// What it means to let others reach the site.
fn meaning(reach: &Reach) -> String {
    let address = reach.address;
    let who = match address.ip() {
        ip if ip.is_unspecified() => {
            "every machine in a network of this one, and the whole internet unless a router or firewall stops it"
        }
        ip if is_local(ip) => "every machine in the same network",
        _ => "the whole internet, unless a router or firewall stops it",
    };
    let secret = match reach.certificate {
        Some(_) => "What passes is encrypted.",
        None => {
            "Nothing is encrypted: whoever is on the way can read passwords, and read and change games. \
             --tls-cert and --tls-key encrypt it."
        }
    };
    format!(
        "--listen {address} lets others reach this site: {who}.\n\
         They can make games, play, watch, learn, and make accounts, which are kept on this machine. The board at \
         / and its log stay this machine's own.\n{secret}"
    )
}

/// Whether an address is known in its own network alone.
fn is_local(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.is_private() || ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(address: &str) -> ReachArgs {
        ReachArgs {
            listen: Some(address.parse().unwrap()),
            ..ReachArgs::default()
        }
    }

    #[test]
    fn nobody_else_gets_in_without_the_word() {
        let unasked = |_: &str| panic!("nobody is to be asked");
        assert_eq!(ReachArgs::default().agreed_by(unasked).unwrap(), None);
        assert!(
            args("127.0.0.1:0").agreed_by(unasked).unwrap().is_some(),
            "this machine's own"
        );
        for address in ["0.0.0.0:1", "192.168.1.2:1", "[::]:1", "192.0.2.7:1"] {
            let refused = args(address).agreed_by(|_| None).unwrap_err().to_string();
            assert!(refused.contains("--yes"), "{refused}");
            for (answer, agreed) in [
                ("yes\n", true),
                ("Yes", true),
                ("y\n", false),
                ("\n", false),
                ("", false),
            ] {
                let mut asked = String::new();
                let reach = args(address).agreed_by(|question| {
                    asked = question.to_string();
                    Some(answer.to_string())
                });
                assert_eq!(reach.is_ok(), agreed, "{answer:?}");
                assert!(asked.contains(address), "{asked}");
            }
            let agreed = ReachArgs {
                yes: true,
                ..args(address)
            };
            assert!(agreed.agreed_by(unasked).unwrap().is_some());
        }
    }

    #[test]
    fn it_is_said_who_gets_in_and_what_they_can_read() {
        let told = |address: &str, certificate| {
            meaning(&Reach {
                address: address.parse().unwrap(),
                certificate,
                names: Vec::new(),
            })
        };
        for (address, internet) in [
            ("0.0.0.0:1", true),
            ("[::]:1", true),
            ("8.8.8.8:1", true),
            ("192.168.1.2:1", false),
            ("[fd00::1]:1", false),
        ] {
            let said = told(address, None);
            assert_eq!(said.contains("internet"), internet, "{said}");
            assert!(
                said.contains("passwords") && said.contains("Nothing is encrypted"),
                "{said}"
            );
        }
        let certificate = Certificate {
            chain: "c".into(),
            key: "k".into(),
        };
        assert!(told("0.0.0.0:1", Some(certificate)).contains("is encrypted."));
    }
}
