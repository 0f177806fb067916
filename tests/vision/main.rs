//! Vision on frames that real board widgets rendered (`tests/data/vision`): the contracts of finding, reading and
//! following a board, and the commands that read pictures and recorded games.

mod drawn;
mod scene;
mod teaches;

mod calibrations;
mod clocks;
mod covers;
mod follows_a_game;
mod glimpses;
mod joins;
mod locates;
mod looks;
mod marks;
mod mirrored;
mod reads;
mod recorded;
mod refuses;
mod replay;
mod see;
