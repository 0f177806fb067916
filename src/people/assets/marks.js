// Marks on squares, drawn over the board and touched by nothing.

export class Marks {
  #element;
  #bottom = "white";
  #marks = [];

  constructor(element) {
    this.#element = element;
  }

  // `marks` is a list of [square, kind].
  show(marks, bottom) {
    if (bottom === this.#bottom && JSON.stringify(marks) === JSON.stringify(this.#marks)) return;
    this.#marks = marks;
    this.#bottom = bottom;
    this.#element.replaceChildren(
      ...marks.map(([square, kind]) => {
        const mark = document.createElement("div");
        const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
        mark.className = kind;
        mark.dataset.square = square;
        mark.style.left = `${12.5 * (bottom === "white" ? file : 7 - file)}%`;
        mark.style.top = `${12.5 * (bottom === "white" ? 7 - rank : rank)}%`;
        return mark;
      }),
    );
  }
}
