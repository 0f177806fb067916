-- Accounts: a learner with a name and a password. Read and written by account.rs and people.rs.

CREATE TABLE account (
    learner TEXT NOT NULL PRIMARY KEY REFERENCES learner (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    -- The name in small letters: no two accounts differ by capitals alone.
    name_key TEXT NOT NULL UNIQUE,
    -- Argon2, as a PHC string.
    password TEXT NOT NULL,
    made BIGINT NOT NULL
);

CREATE TABLE session (
    -- SHA-256 of the token in the browser, in hexadecimal.
    token_hash TEXT NOT NULL PRIMARY KEY,
    learner TEXT NOT NULL REFERENCES learner (id) ON DELETE CASCADE,
    expires BIGINT NOT NULL
);

CREATE INDEX session_learner ON session (learner);
