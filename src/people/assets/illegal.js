// Moves that are tried on a board by mouse or finger and are none: chessground puts the piece back without a word.

// Calls `told` with both squares of such a move.
export function watch(element, ground, told) {
  const square = (event) => ground.getKeyAtDomPos([event.clientX, event.clientY]);
  // What is meant since the press: where the piece stands, and where it may go.
  let meant = null;

  element.addEventListener("pointerdown", (event) => {
    const { movable, pieces, selected, turnColor } = ground.state;
    const pressed = square(event);
    const own = pieces.get(pressed)?.color === movable.color;
    const from = own ? pressed : selected;
    // A move that waits for its turn is judged then.
    const is = from && movable.color === turnColor && event.isPrimary;
    meant = is ? { from, dests: movable.dests?.get(from) ?? [] } : null;
  }, true);
  element.ownerDocument.addEventListener("pointerup", (event) => {
    if (meant === null) return;
    const { from, dests } = meant;
    meant = null;
    const to = square(event);
    if (to && to !== from && !dests.includes(to)) told(from, to);
  });
}
