//! Decisions as JSON lines, evidence, PGN and the contact sheet.
