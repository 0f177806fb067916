-- Puzzles from a learner's own mistakes, and when each comes back. Read and written by own_puzzle.rs.

CREATE TABLE own_puzzle (
    learner TEXT NOT NULL REFERENCES learner (id) ON DELETE CASCADE,
    -- The game, and the plies before the mistake: GAME-PLIES.
    id TEXT NOT NULL,
    -- The position before the other side's last move, as FEN, and that move, UCI.
    before TEXT NOT NULL,
    lead TEXT NOT NULL,
    -- The moves that are right, UCI, the best first, with spaces between; and the one that was played.
    accept TEXT NOT NULL,
    played TEXT NOT NULL,
    made BIGINT NOT NULL,
    -- Glicko-2.
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    -- How far the learner is while it lies before them, as JSON.
    state TEXT,
    -- FSRS, as in review; NULL until it was tried.
    stability DOUBLE PRECISION,
    difficulty DOUBLE PRECISION,
    reviewed BIGINT,
    due BIGINT,
    PRIMARY KEY (learner, id)
);
