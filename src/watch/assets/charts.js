// Evaluations as people read them: a number, White's share of a bar, a line through the game.

// `{cp}` or `{mate}`, White's view.
export function evalText(value) {
  if (!value) return "";
  if ("mate" in value) return `#${value.mate}`;
  const pawns = value.cp / 100;
  return `${pawns < 0 ? "−" : "+"}${Math.abs(pawns).toFixed(2)}`;
}

// White's share, 0 to 1: a pawn ahead is about 0.6 (the logistic curve that Lichess draws with).
export function share(value) {
  if (!value) return 0.5;
  if ("mate" in value) return value.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-0.00368208 * value.cp));
}

// The graph's content: one point for each ply that has an evaluation.
export function graph(svg, moves) {
  const points = moves.flatMap(({ eval: value }, index) => (value ? [[index, share(value)]] : []));
  const step = 300 / Math.max(1, moves.length - 1);
  const at = ([index, white]) => `${(index * step).toFixed(1)},${(90 - 90 * white).toFixed(1)}`;
  const line = points.map(at).join(" ");
  svg.innerHTML =
    '<line x1="0" x2="300" y1="45" y2="45" stroke="#8888" stroke-dasharray="3 3"/>' +
    (line && `<polyline points="${line}" fill="none" stroke="#e08a3c" stroke-width="2" vector-effect="non-scaling-stroke"/>`);
}
