-- Games of two people. Read and written by people.rs.

CREATE TABLE people_game (
    id TEXT NOT NULL PRIMARY KEY,
    start_fen TEXT NOT NULL,
    -- Time at the start and for each move, in ms; NULL for a game without clocks.
    initial_ms BIGINT,
    increment_ms BIGINT,
    -- Whether it stands in the list of games: 0 for one that is known by its address alone.
    listed BIGINT NOT NULL,
    made BIGINT NOT NULL,
    ended BIGINT NOT NULL
);

CREATE INDEX people_game_going_on ON people_game (ended);

-- What happened in a game, numbered from 1. A game is what its changes add up to.
CREATE TABLE people_change (
    game TEXT NOT NULL REFERENCES people_game (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    -- JSON; src/people/game.rs knows what it holds.
    change TEXT NOT NULL,
    PRIMARY KEY (game, seq)
);

-- Who ever had a seat in a game.
CREATE TABLE people_player (
    game TEXT NOT NULL REFERENCES people_game (id) ON DELETE CASCADE,
    learner TEXT NOT NULL,
    PRIMARY KEY (game, learner)
);

CREATE INDEX people_player_learner ON people_player (learner);

-- When the server last wrote that it is alive: clocks stand while it is not.
CREATE TABLE people_server (
    id TEXT NOT NULL PRIMARY KEY,
    alive BIGINT NOT NULL
);
