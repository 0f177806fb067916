// Wires the page together: whatever the server says is shown, whatever is clicked is sent.

import { LiveBoard } from "./board.js";
import { evalText, graph, share } from "./charts.js";

const RETRY_MS = 1000;
const byId = (id) => document.getElementById(id);
const token = new URLSearchParams(location.search).get("token") ?? "";
const board = new LiveBoard(byId("board"));
let socket = null;
let state = null;

const make = (tag, more, ...children) => {
  const element = Object.assign(document.createElement(tag), more);
  element.append(...children);
  return element;
};
const fileUrl = (path) => `/files/${path.split("/").map(encodeURIComponent).join("/")}?token=${token}`;

function open() {
  const opened = new WebSocket(`ws://${location.host}/ws?token=${token}`);
  opened.binaryType = "arraybuffer";
  opened.onopen = () => (socket = opened);
  opened.onmessage = ({ data }) => {
    if (typeof data === "string") said(JSON.parse(data));
    else pictured(data);
  };
  opened.onclose = () => {
    socket = null;
    byId("doing").textContent = state ? "Torres has ended, or cannot be reached" : "no connection: is the address whole, token and all?";
    for (const button of document.querySelectorAll("#controls button")) button.disabled = true;
    setTimeout(open, RETRY_MS);
  };
}

function said(message) {
  if (message.type === "state") show(message.state);
  else alarm(message.message);
}

async function pictured(data) {
  const { said, t_ms } = await board.show(data);
  byId("said").textContent = `${said} · ${new Date(t_ms).toLocaleTimeString()}`;
}

function alarm(text) {
  byId("alarm").hidden = !text;
  byId("alarm").textContent = text ?? "";
}

function show(next) {
  state = next;
  const color = state.color ? `, playing ${state.color}` : "";
  const games = state.of > 1 ? ` · game ${state.number} of ${state.of}` : "";
  byId("who").textContent = state.opponent ? `against ${state.opponent}${color}${games}` : "";
  byId("doing").textContent = state.doing;
  alarm(state.paused && `Paused: ${state.paused}`);
  byId("pause").disabled = state.paused !== null;
  byId("resume").disabled = state.paused === null;
  byId("stop").disabled = false;
  showThought();
  showMoves();
  showDecision();
  showGames();
  showLog();
  tick();
}

function showThought() {
  const value = state.thought?.eval;
  byId("thought").textContent = state.pondering ? ponderText(state.pondering) : thoughtText(state.thought);
  byId("eval").querySelector("span").style.height = `${100 * share(value)}%`;
  byId("eval").querySelector("b").textContent = evalText(value);
  graph(byId("graph"), state.moves);
}

function thoughtText(thought) {
  return thought ? `${evalText(thought.eval)} at depth ${thought.depth}: ${thought.pv.join(" ")}` : "";
}

// On the bot's time: nothing of it is a move to be played.
function ponderText({ expected, thought }) {
  return `pondering, in case of ${expected}${thought ? `: ${thoughtText(thought)}` : ""}`;
}

// A row for each full move: its number, White's move, Black's move.
function showMoves() {
  const [, , , , , fullmove] = state.fen.split(" ");
  const blackBegan = state.moves.length > 0 && (state.fen.split(" ")[1] === "w") === (state.moves.length % 2 === 1);
  const cells = state.moves.map(({ san, eval: value }) => make("li", { textContent: san, title: evalText(value) }));
  cells.at(-1)?.classList.add("last");
  if (blackBegan) cells.unshift(make("li", { textContent: "…" }));
  const turns = Math.ceil(cells.length / 2);
  const whiteToMove = state.fen.split(" ")[1] === "w";
  const first = Number(fullmove) - turns + (whiteToMove ? 0 : 1);
  const rows = [];
  for (let turn = 0; turn < turns; turn++) {
    rows.push(make("li", { className: "number", textContent: `${first + turn}.` }), cells[2 * turn]);
    rows.push(cells[2 * turn + 1] ?? make("li"));
  }
  byId("moves").replaceChildren(...rows);
  byId("moves").scrollTop = byId("moves").scrollHeight;
}

function showDecision() {
  const { decision } = state;
  const parts = decision ? [decision.why, " "] : ["none"];
  if (decision?.evidence) parts.push(make("a", { href: fileUrl(`${decision.evidence}/`), textContent: "evidence", target: "_blank" }));
  byId("decision").replaceChildren(...parts);
}

function showGames() {
  const rows = state.games.map(({ number, opponent, color, result, how, files }) => {
    const links = files.flatMap(({ name, path }) => [make("a", { href: fileUrl(path), textContent: name, target: "_blank" }), " "]);
    return make("tr", {}, make("td", { textContent: number }), make("td", { textContent: result }), make("td", {}, `${color} against ${opponent}: ${how}`, make("br"), ...links));
  });
  byId("games").tBodies[0].replaceChildren(...rows);
  const won = ({ result, color }) => result === (color === "white" ? "1-0" : "0-1");
  const counted = state.games.filter(({ result }) => result !== "*");
  const [wins, draws] = [counted.filter(won).length, counted.filter(({ result }) => result === "1/2-1/2").length];
  byId("score").textContent = counted.length ? `+${wins} =${draws} −${counted.length - wins - draws}` : "";
}

function showLog() {
  const lines = state.log.map(({ t_ms, text }) => make("li", {}, make("time", { textContent: new Date(t_ms).toLocaleTimeString() }), text));
  byId("log").replaceChildren(...lines.reverse());
}

function clockText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// The clocks run on between two messages.
function tick() {
  if (!state?.clock) return;
  const { white_ms, black_ms, turn, at_ms } = state.clock;
  const since = state.paused || socket === null ? 0 : Date.now() - at_ms;
  for (const [side, ms] of [["white", white_ms], ["black", black_ms]]) {
    const element = byId(`${side}-clock`);
    element.textContent = clockText(ms - (turn === side ? since : 0));
    element.classList.toggle("runs", turn === side);
  }
}

for (const [id, type] of [["pause", "pause"], ["resume", "resume"], ["stop", "stop"]]) {
  byId(id).onclick = () => socket?.send(JSON.stringify({ type }));
}
setInterval(tick, 250);
open();
