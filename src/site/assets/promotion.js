// The choice of a promotion's piece, as on Lichess: a column over the promotion file, the queen on the promotion square. Where the pawn was
// moved by keyboard, so is the choice made: arrow keys, Enter, Escape.

const ROLES = ["queen", "knight", "rook", "bishop"];

export class PromotionDialog {
  #element = null;

  get isOpen() {
    return this.#element !== null;
  }

  // `container` is the board's element; `onCancel` is called when anything but a piece is clicked.
  open(container, square, color, orientation, { onChoice, onCancel }) {
    this.close();
    const file = square.charCodeAt(0) - "a".charCodeAt(0);
    const column = orientation === "white" ? file : 7 - file;
    const fromTop = color === orientation;

    const dialog = document.createElement("div");
    dialog.id = "promotion";
    ROLES.forEach((role, index) => {
      const choice = document.createElement("button");
      choice.type = "button";
      choice.title = role;
      choice.style.left = `${column * 12.5}%`;
      choice.style.top = `${(fromTop ? index : 7 - index) * 12.5}%`;
      const piece = document.createElement("piece");
      piece.className = `${color} ${role}`;
      choice.append(piece);
      choice.onclick = (event) => {
        event.stopPropagation();
        this.close();
        onChoice(role);
      };
      dialog.append(choice);
    });
    dialog.onclick = onCancel;
    dialog.onkeydown = (event) => this.#pressed(event, fromTop ? 1 : -1, onCancel);
    container.append(dialog);
    this.#element = dialog;
    if (container.parentElement === document.activeElement) dialog.firstChild.focus({ preventScroll: true });
  }

  close() {
    const board = this.#element?.closest(".cg-wrap");
    const hadFocus = this.#element?.contains(document.activeElement);
    this.#element?.remove();
    this.#element = null;
    if (hadFocus) board.focus({ preventScroll: true });
  }

  #pressed(event, down, onCancel) {
    const step = { ArrowDown: down, ArrowRight: down, ArrowUp: -down, ArrowLeft: -down }[event.key];
    if (step) {
      const choices = [...this.#element.children];
      const next = choices.indexOf(document.activeElement) + step;
      choices[Math.min(choices.length - 1, Math.max(0, next))].focus({ preventScroll: true });
    } else if (event.key === "Escape") onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
