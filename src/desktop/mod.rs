//! A display, a window manager and a browser, started and ended for the demo and the tests.
