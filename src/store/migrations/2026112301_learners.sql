-- Who learns, and how far they are. Read and written by learner.rs, lesson.rs, review.rs and puzzle.rs.
-- One text for SQLite and PostgreSQL: TEXT, BIGINT and DOUBLE PRECISION mean the same to both. Times are Unix times in ms, days
-- are counted from 1970-01-01, truth is 0 or 1.

CREATE TABLE learner (
    id TEXT NOT NULL PRIMARY KEY,
    -- SHA-256 of the token in the learner's browser, in hexadecimal.
    token_hash TEXT NOT NULL UNIQUE,
    made BIGINT NOT NULL
);

CREATE TABLE lesson_progress (
    learner TEXT NOT NULL REFERENCES learner (id) ON DELETE CASCADE,
    lesson TEXT NOT NULL,
    -- The step's place in the lesson, from 0.
    step BIGINT NOT NULL,
    -- How far the learner is in this step, as JSON; the judge of lessons knows what it holds.
    state TEXT NOT NULL,
    -- Whether the step was ever done.
    done BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    PRIMARY KEY (learner, lesson, step)
);

CREATE TABLE review (
    learner TEXT NOT NULL REFERENCES learner (id) ON DELETE CASCADE,
    lesson TEXT NOT NULL,
    step BIGINT NOT NULL,
    -- FSRS: days after which it is remembered with a chance of 90 %; 1, easy, to 10.
    stability DOUBLE PRECISION NOT NULL,
    difficulty DOUBLE PRECISION NOT NULL,
    -- Days.
    reviewed BIGINT NOT NULL,
    due BIGINT NOT NULL,
    PRIMARY KEY (learner, lesson, step)
);

CREATE INDEX review_due ON review (learner, due);

CREATE TABLE puzzle_rating (
    learner TEXT NOT NULL PRIMARY KEY REFERENCES learner (id) ON DELETE CASCADE,
    -- Glicko-2.
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL
);

-- The puzzle that a learner has before them.
CREATE TABLE puzzle_shown (
    learner TEXT NOT NULL PRIMARY KEY REFERENCES learner (id) ON DELETE CASCADE,
    puzzle TEXT NOT NULL,
    state TEXT NOT NULL
);

-- The first try of each puzzle: only it is rated.
CREATE TABLE puzzle_attempt (
    learner TEXT NOT NULL REFERENCES learner (id) ON DELETE CASCADE,
    puzzle TEXT NOT NULL,
    solved BIGINT NOT NULL,
    -- The learner's rating after it.
    rating DOUBLE PRECISION NOT NULL,
    tried BIGINT NOT NULL,
    PRIMARY KEY (learner, puzzle)
);

-- The most squares that a learner found in one round of the coordinates trainer.
CREATE TABLE coordinates_best (
    learner TEXT NOT NULL REFERENCES learner (id) ON DELETE CASCADE,
    -- white or black: whose side of the board was at the bottom.
    side TEXT NOT NULL,
    squares BIGINT NOT NULL,
    PRIMARY KEY (learner, side)
);
