//! Live frame sources behind `FrameSource`, and the windows and monitors to choose from.
