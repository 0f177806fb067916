// The moves, and the way back through them.

export class Sheet {
  // Set by the user of this class; called with how many plies are to be looked at.
  onPly = (_ply) => {};

  #list;
  #drawn = "";

  constructor(list) {
    this.#list = list;
  }

  // `startFen` says whose move was the first, and its number.
  show(moves, startFen, ply) {
    const drawn = `${startFen} ${moves.map(({ uci }) => uci).join(" ")}`;
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      const [, turn, , , , number] = startFen.split(" ");
      const before = 2 * (Number(number) - 1) + (turn === "b" ? 1 : 0);
      this.#list.replaceChildren(...moves.map(({ uci, san }, index) => this.#item(uci, san, index, before)));
    }
    const items = [...this.#list.children];
    items.forEach((item, index) => {
      const now = index + 1 === ply;
      item.classList.toggle("now", now);
      if (now) item.firstChild.setAttribute("aria-current", "true");
      else item.firstChild.removeAttribute("aria-current");
    });
    this.#keepInSight(items[ply - 1], ply === 0);
  }

  #item(uci, san, index, before) {
    const item = document.createElement("li");
    item.title = uci;
    const count = before + index;
    const white = count % 2 === 0;
    const number = Math.floor(count / 2) + 1;
    if (index === 0 && !white) item.className = "second";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = white ? `${number}. ${san}` : index === 0 ? `${number}... ${san}` : san;
    button.onclick = () => this.onPly(index + 1);
    item.append(button);
    return item;
  }

  #keepInSight(item, first) {
    const list = this.#list;
    if (first) list.scrollTo(0, 0);
    if (!item) return;
    const [box, place] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
    if (place.top < box.top) list.scrollTop -= box.top - place.top;
    if (place.bottom > box.bottom) list.scrollTop += place.bottom - box.bottom;
    if (place.left < box.left) list.scrollLeft -= box.left - place.left;
    if (place.right > box.right) list.scrollLeft += place.right - box.right;
  }
}
