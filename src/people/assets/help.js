// What the server thinks of positions: asked for, kept, and drawn as a bar and a graph.

const BUSY_MS = 1500;

// How much a worth is for White, from -1 (lost) to 1 (won): a logistic curve through what Lichess found in its games
// (https://lichess.org/page/accuracy).
export function chances(worth, mover) {
  if ("mate" in worth) {
    if (worth.mate === 0) return mover === "white" ? 1 : -1;
    return worth.mate > 0 ? 1 : -1;
  }
  return 2 / (1 + Math.exp(-0.00368208 * worth.cp)) - 1;
}

export function told(worth) {
  if ("mate" in worth) return worth.mate === 0 ? "#" : `#${Math.abs(worth.mate)}`;
  const pawns = Math.abs(worth.cp / 100).toFixed(1);
  return pawns === "0.0" ? "0.0" : `${worth.cp > 0 ? "+" : "−"}${pawns}`;
}

export class Looks {
  // Set by the user of this class; called when something new is known.
  onSeen = () => {};

  #path;
  #seen = new Map();
  #wanted = [];
  #running = false;

  constructor(path) {
    this.#path = path;
  }

  // What is known of a position, by its ply and FEN.
  of(ply, fen) {
    return this.#seen.get(`${ply} ${fen}`) ?? null;
  }

  // Asks the server once; throws its message where it does not answer.
  async ask(ply, fen) {
    const known = this.of(ply, fen);
    if (known !== null) return known;
    const seen = await this.#post({ ply });
    this.#seen.set(`${ply} ${fen}`, seen);
    return seen;
  }

  // What comes of a move that is tried.
  tried(ply, uci) {
    return this.#post({ ply, try: uci });
  }

  // Asks for all of these in turn, [ply, fen] each, and for nothing that was wanted before.
  want(positions) {
    this.#wanted = positions.filter(([ply, fen]) => this.of(ply, fen) === null);
    if (!this.#running) this.#run();
  }

  async #run() {
    this.#running = true;
    while (this.#wanted.length > 0) {
      const [ply, fen] = this.#wanted[0];
      try {
        await this.ask(ply, fen);
      } catch {
        // Busy, or gone for a moment.
        await new Promise((done) => setTimeout(done, BUSY_MS));
        continue;
      }
      this.#wanted = this.#wanted.filter(([, other]) => other !== fen);
      this.onSeen();
    }
    this.#running = false;
  }

  async #post(question) {
    const answer = await fetch(`${this.#path}/look`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(question),
    }).catch(() => null);
    const said = await answer?.json().catch(() => null);
    if (!answer?.ok) throw new Error(said?.message ?? "The server does not answer.");
    return said;
  }
}

// The bar beside the board.
export function drawBar(bar, number, worth, mover, bottom) {
  const white = worth === null ? 0 : chances(worth, mover);
  bar.classList.toggle("turned", bottom === "black");
  bar.firstElementChild.style.height = `${50 - 50 * white}%`;
  number.textContent = worth === null ? "" : told(worth);
  bar.setAttribute("aria-label", worth === null ? "Evaluation: not known yet" : `Evaluation: ${told(worth)}`);
}

const SVG = "http://www.w3.org/2000/svg";

// The graph below the moves: White's chances after each ply, null where they are not known yet.
export function drawGraph(graph, known, ply) {
  const width = Math.max(known.length - 1, 1);
  const points = known.map((white, at) => (white === null ? null : [at, 1 - white])).filter((point) => point !== null);
  graph.setAttribute("viewBox", `0 0 ${width} 2`);
  const area = points.length === 0 ? "" : `M${points[0][0]} 2 ${points.map(([x, y]) => `L${x} ${y.toFixed(3)}`).join(" ")} L${points.at(-1)[0]} 2 Z`;
  const shape = (name, attributes) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  graph.replaceChildren(
    shape("path", { d: area, class: "white" }),
    shape("line", { x1: 0, x2: width, y1: 1, y2: 1, class: "even" }),
    shape("line", { x1: ply, x2: ply, y1: 0, y2: 2, class: "now" }),
  );
}

// The worst moves of one side, or of both: [ply before it, what was lost], at most so many.
export function mistakes(known, colors, whose, most) {
  const lost = (index) => (colors[index] === "white" ? 1 : -1) * (known[index] - known[index + 1]);
  return colors
    .map((color, index) => ({ index, color, lost: lost(index) }))
    .filter(({ color, lost }) => (whose === null || color === whose) && lost >= 0.1)
    .sort((a, b) => b.lost - a.lost)
    .slice(0, most)
    .sort((a, b) => a.index - b.index);
}
