//! The practice site: a real chess page with computer opponents, always its own process.
