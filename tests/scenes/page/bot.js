// A bot that takes what it can get for less, promotes, and otherwise moves at random: its games have captures, castlings and promotions.

const WORTH = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };

/** A move of this position; `chance` as in `random.mjs`. */
export function choose(chess, chance) {
  const opponent = chess.turn() === 'w' ? 'b' : 'w';
  const value = (move) => {
    const lost = chess.isAttacked(move.to, opponent) ? WORTH[move.piece] : 0;
    const won = move.captured ? WORTH[move.captured] : 0;
    const saved = chess.isAttacked(move.from, opponent) ? WORTH[move.piece] * 0.6 : 0;
    return won - lost + saved + (move.promotion ? WORTH[move.promotion] : 0) + (move.isKingsideCastle() ? 1 : 0) + chance.between(0, 2);
  };
  const moves = chess.moves({ verbose: true });
  return moves.map((move) => [value(move), move]).sort((a, b) => b[0] - a[0])[0][1];
}
