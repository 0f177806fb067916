// Drags pieces with the real mouse, as a person would.

/** A dragged piece is kept this far, in squares, from where a piece could stand. */
const CLEAR = 0.2;

/** How far a length is from the nearest multiple of another. */
const nearestMultiple = (length, unit) => length - Math.round(length / unit) * unit;

/** The mouse on a stage's board. */
export function mouseMoves(stage) {
  const middle = async (square) => {
    const { x, y, width, height } = await stage.act(['square', square]);
    return { x: x + width / 2, y: y + height / 2 };
  };
  return {
    async pickUp(square) {
      const { x, y } = await middle(square);
      await stage.mouse.move(x, y);
      await stage.mouse.down();
      await stage.act(['advance', 20]);
    },
    /** Holds the piece at a share of its way; resolves to the point. */
    async carry(from, to, share) {
      const [a, b] = [await middle(from), await middle(to)];
      const side = (await stage.act(['square', from])).width;
      const point = { x: a.x + (b.x - a.x) * share + 3, y: a.y + (b.y - a.y) * share + 4 };
      // Held exactly over the middle of a square, nothing would tell the piece from one that stands there.
      const off = { x: nearestMultiple(point.x - a.x, side), y: nearestMultiple(point.y - a.y, side) };
      if (Math.hypot(off.x, off.y) < CLEAR * side) point.y += CLEAR * side;
      await stage.mouse.move((a.x + point.x) / 2, (a.y + point.y) / 2);
      await stage.act(['react']);
      await stage.mouse.move(point.x, point.y);
      await stage.act(['react']);
      return point;
    },
    async drop(square) {
      const { x, y } = await middle(square);
      await stage.mouse.move(x, y);
      await stage.act(['advance', 20]);
      await stage.mouse.up();
      await stage.act(['rest']);
    },
  };
}
