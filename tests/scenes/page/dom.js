// Small helpers for building pages.

/** An element with style and content. */
export function element(tag, style = {}, content = '') {
  const made = document.createElement(tag);
  Object.assign(made.style, style);
  if (typeof content === 'string') made.innerHTML = content;
  else made.append(...[content].flat());
  return made;
}

/** Pixels as CSS. */
export const px = (value) => `${value}px`;

/** The CSS of an element that lies at a rectangle of the page. */
export const at = ({ x, y, width, height }) => ({
  position: 'absolute',
  left: px(x),
  top: px(y),
  width: px(width),
  height: px(height),
  boxSizing: 'border-box',
});

export function addCss(text) {
  document.head.append(element('style', {}, text));
}

export function linkCss(href) {
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    link.onload = resolve;
    link.onerror = () => reject(new Error(`cannot load ${href}`));
    document.head.append(link);
  });
}

/** Loads pictures so that no frame is taken before they are there. */
export function loadPictures(urls) {
  return Promise.all(
    urls.map(async (url) => {
      const picture = new Image();
      picture.src = url;
      await picture.decode().catch(() => {
        throw new Error(`cannot load ${url}`);
      });
      // Kept, or the browser may decode it anew in the middle of a frame.
      loaded.push(picture);
    }),
  );
}
const loaded = [];

/** The rectangle that encloses elements, in CSS pixels of the page. */
export function enclosing(elements) {
  const rects = [...elements].map((e) => e.getBoundingClientRect());
  const [x, y] = [Math.min(...rects.map((r) => r.left)), Math.min(...rects.map((r) => r.top))];
  const [right, bottom] = [Math.max(...rects.map((r) => r.right)), Math.max(...rects.map((r) => r.bottom))];
  return { x, y, width: right - x, height: bottom - y };
}

/** Where a square lies on a board. */
export function squareRect(board, orientation, square) {
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]) - 1;
  const [width, height] = [board.width / 8, board.height / 8];
  const [column, row] = orientation === 'white' ? [file, 7 - rank] : [7 - file, rank];
  return { x: board.x + column * width, y: board.y + row * height, width, height };
}

export const SQUARES = [...'abcdefgh'].flatMap((file) => [...'12345678'].map((rank) => file + rank));
