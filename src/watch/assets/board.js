// The live picture: what was captured, a grid over it, and on every square what is read there and how sure that is.

const GRID = "rgba(255, 221, 0, .55)";
const SURE = "#7dff8a";
const DOUBTFUL = "#ff6060";

export class LiveBoard {
  #canvas;
  #shown = 0;

  constructor(canvas) {
    this.#canvas = canvas;
  }

  // A message: the header's length, the header, a PNG. Returns the header.
  async show(buffer) {
    const order = ++this.#shown;
    const length = new DataView(buffer).getUint32(0);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    const picture = await createImageBitmap(new Blob([new Uint8Array(buffer, 4 + length)], { type: "image/png" }));
    // A later one may have been decoded sooner.
    if (order !== this.#shown) return header;
    if (this.#canvas.width !== picture.width || this.#canvas.height !== picture.height) {
      this.#canvas.width = picture.width;
      this.#canvas.height = picture.height;
    }
    const context = this.#canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    this.#grid(context, header.board);
    for (const square of header.squares) this.#name(context, header, square);
    return header;
  }

  #grid(context, { x, y, width, height }) {
    context.strokeStyle = GRID;
    context.lineWidth = 1;
    context.beginPath();
    for (let line = 0; line <= 8; line++) {
      context.moveTo(x + (width * line) / 8, y);
      context.lineTo(x + (width * line) / 8, y + height);
      context.moveTo(x, y + (height * line) / 8);
      context.lineTo(x + width, y + (height * line) / 8);
    }
    context.stroke();
  }

  // The piece's letter as in a FEN, in the lower right corner; what is doubtful in red, with how sure it is.
  #name(context, { board, bottom }, [name, piece, confidence, doubtful]) {
    if (!piece && !doubtful) return;
    const file = name.charCodeAt(0) - 97;
    const rank = Number(name[1]) - 1;
    const isAFileLeft = bottom === "white" || bottom === "black-mirrored";
    const [column, row] = [isAFileLeft ? file : 7 - file, bottom.startsWith("white") ? 7 - rank : rank];
    const size = board.width / 8;
    const words = doubtful ? `${piece ?? "?"} ${Math.round(100 * confidence)} %` : piece;
    context.font = `bold ${Math.max(9, size / 5)}px sans-serif`;
    context.textAlign = "right";
    context.textBaseline = "bottom";
    const [x, y] = [board.x + (column + 1) * size - 2, board.y + (row + 1) * (board.height / 8) - 1];
    context.fillStyle = "rgba(0, 0, 0, .6)";
    const width = context.measureText(words).width + 4;
    context.fillRect(x - width + 2, y - size / 4, width, size / 4);
    context.fillStyle = doubtful ? DOUBTFUL : SURE;
    context.fillText(words, x, y);
  }
}
