//! Torres plays chess by looking at the screen. See the rooms below.
pub mod bot;
pub mod calibration;
pub mod cli;
pub mod desktop;
pub mod doctor;
pub mod engine;
pub mod fixture;
pub mod frame;
pub mod geometry;
pub mod journal;
pub mod link;
pub mod mouse;
pub mod picture;
pub mod screen;
pub mod site;
pub mod vision;
