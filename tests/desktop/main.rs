//! What reaches the screen and the mouse: gestures, captures, the display and its doctor. Every test has a display of
//! its own.

mod desktop_doctor;
mod desktop_lifetime;
mod mouse_gestures;
mod mouse_measured;
mod mouse_released;
mod mouse_stop;
mod screen_capture;
