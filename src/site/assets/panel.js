// Names, score sheet, and how the game stands.

const NAMES = { white: "White", black: "Black" };
const ERROR_SHOWN_MS = 4000;

const capitalised = (words) => words[0].toUpperCase() + words.slice(1);

export class Panel {
  #botName;
  #playerColor;
  #moves;
  #notice;
  #state = null;
  #connected = false;
  #error = null;

  constructor(botName, playerColor, moves, notice) {
    this.#botName = botName;
    this.#playerColor = playerColor;
    this.#moves = moves;
    this.#notice = notice;
  }

  show(state) {
    this.#state = state;
    if (this.#botName.textContent !== state.bot) this.#botName.textContent = state.bot;
    this.#playerColor.className = state.player;
    this.#playerColor.title = NAMES[state.player];
    this.#listMoves(state);
    this.#drawNotice();
  }

  showConnection(connected) {
    this.#connected = connected;
    this.#drawNotice();
  }

  showError(message) {
    this.#error = message;
    this.#drawNotice();
    setTimeout(() => {
      this.#error = null;
      this.#drawNotice();
    }, ERROR_SHOWN_MS);
  }

  // A row for each full move: its number, White's move, Black's move.
  #listMoves({ start_fen, moves }) {
    const [, turn, , , , fullmove] = start_fen.split(" ");
    const cells = moves.map(({ san }) => san);
    if (turn === "b" && cells.length > 0) cells.unshift("…");
    const rows = [];
    for (let index = 0; index < cells.length; index += 2) {
      const row = document.createElement("li");
      const parts = [Number(fullmove) + index / 2, ...cells.slice(index, index + 2)];
      row.append(...parts.map((part) => Object.assign(document.createElement("span"), { textContent: part })));
      rows.push(row);
    }
    rows.at(-1)?.lastElementChild.classList.add("last");
    this.#moves.replaceChildren(...rows);
    this.#moves.scrollTop = this.#moves.scrollHeight;
  }

  #drawNotice() {
    const result = this.#state?.result;
    this.#notice.className = "";
    if (!this.#connected) {
      this.#notice.textContent = "Connecting…";
    } else if (this.#error) {
      this.#notice.textContent = capitalised(this.#error);
    } else if (result) {
      const score = Object.assign(document.createElement("b"), { textContent: result.score.replaceAll("1/2", "½") });
      const winner = result.winner ? ` · ${NAMES[result.winner]} is victorious` : result.score === "*" ? "" : " · Draw";
      this.#notice.className = "over";
      this.#notice.replaceChildren(score, capitalised(result.reason) + winner);
    } else if (this.#state) {
      const yours = this.#state.turn === this.#state.player;
      this.#notice.textContent = yours ? "Your turn" : "Waiting for the bot";
    }
  }
}
