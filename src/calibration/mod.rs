//! The saved calibration file, and the procedure that makes and checks it.
