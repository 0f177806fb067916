//! Whole games: Torres' commands as processes beside a browser, and what they leave. The tests named `e2e_` have a
//! display of their own.

mod doors;
mod e2e_calibration;
mod e2e_clock;
mod e2e_demo;
mod e2e_draws;
mod e2e_faults;
mod e2e_followed;
mod e2e_foreign;
mod e2e_move_input;
mod e2e_next_game;
mod e2e_page_faults;
mod e2e_panels;
mod e2e_peer;
mod e2e_ponder;
mod e2e_promotion;
mod e2e_record;
mod e2e_results;
mod e2e_site_clocks;
mod e2e_site_games;
mod e2e_staged;
mod e2e_stated;
mod e2e_stop;
mod e2e_stopping;
mod e2e_watch;
mod evidence;
mod fresh_machine;
mod live_figures;
mod results;
