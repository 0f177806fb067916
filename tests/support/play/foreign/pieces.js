// A piece set of the page's own: plain shapes in a 45×45 field, ivory with brown lines and slate blue with black ones.
const BASE = '<path d="M10 40h25v-4H10z"/>';
const SHAPES = {
  P: '<circle cx="22.5" cy="17" r="6"/><path d="M15 36l4-13h7l4 13z"/>',
  R: '<path d="M12 9h5v4h3V9h5v4h3V9h5v9H12z"/><path d="M15 18h15v18H15z"/>',
  N: '<path d="M13 36c1-9 5-10 5-14l-7 3-2-4 9-11 3-5 3 5c7 3 10 12 9 26z"/>',
  B: '<path d="M22.5 8c6 6 9 11 6 18h-12c-3-7 0-12 6-18z"/><path d="M16 36l2-8h9l2 8z"/><path d="M22 12v9M18 17h9"/>',
  Q: '<path d="M8 14l7 9 3-13 4.5 12 4.5-12 3 13 7-9-5 22H13z"/>',
  K: '<path d="M21 4h3v4h4v3h-4v5h-3v-5h-4V8h4z"/><path d="M11 20c6-6 17-6 23 0l-4 16H15z"/>',
};

function pieceImage(code) {
  const [fill, line] = code[0] === 'w' ? ['#fbf3dc', '#5a4632'] : ['#3b4a63', '#0c1018'];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45"><g fill="${fill}" stroke="${line}"
    stroke-width="1.6" stroke-linejoin="round">${BASE}${SHAPES[code[1]]}</g></svg>`;
  return 'data:image/svg+xml,' + encodeURIComponent(svg);
}
