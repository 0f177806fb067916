// The page of a scene: a widget amid what sites put around it, and the handles by which the renderer moves it.

import { advance, breathe, wait } from './clock.js';

import { drawArrows } from './arrows.js';
import { buildSurroundings } from './surroundings.js';
import { arrowShapes, cover } from './cover.js';
import { notice, pointer } from './cursor.js';
import { openDialog } from './dialog.js';
import { addCss, at, element, squareRect } from './dom.js';
import { secondBoard } from './second_board.js';
import { pieceUrl } from '../widgets/common.js';

/** Called by the bundle of each widget. */
export function begin(mount) {
  window.startScene = async (setup) => {
    window.scene = await build(mount, setup);
  };
}

async function build(mount, setup) {
  addCss(`html,body{margin:0;height:100%;overflow:hidden} body{font:14px 'Noto Sans','DejaVu Sans',sans-serif}`);
  const surroundings = buildSurroundings(setup);
  const host = element('div', { ...at({ x: setup.x, y: setup.y, width: setup.size, height: setup.size }) });
  host.id = 'main-board';
  if (setup.border) host.style.boxShadow = `0 0 0 ${setup.border.width}px ${setup.border.color}`;
  document.body.append(host);
  const widget = await mount(host, setup);
  const second = setup.second ? await secondBoard(setup.second) : null;
  const arrowLayer = element('div', { position: 'absolute', pointerEvents: 'none', zIndex: 500, lineHeight: 0 });
  document.body.append(arrowLayer);
  const [cursor, toast] = [pointer(), notice()];
  let orientation = setup.orientation;
  let state = {};
  let closeDialog = () => {};
  const labels = surroundings.labels;

  const scene = {
    /** Shows a state. Animated, it stands at the first moment of its animation afterwards. */
    async show(next, animated = false) {
      closeDialog();
      state = next;
      widget.show(state, animated);
      if (!widget.drawsArrows) drawArrows(arrowLayer, widget.rect(), orientation, fillsOwn(state));
      if (animated) await advance(0);
      else await scene.rest();
    },
    /** Lets an animation go on until a piece has gone this share of its way; counts from its beginning. */
    async sweep(from, to) {
      await advance((widget.timeOf(to) - (from ? widget.timeOf(from) : 0)) * setup.animationMs);
      return widget.timeOf(to) * setup.animationMs;
    },
    /** Lets whatever moves come to its end. */
    async rest() {
      await advance(setup.animationMs + 200, 40);
      await breathe();
    },
    advance,
    /** Gives the browser a moment of real time, for what it measures with its own frames. */
    async react() {
      await advance(20);
      await wait(40);
      await advance(20);
    },
    flip(bottom) {
      orientation = bottom;
      widget.flip(bottom);
      labels(widget.rect(), orientation);
    },
    /** The page is scrolled or zoomed: the board lies elsewhere and is of another size. */
    async place(rect) {
      Object.assign(host.style, at(rect));
      // Widgets that watch their host are told with the browser's next real frame.
      await wait(60);
      widget.resize();
      await scene.rest();
      await wait(60);
      labels(widget.rect(), orientation);
    },
    panels: surroundings.update,
    second: (placement, lastMove) => second?.show({ placement, turn: 'white', lastMove }, false),
    cursor: (place) => cursor.show(place),
    toast: (message) => toast.show(message),
    dialog(style, square, color) {
      closeDialog();
      closeDialog = openDialog(style, { board: widget.rect(), orientation, square, color, pieceUrl: (p) => pieceUrl(setup, p) });
    },
    square: (name) => squareRect(widget.rect(), orientation, name),
    /** What is true of the picture as it is now. */
    facts() {
      const board = widget.rect();
      const { opaque, translucent } = toast.shapes();
      const drawn = arrowShapes(board, orientation, state, widget.fillsCircles);
      return {
        board,
        orientation,
        others: second ? [second.rect()] : [],
        ...cover(board, orientation, [...cursor.shapes(), ...opaque], [...translucent, ...drawn]),
      };
    },
  };
  labels(widget.rect(), orientation);
  await scene.rest();
  return scene;

  function fillsOwn({ arrows, circles }) {
    return widget.fillsCircles ? { arrows } : { arrows, circles };
  }
}
