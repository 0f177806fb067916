// Wires the page together: whatever the server says is shown, whatever the player does is sent.

import { Board } from "./board.js";
import { Clocks } from "./clocks.js";
import { Connection } from "./connection.js";
import { Controls } from "./controls.js";
import { observePointer, RestObserver } from "./observer.js";
import { Panel } from "./panel.js";

// The squares' colours, as the address says: ?board=blue, green or grey (site.css); brown otherwise.
document.documentElement.dataset.board = new URLSearchParams(location.search).get("board") ?? "brown";

const byId = (id) => document.getElementById(id);

const connection = new Connection(location.host);
const board = new Board(byId("board"));
const rest = new RestObserver(board, (report) => connection.send({ type: "at_rest", ...report }));
const clocks = new Clocks(byId("bot-clock"), byId("player-clock"));
const panel = new Panel(byId("bot-name"), byId("player-color"), byId("moves"), byId("notice"));
const controls = new Controls(byId("new-game"), byId("flip"), byId("resign"));

// What the board shows: the server's last state.
let shown = null;

connection.onState = (state) => {
  const anew = shown === null || shown.game !== state.game;
  const shownPly = anew ? null : shown.moves.length;
  shown = state;
  rest.positionShown(state.game, state.moves.length, shownPly);
  board.show(state, anew);
  clocks.show(state);
  panel.show(state);
  controls.show(state, anew);
};

connection.onStatus = (connected) => {
  panel.showConnection(connected);
  // A page that was away may have missed anything: it starts over with what the server says.
  if (!connected) shown = null;
};

connection.onError = (message) => panel.showError(message);

board.onMove = (uci) => {
  if (shown === null) return;
  const ply = shown.moves.length;
  connection.send({ type: "move", game: shown.game, ply, uci });
  rest.playerMoved(shown.game, ply + 1);
};

controls.onFlip = () => board.flip();
controls.onResign = () => shown !== null && connection.send({ type: "resign", game: shown.game });
controls.onNewGame = (color, opponent) => connection.send({ type: "new_game", color, ...opponent });

observePointer(board, (report) => connection.send({ type: "pointer", ...report }));

connection.open();
