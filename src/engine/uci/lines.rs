//! What `go` says, and what is answered to it.

use crate::{Clock, Move, MoveError, Position, Score, SearchInfo, SearchLimits, SearchResult};
use std::time::Duration;

/// Words that are not understood are skipped; a negative time is none left.
pub(super) fn parse_limits(words: &[&str], position: &Position) -> SearchLimits {
    let value = |name: &str| -> Option<u64> {
        let at = words.iter().position(|&word| word == name)?;
        words
            .get(at + 1)?
            .parse::<i64>()
            .ok()
            .map(|number| number.max(0).unsigned_abs())
    };
    let ms = |name| value(name).map(Duration::from_millis);
    let clock = |time, increment| {
        ms(time).map(|remaining| Clock {
            remaining,
            increment: ms(increment).unwrap_or_default(),
        })
    };
    let small = |name| value(name).map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    SearchLimits {
        white: clock("wtime", "winc"),
        black: clock("btime", "binc"),
        moves_to_go: small("movestogo").filter(|&moves| moves > 0),
        move_time: ms("movetime"),
        depth: small("depth"),
        nodes: value("nodes"),
        mate: small("mate"),
        search_moves: search_moves(words, position),
        infinite: words.contains(&"infinite"),
        ponder: words.contains(&"ponder"),
    }
}

pub(super) fn info_line(info: &SearchInfo, show_wdl: bool) -> String {
    let score = match info.score {
        Score::Cp(centipawns) => format!("cp {centipawns}"),
        Score::Mate(moves) => format!("mate {moves}"),
    };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {score}{} nodes {} nps {} hashfull {} time {}",
        info.depth,
        info.selective_depth,
        info.line,
        if show_wdl { wdl(info.score) } else { String::new() },
        info.nodes,
        info.nps(),
        info.hash_full,
        info.time.as_millis(),
    );
    for (index, mv) in info.pv.iter().enumerate() {
        line.push_str(if index == 0 { " pv " } else { " " });
        line.push_str(&mv.to_string());
    }
    line
}

/// Chances of winning, drawing and losing in thousandths, by a logistic curve: two pawns ahead wins four of five games.
fn wdl(score: Score) -> String {
    let win = |centipawns: f64| 1000.0 / (1.0 + ((EVEN_CHANCE - centipawns) / STEEPNESS).exp());
    let (win, loss) = match score {
        Score::Cp(centipawns) => (win(f64::from(centipawns)) as i32, win(-f64::from(centipawns)) as i32),
        Score::Mate(moves) if moves > 0 => (1000, 0),
        Score::Mate(_) => (0, 1000),
    };
    format!(" wdl {win} {} {loss}", 1000 - win - loss)
}

/// Centipawns ahead that win every other game.
const EVEN_CHANCE: f64 = 120.0;
/// Centipawns that change the odds by a factor of e.
const STEEPNESS: f64 = 58.0;

/// The legal ones of the moves after `searchmoves`, up to the first word that is no move.
fn search_moves(words: &[&str], position: &Position) -> Vec<Move> {
    let after = words.iter().skip_while(|&&word| word != "searchmoves").skip(1);
    after
        .map_while(|word| match position.parse_uci(word) {
            Err(MoveError::NotUci(_)) => None,
            other => Some(other.ok()),
        })
        .flatten()
        .collect()
}

/// `(none)` says that there is no legal move: so does Stockfish, and what reads its answers reads ours.
pub(super) fn best_move_line(result: &SearchResult) -> String {
    match (result.best, result.ponder) {
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
        (Some(best), None) => format!("bestmove {best}"),
        (None, _) => "bestmove (none)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(text: &str) -> SearchLimits {
        parse_limits(&text.split_whitespace().collect::<Vec<_>>(), &Position::start())
    }

    #[test]
    fn limits_are_read_in_any_order() {
        let ms = Duration::from_millis;
        let read = limits("binc 20 wtime 1000 movestogo 7 btime -5 nodes 99 searchmoves x depth 3 movetime 40");
        assert_eq!(
            read.white,
            Some(Clock {
                remaining: ms(1000),
                increment: ms(0)
            })
        );
        assert_eq!(
            read.black,
            Some(Clock {
                remaining: ms(0),
                increment: ms(20)
            })
        );
        assert_eq!((read.moves_to_go, read.nodes, read.depth), (Some(7), Some(99), Some(3)));
        assert_eq!(read.move_time, Some(ms(40)));
        assert!(!read.infinite && !read.ponder);
        assert!(limits("infinite").infinite && limits("ponder wtime 1").ponder);
        assert_eq!(limits("depth x nodes movestogo 0"), SearchLimits::default());
    }

    #[test]
    fn moves_to_search_end_with_the_next_word() {
        let moves = |text| -> Vec<String> { limits(text).search_moves.iter().map(Move::to_string).collect() };
        assert_eq!(moves("searchmoves e2e4 d2d4 depth 5"), ["e2e4", "d2d4"]);
        assert_eq!(moves("depth 5 searchmoves e2e5 g1f3"), ["g1f3"]);
        assert_eq!(moves("depth 5"), [""; 0]);
        assert_eq!(limits("searchmoves e2e4 depth 5 mate 3").mate, Some(3));
    }

    #[test]
    fn chances_sum_up_and_grow_with_the_score() {
        let parts = |score| -> Vec<i32> {
            wdl(score)
                .split(' ')
                .skip(2)
                .map(|part| part.parse().unwrap())
                .collect()
        };
        let scores = [
            Score::Mate(-2),
            Score::Cp(-300),
            Score::Cp(0),
            Score::Cp(40),
            Score::Cp(900),
            Score::Mate(3),
        ];
        let wins: Vec<i32> = scores
            .map(|score| {
                let parts = parts(score);
                assert_eq!(parts.iter().sum::<i32>(), 1000, "{score:?}");
                assert!(parts.iter().all(|&part| part >= 0), "{score:?}");
                parts[0]
            })
            .to_vec();
        assert!(wins.is_sorted() && wins[0] == 0 && wins[5] == 1000, "{wins:?}");
        assert_eq!(parts(Score::Cp(50))[0], parts(Score::Cp(-50))[2]);
    }
}
