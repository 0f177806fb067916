//! Is this machine ready, and what to do if not.
