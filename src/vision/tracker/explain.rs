//! Which legal line explains the whole board.
//!
//! A line explains a picture when its last position agrees with every square that is read for certain, and when each
//! square on which that position differs from the believed one *is* read for certain. Squares that are covered and keep
//! their content are not held against it. Shorter lines go before longer ones; among lines of one length all must end
//! in the same position.

use super::super::appearance::{
    Alike, CERTAIN, CloserLook, HIDDEN, SquareReading, SquareScores, distinguishes, index, judge, log_likelihood_ratio,
};
use super::covered::painted_over;
use shakmaty::{Bitboard, Board, Chess, Move, Piece, Position, Square};
use torres_chess::same_position;
use torres_geometry::BySquare;

/// The longest line looked for, in plies: our move, the answer, and one more.
pub const LONGEST: usize = 3;

/// The most squares that one ply changes (castling).
const PER_PLY: usize = 4;

/// A covered square that keeps its content may read as something else by this much, as a mean cost over the square.
const COVERED_REGRET: f32 = 0.08;

/// The same for a square that resembles nothing, as a share of its least cost.
const HIDDEN_REGRET: f32 = 0.6;

/// How many squares of a board that is recognised as a whole may be covered.
const COVERED_SQUARES: usize = 4;

/// That nothing was played is not seen where squares speak so much for a move, in nats: 10 to 1, a judgement.
const FOR_A_MOVE: f32 = 2.3;

/// What costs an empty square more than this may be a part of a piece.
const STIRRING: f32 = 0.08;

/// Something is read rather than another where it costs less by this.
const RATHER_THERE: f32 = 0.1;

/// A promoted piece is the one that was chosen on the page by 6.9 nats (1000 to 1, a judgement: the click may have gone
/// wrong). It is believed by 4.6 (100 to 1), so a picture may speak for another piece by no more than the rest.
const FOR_ANOTHER_THAN_CHOSEN: f32 = 6.9 - 4.6;

/// A piece that was never seen on such a square fits much better than what is read where it costs less than this share of
/// that.
/// (A white king on light wood, seen on dark wood before: 0.004 of 0.026. Of pieces that were read rightly on that board,
/// a guess at another one cost more in all 27 cases.)
const MUCH_BETTER: f32 = 0.5;

/// How many candidates a doubt reports.
const CANDIDATES: usize = 5;

/// A board as read, ready to be compared with positions.
pub struct ScoredBoard<'a> {
    scores: &'a BySquare<SquareScores>,
    readings: BySquare<SquareReading>,
    seen: Board,
    certain: Bitboard,
    /// Squares under something opaque.
    painted: Bitboard,
    /// Squares whose picture is still that in which they were understood, though it does not show what stands there.
    unchanged: Bitboard,
    alike: Alike,
    /// A promotion of ours, not seen yet, whose piece was chosen on the page.
    chosen: Option<Move>,
    /// The picture, where single squares may be looked at once more.
    look: Option<&'a CloserLook<'a>>,
    /// Pieces that stood on squares since the position was believed, too long for pieces on their way.
    stood: &'a [(Square, Piece)],
}

/// A line of whose last move a square or two are seen in part.
pub struct HalfSeen {
    /// The moves.
    pub line: Vec<Move>,
    /// The position after them.
    pub end: Chess,
    /// Whether what is seen tells it from all other legal moves.
    pub unambiguous: bool,
    /// Whether the square on which it ends is hidden, or looks about as much like its piece as like anything else.
    pub may_have_arrived: bool,
}

/// What the legal lines make of a picture.
#[derive(Clone, Debug)]
pub enum Explanation {
    /// One position, and the first line that leads to it.
    Line(Vec<Move>, Box<Chess>),
    /// One position, and the several lines that lead to it: the one to report comes first.
    Lines(Vec<Vec<Move>>, Box<Chess>),
    /// Several positions fit.
    Ambiguous,
    /// None does.
    None,
}

impl<'a> ScoredBoard<'a> {
    /// Judges every square.
    pub fn new(scores: &'a BySquare<SquareScores>) -> ScoredBoard<'a> {
        let painted = painted_over(scores);
        let readings = BySquare::from_fn(|s| {
            let read = judge(&scores[s]);
            SquareReading {
                doubtful: read.doubtful || painted.contains(s),
                ..read
            }
        });
        let pieces = readings.iter().filter_map(|(s, r)| Some((s, r.content?)));
        ScoredBoard {
            scores,
            seen: pieces.collect(),
            certain: readings.iter().filter(|(_, r)| !r.doubtful).map(|(s, _)| s).collect(),
            readings,
            painted,
            unchanged: Bitboard::EMPTY,
            alike: scores[Square::A1].alike,
            chosen: None,
            look: None,
            stood: &[],
        }
    }

    /// The same after a picture that was understood to show `board`, from which only the squares `changed` differ. What
    /// is unlike the board elsewhere was so before: it says nothing.
    pub fn after(self, board: &Board, changed: Bitboard) -> ScoredBoard<'a> {
        let unchanged = !changed & (self.unlike(board) | !self.certain);
        ScoredBoard {
            certain: self.certain & !unchanged,
            unchanged,
            ..self
        }
    }

    /// The same after a promotion whose piece was chosen on the page: its square does not have to tell that piece from
    /// the others.
    pub fn with_chosen(self, chosen: Option<Move>) -> ScoredBoard<'a> {
        ScoredBoard { chosen, ..self }
    }

    /// The same with the picture: squares that are seen in part are looked at once more.
    pub fn with_look(self, look: &'a CloserLook<'a>) -> ScoredBoard<'a> {
        ScoredBoard {
            look: Some(look),
            ..self
        }
    }

    /// The same after pictures in which these pieces stood on these squares: a line on whose way they do is told rather
    /// than a shorter one.
    pub fn with_stood(self, stood: &'a [(Square, Piece)]) -> ScoredBoard<'a> {
        ScoredBoard { stood, ..self }
    }

    /// Whether each piece that stood somewhere does so at a moment of a line; where nothing was played, they have gone
    /// back.
    fn leads_over_what_stood(&self, position: &Chess, line: &[Move]) -> bool {
        if line.is_empty() {
            return true;
        }
        let mut left: Vec<(Square, Piece)> = self.stood.to_vec();
        let mut at = position.clone();
        for m in line {
            at.play_unchecked(*m);
            left.retain(|(s, piece)| at.board().piece_at(*s) != Some(*piece));
        }
        left.is_empty()
    }

    /// Whether what is seen of a square shows this piece at rest there rather than any of the others.
    fn rests(&self, s: Square, piece: Piece, others: &[Option<Piece>]) -> bool {
        self.look.is_some_and(|look| look.rests(s, piece, others))
    }

    /// How far a piece lies beside its place, in cells; 0 where that cannot be told.
    pub fn aside(&self, s: Square, piece: Piece) -> f32 {
        self.look.and_then(|look| look.aside(s, piece)).unwrap_or(0.0)
    }

    /// Whether this move would make another piece of a pawn than was chosen, and the picture does not speak for that. (What
    /// is read for certain is what it is, whatever was chosen.)
    fn is_ruled_out_by_choice(&self, m: &Move, end: &Board) -> bool {
        let is_same_pawn = |chosen: &Move| (chosen.from(), chosen.to()) == (m.from(), m.to());
        let Some(chosen) = self
            .chosen
            .filter(is_same_pawn)
            .filter(|chosen| chosen.promotion() != m.promotion())
        else {
            return false;
        };
        let other = end.piece_at(m.to());
        let meant = other.and_then(|piece| Some(chosen.promotion()?.of(piece.color)));
        let scores = &self.scores[m.to()];
        // By a guess of how the chosen piece looks nothing speaks against it.
        scores.is_guess(index(meant))
            || log_likelihood_ratio(scores, index(other), index(meant)) <= FOR_ANOTHER_THAN_CHOSEN
    }

    /// How every square compares with everything that may stand on it.
    pub fn scores(&self) -> &BySquare<SquareScores> {
        self.scores
    }

    /// What was read.
    pub fn readings(&self) -> &BySquare<SquareReading> {
        &self.readings
    }

    /// Squares that do not look like what the board has there.
    fn unlike(&self, board: &Board) -> Bitboard {
        let may_be_it = |s: &Square| !self.may_be(*s, board.piece_at(*s));
        differing(&self.alike.board(board), &self.seen)
            .into_iter()
            .filter(may_be_it)
            .collect()
    }

    /// Whether this piece may stand where another one of its side is read: it was seen on squares of the other colour only,
    /// and with all that leaves open it fits much better.
    fn may_be(&self, s: Square, piece: Option<Piece>) -> bool {
        let (Some(piece), Some(read)) = (piece, self.readings[s].content) else {
            return false;
        };
        let scores = &self.scores[s];
        let fits_better = |guess: f32| guess < MUCH_BETTER * scores.cost[index(Some(read))];
        piece.color == read.color
            && scores.is_guess(index(Some(piece)))
            && self
                .look
                .and_then(|look| look.cost_of_guess(s, piece))
                .is_some_and(fits_better)
    }

    /// Squares read for certain that do not show what the board has there.
    pub fn contradicted(&self, board: &Board) -> Bitboard {
        self.unlike(board) & self.certain
    }

    /// Pieces read for certain where the board has none of them.
    pub fn pieces_not_on(&self, board: &Board) -> Vec<(Square, Piece)> {
        let pieces = self.contradicted(board).into_iter();
        pieces.filter_map(|s| Some((s, self.readings[s].content?))).collect()
    }

    /// Whether `plies` moves could lead from these pieces to those seen, by the number of squares that differ.
    pub fn is_within(&self, board: &Board, plies: usize) -> bool {
        self.contradicted(board).count() <= plies * PER_PLY
    }

    /// The pieces as read, whether for certain or not.
    pub fn seen(&self) -> &Board {
        &self.seen
    }

    /// How many squares contradict these pieces or cannot be read.
    pub fn unread(&self, board: &Board) -> usize {
        (self.contradicted(board) | !self.certain).count()
    }

    /// Squares read for certain.
    pub fn certain(&self) -> Bitboard {
        self.certain
    }

    /// How sure the least sure square is that the line changed, or, for an empty line, that is not covered.
    pub fn confidence(&self, before: &Board, after: &Board) -> f64 {
        let touched = differing(before, after);
        let counted = if touched.is_empty() { self.certain } else { touched };
        counted
            .into_iter()
            .map(|s| self.readings[s].confidence)
            .fold(1.0, f64::min)
    }

    /// Whether some squares are read for certain as the board has them.
    pub fn shows(&self, squares: Bitboard, board: &Board) -> bool {
        (squares & !self.certain).is_empty() && (self.unlike(board) & squares).is_empty()
    }

    /// The unique shortest legal line from `position` that explains the board. Of lines that end in the same position
    /// the one that begins as `rather` does is reported: an en passant capture looks like a single step captured.
    ///
    /// A line that leaves out what stood on the way is told only if no longer one leads over it: two steps of a pawn
    /// show what one of two squares does.
    pub fn explain(&self, position: &Chess, rather: &[Move]) -> Explanation {
        let mut leaves_out = Explanation::None;
        for length in 0..=LONGEST {
            let mut found: Vec<(Vec<Move>, Chess)> = Vec::new();
            self.search(position, position.board(), length, &mut Vec::new(), &mut found);
            if length == 0 && !found.is_empty() && self.speaks_for_a_move(position) {
                found.clear();
            }
            let (over, others): (Vec<_>, Vec<_>) = found
                .into_iter()
                .partition(|(line, _)| self.leads_over_what_stood(position, line));
            match (over.is_empty(), &leaves_out) {
                (false, _) => return self.told(over, length, position, rather),
                (true, Explanation::None) => leaves_out = self.told(others, length, position, rather),
                _ => {}
            }
        }
        leaves_out
    }

    /// Whether squares that are not read for certain are just those of a legal move, and each shows rather what the move
    /// leaves there: then it is not seen that nothing was played.
    fn speaks_for_a_move(&self, position: &Chess) -> bool {
        let start = position.board();
        let may_have_changed = !self.certain & !self.unchanged & !self.painted;
        let shows_rather = |end: &Board, s: Square| {
            let [was, is] = [start, end].map(|board| self.scores[s].cost[index(board.piece_at(s))]);
            is < was
        };
        successors(position).iter().any(|(_, end)| {
            let end = end.board();
            let differ = differing(start, end);
            let for_it = |s: Square| {
                let [was, is] = [start, end].map(|board| index(board.piece_at(s)));
                log_likelihood_ratio(&self.scores[s], is, was)
            };
            (differ & !may_have_changed).is_empty()
                && differ.into_iter().all(|s| shows_rather(end, s))
                && differ.into_iter().map(for_it).sum::<f32>() >= FOR_A_MOVE
        })
    }

    /// What shortest lines of one length tell, all of which explain the board.
    fn told(&self, found: Vec<(Vec<Move>, Chess)>, length: usize, position: &Chess, rather: &[Move]) -> Explanation {
        let Some((_, end)) = found.first() else {
            return Explanation::None;
        };
        if !found.iter().all(|(_, other)| same_position(end, other)) || self.has_rival(position, length, end) {
            return Explanation::Ambiguous;
        }
        let end = Box::new(end.clone());
        let mut lines: Vec<Vec<Move>> = found.into_iter().map(|(line, _)| line).collect();
        let preferred = lines.iter().position(|line| line.starts_with(rather)).unwrap_or(0);
        lines.swap(0, preferred);
        // The beginning of a line that was held back was seen.
        let begun = !rather.is_empty() && lines[0].starts_with(rather);
        match lines.len() {
            1 => Explanation::Line(lines.remove(0), end),
            _ if begun => Explanation::Line(lines.remove(0), end),
            _ => Explanation::Lines(lines, end),
        }
    }

    /// Whether other moves than those that lead to `end` may have been played, as many or fewer: they agree with every
    /// square that is read for certain, and the squares that are not speak against them by too little. What is played
    /// under a pointer is seen by nobody.
    pub fn has_rival(&self, position: &Chess, plies: usize, end: &Chess) -> bool {
        if self.certain == Bitboard::FULL {
            return false;
        }
        let start = position.board();
        (1..=plies).any(|plies| {
            let mut agreeing = Vec::new();
            self.agreeing(position, plies, &mut Vec::new(), &mut agreeing);
            let mut others = agreeing.iter().filter(|(_, _, other)| other.board() != end.board());
            others.any(|(_, _, other)| self.may_be_rather(start, other.board(), end.board()))
        })
    }

    /// Whether squares that are not read leave it possible that one board stands there and not another; both agree with
    /// those that are read.
    fn may_be_rather(&self, start: &Board, this: &Board, other: &Board) -> bool {
        let differ = differing(this, other) & !self.certain;
        let against = |s: Square| {
            let [this, other] = [this, other].map(|board| index(board.piece_at(s)));
            match self.painted.contains(s) {
                true => 0.0,
                false => log_likelihood_ratio(&self.scores[s], other, this),
            }
        };
        // What has not changed since it was understood shows what it showed, unless nothing of it is seen.
        let is_unchanged =
            |s: &Square| self.unchanged.contains(*s) && !self.is_hidden(*s) && start.piece_at(*s) != this.piece_at(*s);
        !differ.into_iter().any(|s| is_unchanged(&s)) && differ.into_iter().map(against).sum::<f32>() < CERTAIN
    }

    /// Squares on which something else may be going on than moves from one board to the other: covered ones that they
    /// leave alone, and such as seem empty but show what nothing on them explains.
    pub fn stirring(&self, before: &Board, after: &Board) -> Bitboard {
        let seems_empty = |s: &Square| self.readings[*s].content.is_none() && self.scores[*s].least() > STIRRING;
        let littered: Bitboard = self.certain.into_iter().filter(seems_empty).collect();
        littered | (!self.certain & !differing(before, after))
    }

    /// Every single move that explains the board.
    pub fn fitting(&self, position: &Chess) -> Vec<(Move, Chess)> {
        let mut found = Vec::new();
        self.search(position, position.board(), 1, &mut Vec::new(), &mut found);
        found
            .into_iter()
            .filter_map(|(line, end)| Some((*line.first()?, end)))
            .collect()
    }

    /// Every single move that agrees with all that is read for certain, and where it leads.
    pub fn agreeing_moves(&self, position: &Chess) -> Vec<(Move, Chess)> {
        let mut found = Vec::new();
        self.agreeing(position, 1, &mut Vec::new(), &mut found);
        found
            .into_iter()
            .filter_map(|(line, _, end)| Some((*line.first()?, end)))
            .collect()
    }

    /// Whether the whole board shows these pieces, a few covered squares aside.
    pub fn stands(&self, board: &Board) -> bool {
        self.contradicted(board).is_empty() && (!self.certain).count() <= COVERED_SQUARES && self.fits(board, board)
    }

    /// Moves that explain the board but for squares of the last of them that are not read for certain; `plies` moves.
    /// *Told*: these squares show it as far as the rules leave a choice. Otherwise the square on which the move ends is
    /// covered, or its piece is not quite there yet: only marks can name it. `None` if no line of `plies` moves may
    /// have been played.
    pub fn half_seen(&self, position: &Chess, plies: usize) -> Option<Vec<HalfSeen>> {
        let mut agreeing = Vec::new();
        self.agreeing(position, plies, &mut Vec::new(), &mut agreeing);
        let start = position.board();
        let (mut found, mut any) = (Vec::new(), false);
        for (line, before, end) in &agreeing {
            let Some(last) = line.last() else { continue };
            let weak = differing(start, end.board()) & !self.certain;
            let is_of_the_last = (weak & !differing(before.board(), end.board())).is_empty();
            if weak.is_empty() || !self.fits_but(weak, start, end.board()) {
                continue;
            }
            any = true;
            // What lies over a square may look like an empty one.
            let shows = |s: Square| {
                let others = agreeing.iter().map(|(_, _, other)| other.board().piece_at(s));
                let others: Vec<_> = others.chain([before.board().piece_at(s), start.piece_at(s)]).collect();
                let now = end.board().piece_at(s);
                let is_read = !self.painted.contains(s) && distinguishes(&self.scores[s], now, &others);
                is_read || now.is_some_and(|piece| self.rests(s, piece, &others))
            };
            // A king that stands two squares away has castled, wherever its rook is hidden. So it has where both have
            // left their squares and where they went is coloured rather than hidden: a rook may have walked under what
            // hides it, and its king be dragged.
            let colored = |s: Square| self.scores[s].least() <= HIDDEN;
            let castled = castling_king(last).is_some_and(|king| {
                let left = Bitboard::from(last.to()) | last.from().map_or(Bitboard::EMPTY, Bitboard::from);
                !weak.contains(king) || ((weak & left).is_empty() && weak.into_iter().any(colored))
            }) && agreeing.len() == 1;
            let unambiguous = weak.into_iter().all(shows) || (is_of_the_last && castled);
            let only_the_end_is_hidden = weak == Bitboard::from(last.to())
                && !last.is_promotion()
                && matches!(last, Move::Normal { .. } | Move::EnPassant { .. });
            if unambiguous || (is_of_the_last && only_the_end_is_hidden) {
                let piece = end.board().piece_at(last.to());
                found.push(HalfSeen {
                    line: line.clone(),
                    end: end.clone(),
                    unambiguous,
                    may_have_arrived: self.is_hidden(last.to()) || self.resembles_in_part(last.to(), piece),
                });
            }
        }
        any.then_some(found)
    }

    /// The only position to which shortest legal lines lead that agree with what is read for certain, with one of them,
    /// and whether no longer line agrees but such as go on from them. Squares over which something lies speak for
    /// nothing and against nothing. Only lines that `may` have been played are asked.
    pub fn only_agreeing(&self, position: &Chess, may: impl Fn(&[Move]) -> bool) -> Option<(Vec<Move>, Chess, bool)> {
        if self.contradicted(position.board()).is_empty() {
            return None;
        }
        let mut agreeing = Vec::new();
        for plies in 1..=LONGEST {
            self.agreeing(position, plies, &mut Vec::new(), &mut agreeing);
        }
        agreeing.retain(|(line, _, _)| may(line));
        let (line, _, end) = agreeing.first()?;
        let (shortest, longer): (Vec<_>, Vec<_>) = agreeing.iter().partition(|(other, _, _)| other.len() == line.len());
        // Of a promoted piece that is taken at once nobody sees which it was.
        let is_one = shortest.iter().all(|(_, _, other)| same_position(other, end));
        let goes_on = |longer: &[Move]| shortest.iter().any(|(line, _, _)| longer.starts_with(line));
        let is_alone = longer.iter().all(|(longer, _, _)| goes_on(longer));
        is_one.then(|| (line.clone(), end.clone(), is_alone))
    }

    /// Whether each square that a line changed shows what the line did: its pieces rest where they went, and are not
    /// where they were.
    pub fn shows_in_part(&self, start: &Board, end: &Board) -> bool {
        let mut weak = (differing(start, end) & !self.certain).into_iter();
        weak.all(|s| match (start.piece_at(s), end.piece_at(s)) {
            (before, Some(now)) => self.rests(s, now, &[before]),
            (Some(before), None) => !self.rests(s, before, &[]),
            (None, None) => true,
        })
    }

    /// The same as far as colours tell: a square that was left looks rather empty than as before, and of a piece that
    /// came its colour is seen, where it is read rather than nothing or what was there.
    pub fn resembles(&self, start: &Board, end: &Board) -> bool {
        let weak = differing(start, end) & !self.certain;
        let is_unambiguous = |s: Square| {
            let cost = |content| self.scores[s].cost[index(content)];
            let (before, now) = (start.piece_at(s), end.piece_at(s));
            let others = match now {
                None => cost(before) - cost(None) >= RATHER_THERE,
                Some(_) => cost(None) - cost(now) >= RATHER_THERE && cost(before) > cost(now),
            };
            let its_color = now.is_none_or(|piece| {
                let read = self.readings[s].content;
                read.is_some_and(|read| read.color == piece.color) && !self.painted.contains(s)
            });
            others && its_color
        };
        weak.into_iter().all(is_unambiguous) && self.fits_but(weak, start, end)
    }

    /// Lines of `left` plies that agree with all that is read for certain and with the piece that was chosen for a
    /// promotion, with the positions before their last move and after it.
    fn agreeing(&self, at: &Chess, left: usize, line: &mut Vec<Move>, found: &mut Vec<(Vec<Move>, Chess, Chess)>) {
        if !self.is_within(at.board(), left) {
            return;
        }
        for (m, next) in successors(at) {
            if self.is_ruled_out_by_choice(&m, next.board()) {
                continue;
            }
            line.push(m);
            if left > 1 {
                self.agreeing(&next, left - 1, line, found);
            } else if self.contradicted(next.board()).is_empty() && !goes_out_and_back(line) {
                found.push((line.clone(), at.clone(), next));
            }
            line.pop();
        }
    }

    fn search(
        &self,
        at: &Chess,
        start: &Board,
        left: usize,
        line: &mut Vec<Move>,
        found: &mut Vec<(Vec<Move>, Chess)>,
    ) {
        if !self.is_within(at.board(), left) {
            return;
        }
        if left == 0 {
            if !goes_out_and_back(line) && self.fits(start, at.board()) {
                found.push((line.clone(), at.clone()));
            }
            return;
        }
        for (m, next) in successors(at) {
            line.push(m);
            self.search(&next, start, left - 1, line, found);
            line.pop();
        }
    }

    /// Whether the board, which agrees with all certain squares, may be believed on the others.
    fn fits(&self, start: &Board, end: &Board) -> bool {
        self.fits_but(Bitboard::EMPTY, start, end)
    }

    /// The same, some squares aside.
    fn fits_but(&self, aside: Bitboard, start: &Board, end: &Board) -> bool {
        let touched = differing(start, end);
        if !(touched & !self.certain & !aside).is_empty() {
            return false;
        }
        // That nothing was played must be seen; that what was played is all that was played may be taken for granted.
        let hidden_may_be = !touched.is_empty();
        (!self.certain & !aside).into_iter().all(|square| {
            if self.unchanged.contains(square) && start.piece_at(square) == end.piece_at(square) {
                return true;
            }
            (hidden_may_be && self.is_hidden(square)) || self.resembles_in_part(square, end.piece_at(square))
        })
    }

    /// Whether nothing is seen of what stands on a square.
    fn is_hidden(&self, square: Square) -> bool {
        self.scores[square].least() > HIDDEN || self.painted.contains(square)
    }

    /// Whether what is seen of a square fits this about as well as anything else.
    fn resembles_in_part(&self, square: Square, content: Option<Piece>) -> bool {
        let scores = &self.scores[square];
        scores.regret(index(content)) <= COVERED_REGRET.max(HIDDEN_REGRET * scores.least())
    }

    /// The lines of at most one ply, and two plies after the best of them, that come nearest; best first.
    pub fn candidates(&self, position: &Chess) -> Vec<(Vec<Move>, f64)> {
        let cost = |board: &Board| -> f64 {
            let squares = self.scores.iter();
            squares
                .map(|(s, scores)| f64::from(scores.regret(index(board.piece_at(s))).min(1.0)))
                .sum()
        };
        let extend = |line: &[Move], from: &Chess| -> Vec<(Vec<Move>, Chess)> {
            let next = successors(from).into_iter();
            next.map(|(m, after)| ([line, &[m]].concat(), after)).collect()
        };
        let rank = |mut lines: Vec<(Vec<Move>, Chess)>| {
            lines.sort_by(|a, b| cost(a.1.board()).total_cmp(&cost(b.1.board())));
            lines.truncate(CANDIDATES);
            lines
        };
        let one = rank(extend(&[], position));
        let two = rank(one.iter().flat_map(|(line, after)| extend(line, after)).collect());
        let mut all = vec![(Vec::new(), position.clone())];
        all.extend(one);
        all.extend(two);
        rank(all)
            .into_iter()
            .map(|(line, end)| {
                let c = cost(end.board());
                (line, c)
            })
            .collect()
    }
}

/// Whether a piece returns to where it started. Such a line can make any piece vanish (it walks into the other's way
/// and is taken on the square that the other left), so a picture in which one is missing would find its excuse; no line
/// has one.
fn goes_out_and_back(line: &[Move]) -> bool {
    let pairs = line.iter().zip(line.iter().skip(2));
    pairs
        .into_iter()
        .any(|(out, back)| out.from() == Some(back.to()) && back.from() == Some(out.to()))
}

/// Where the king of a castling ends.
pub fn castling_king(m: &Move) -> Option<Square> {
    let side = m.castling_side()?;
    Some(Square::from_coords(side.king_to_file(), m.from()?.rank()))
}

/// Every legal move, and where it leads.
pub fn successors(position: &Chess) -> Vec<(Move, Chess)> {
    let moves = position.legal_moves();
    let after = moves.iter().map(|m| {
        let mut after = position.clone();
        after.play_unchecked(*m);
        (*m, after)
    });
    after.collect()
}

/// Squares on which two boards differ.
pub fn differing(a: &Board, b: &Board) -> Bitboard {
    let (colors_a, roles_a) = a.clone().into_bitboards();
    let (colors_b, roles_b) = b.clone().into_bitboards();
    let roles = roles_a.zip(roles_b).into_iter().map(|(x, y)| x ^ y);
    let colors = colors_a.zip(colors_b).into_iter().map(|(x, y)| x ^ y);
    roles.chain(colors).fold(Bitboard::EMPTY, |all, d| all | d)
}
