// The choice of a promotion's piece, as on Lichess: a column over the promotion file, the queen on the promotion square.

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
    container.append(dialog);
    this.#element = dialog;
  }

  close() {
    this.#element?.remove();
    this.#element = null;
  }
}
