-- Browsers in which somebody has logged in: whoever guesses at a name elsewhere does not keep its owner out of these. Read and written by
-- account.rs.

CREATE TABLE known_browser (
    -- SHA-256 of the token in the browser, in hexadecimal.
    token_hash TEXT NOT NULL PRIMARY KEY,
    learner TEXT NOT NULL REFERENCES learner (id) ON DELETE CASCADE,
    since BIGINT NOT NULL
);

CREATE INDEX known_browser_learner ON known_browser (learner);
