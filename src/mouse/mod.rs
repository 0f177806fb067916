//! Points in, gestures out, and the emergency stop.
