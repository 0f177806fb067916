//! How the site is reached: its listeners, in clear text or with TLS, and how patient they are.

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use torres_loopback::Doorkeeper;
use tower_service::Service;

/// How long a client may take for the beginning of TLS, or for a request's head.
const PATIENCE: Duration = Duration::from_secs(30);
/// Connections at a time; more wait until one ends.
const CONNECTIONS: usize = 10_000;
/// How long the listener rests where the system gives it no connection: too many files are open.
const REST: Duration = Duration::from_millis(500);

/// Where others may reach the site, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The address and port; port 0 takes a free one.
    pub address: SocketAddr,
    /// What proves the site's name; `None` for clear text.
    pub certificate: Option<Certificate>,
    /// Names by which the site is asked for in clear text, beside numbers.
    pub names: Vec<String>,
}

/// A certificate and its key, as PEM files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The certificate, followed by those that vouch for it.
    pub chain: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// Why others cannot reach the site.
#[derive(Debug, thiserror::Error)]
pub enum ReachError {
    /// The address is taken, or not this machine's.
    #[error("cannot listen on {address}: {source}; choose another --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file has no certificate or key that can be read.
    #[error("cannot read {path}: {why}; it must be a PEM file")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// They do not belong together.
    #[error("the certificate and its key cannot be used: {0}")]
    Certificate(#[from] rustls::Error),
}

/// A listener that serves nothing yet, and whom it answers.
pub(crate) struct Entrance {
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    keeper: Doorkeeper,
}

impl Entrance {
    /// One in clear text.
    pub fn new(listener: TcpListener, keeper: Doorkeeper) -> Entrance {
        let tls = None;
        Entrance { listener, tls, keeper }
    }

    /// One through which others may come.
    ///
    /// # Errors
    /// The address is taken, or the certificate cannot be used.
    pub async fn open(reach: &Reach) -> Result<Entrance, ReachError> {
        let tls = reach.certificate.as_ref().map(tls_of).transpose()?;
        let address = reach.address;
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|source| ReachError::Listen { address, source })?;
        let keeper = Doorkeeper::of_network(tls.is_some(), reach.names.clone());
        Ok(Entrance { listener, tls, keeper })
    }

    /// The port that is listened on.
    ///
    /// # Errors
    /// The system does not say.
    pub fn port(&self) -> std::io::Result<u16> {
        Ok(self.listener.local_addr()?.port())
    }

    /// Answers whoever comes, until it is dropped.
    pub async fn serve(self, router: Router) {
        let router = self.keeper.guard(router);
        let free = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let Ok(place) = Arc::clone(&free).acquire_owned().await else {
                return;
            };
            let (stream, peer) = match self.listener.accept().await {
                Ok(connection) => connection,
                Err(error) => {
                    tracing::warn!("a connection could not be taken: {error}");
                    sleep(REST).await;
                    continue;
                }
            };
            let (tls, router) = (self.tls.clone(), router.clone());
            tokio::spawn(async move {
                receive(stream, peer, tls, router).await;
                drop(place);
            });
        }
    }
}

/// What speaks TLS by a certificate.
fn tls_of(certificate: &Certificate) -> Result<TlsAcceptor, ReachError> {
    let file = |path: &Path, error: rustls::pki_types::pem::Error| ReachError::File {
        path: path.to_owned(),
        why: error.to_string(),
    };
    let chain = CertificateDer::pem_file_iter(&certificate.chain).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let chain = chain.map_err(|error| file(&certificate.chain, error))?;
    let key = PrivateKeyDer::from_pem_file(&certificate.key).map_err(|error| file(&certificate.key, error))?;
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

async fn receive(stream: TcpStream, peer: SocketAddr, tls: Option<TlsAcceptor>, router: Router) {
    // A move is a small message, and waits for no other to travel with.
    let _ = stream.set_nodelay(true);
    match tls {
        None => converse(stream, peer, router).await,
        Some(tls) => match timeout(PATIENCE, tls.accept(stream)).await {
            Ok(Ok(stream)) => converse(stream, peer, router).await,
            Ok(Err(error)) => tracing::debug!(%peer, "no TLS: {error}"),
            Err(_) => tracing::debug!(%peer, "no TLS in time"),
        },
    }
}

/// Answers a connection's requests until either side ends it.
async fn converse(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, peer: SocketAddr, router: Router) {
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request: Request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().call(request)
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    if let Err(error) = served.await {
        tracing::debug!(%peer, "a connection failed: {error}");
    }
}
