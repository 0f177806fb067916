// A game of two people: draws what the server says, and asks. The server decides.

import { Board } from "/board.js";
import { Clocks } from "/clocks.js";

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 4000;
const PING_MS = 2000;
// The server pings every two seconds: a line that is silent for longer is lost, whatever the browser believes.
const LOST_MS = 6000;
const CLAIM_MS = 60_000;
const REPLACE_MS = 10_000;

const at = (id) => document.getElementById(id);
const other = (color) => (color === "white" ? "black" : "white");
const title = (color) => (color === "white" ? "White" : "Black");

class Line {
  onMessage = (_message) => {};
  onStatus = (_connected) => {};
  hello = () => ({});

  #url;
  #socket = null;
  #retryMs = FIRST_RETRY_MS;
  #heardAt = 0;
  #pinged = { n: 0, at: 0 };
  #commands = 0;
  #ended = false;
  pingMs = null;

  constructor(path) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.#url = `${scheme}://${location.host}${path}`;
    setInterval(() => this.#look(), PING_MS);
  }

  open() {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    this.#heardAt = performance.now();
    socket.onopen = () => {
      this.#retryMs = FIRST_RETRY_MS;
      this.#send({ type: "hello", ...this.hello() });
    };
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return;
      this.#heardAt = performance.now();
      this.#hear(JSON.parse(event.data));
    };
    socket.onclose = () => this.#closed(socket);
  }

  // Sends a command and returns its number.
  ask(command) {
    this.#commands += 1;
    this.#send({ ...command, id: this.#commands });
    return this.#commands;
  }

  // There is nothing to come back to.
  end() {
    this.#ended = true;
    this.#socket?.close();
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #hear(message) {
    if (message.type === "ping") return this.#send({ type: "pong", n: message.n });
    if (message.type === "pong") {
      if (message.n === this.#pinged.n) this.pingMs = Math.round(performance.now() - this.#pinged.at);
      return;
    }
    if (message.type === "game" || message.type === "you") this.onStatus(true);
    this.onMessage(message);
  }

  #look() {
    if (this.#socket === null) return;
    if (performance.now() - this.#heardAt > LOST_MS) {
      const socket = this.#socket;
      socket.close();
      return this.#closed(socket);
    }
    this.#pinged = { n: this.#pinged.n + 1, at: performance.now() };
    this.#send({ type: "ping", n: this.#pinged.n });
  }

  #closed(socket) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.pingMs = null;
    this.onStatus(false);
    if (this.#ended) return;
    setTimeout(() => this.open(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
  }
}

const id = location.pathname.split("/")[2];
const board = new Board(at("board"));
const clocks = new Clocks(at("upper-clock"), at("lower-clock"));
const line = new Line(`/game/${id}/ws`);

// What is shown: the game as the server last said.
let game = null;
let connected = false;
let bottom = "white";
let resignArmed = false;
let hereAt = 0;
let said = "";
let asked = 0;

line.hello = () => ({
  seen: game?.seq ?? 0,
  name: localStorage.getItem("torres-name") ?? "",
  program: localStorage.getItem("torres-program") === "yes",
});
line.onStatus = (is) => {
  connected = is;
  draw();
};
line.onMessage = (message) => {
  switch (message.type) {
    case "game":
      game = { ...message };
      bottom = message.you ?? "white";
      hereAt = performance.now();
      showBoard(true);
      break;
    case "change":
      return change(message);
    case "you":
      if (game === null) return;
      if (game.you !== message.seat && message.seat !== null) bottom = message.seat;
      game.you = message.seat;
      showBoard(true);
      break;
    case "here":
      if (game === null) return;
      game.here = message;
      hereAt = performance.now();
      break;
    case "refused":
      if (message.reason !== "stale") said = message.message;
      showBoard(false);
      break;
    case "error":
      if (game === null) {
        line.end();
        at("notice").textContent = message.message;
        return;
      }
      said = message.message;
      break;
  }
  draw();
};
line.open();

function change({ seq, change, now }) {
  if (game === null || seq <= game.seq) return;
  if (seq !== game.seq + 1) {
    // Something is missing: the next hello is as of somebody who has seen nothing.
    game = null;
    return;
  }
  game.seq = seq;
  said = "";
  if (change.what === "moved") game.moves.push({ uci: change.uci, san: change.san ?? change.uci });
  if (change.what === "took_back") game.moves.splice(game.moves.length - change.plies);
  if (change.what === "declined") said = `The ${change.offer} was declined.`;
  if (change.what === "rematch") return location.assign(`/game/${change.game}`);
  if (now === undefined) return;
  const before = game.now.position.turn;
  game.now = now;
  if (change.what === "moved" || change.what === "took_back") resignArmed = false;
  showBoard(before === now.position.turn && change.what !== "ended" && change.what !== "joined" ? null : false);
  draw();
}

function showBoard(anew) {
  if (game === null || anew === null) return;
  const { position, end, times } = game.now;
  const dests = {};
  for (const uci of Object.keys(position.legal)) {
    const from = uci.slice(0, 2);
    (dests[from] ??= []).push(uci.slice(2, 4));
  }
  const result = end !== null || game.you === null ? true : null;
  board.show(
    {
      player: game.you ?? bottom,
      fen: position.fen,
      turn: position.to_move,
      check: position.check,
      moves: game.moves,
      dests,
      result,
    },
    anew,
  );
  if (times !== null) {
    const { white_ms, black_ms, running } = times;
    clocks.show({ player: bottom, clock: { white_ms, black_ms, running } });
  }
}

board.onMove = (uci) => play(uci);

function play(uci) {
  if (!connected) {
    said = "No connection: the move was not sent.";
    showBoard(false);
    return draw();
  }
  asked = line.ask({ type: "move", turn: game.now.position.turn, uci });
}

// A move as people type it: SAN with or without its signs, UCI, or two squares.
function typed(text) {
  const plain = (move) => move.replace(/[+#x=\-\s]/g, "").replaceAll("0", "O");
  const wanted = plain(text.trim());
  const legal = Object.entries(game.now.position.legal);
  const exact = legal.filter(([uci, san]) => uci === wanted.toLowerCase() || plain(san) === wanted);
  if (exact.length > 0) return exact[0][0];
  const loose = legal.filter(([uci, san]) => plain(san).toLowerCase() === wanted.toLowerCase() || uci === `${wanted.toLowerCase()}q`);
  return loose.length === 1 ? loose[0][0] : null;
}

at("typed").onsubmit = (event) => {
  event.preventDefault();
  if (game === null) return;
  const field = at("move");
  const uci = typed(field.value);
  if (uci === null) said = `${field.value} is no legal move here.`;
  else {
    said = "";
    play(uci);
    field.value = "";
  }
  draw();
};

const ask = (command) => () => line.ask(command);
const offer = (what) => ask({ type: "offer", offer: what });
at("join").onclick = ask({ type: "join" });
at("withdraw").onclick = ask({ type: "withdraw" });
at("draw").onclick = offer("draw");
at("takeback").onclick = offer("takeback");
at("rematch").onclick = offer("rematch");
at("flip").onclick = () => {
  bottom = other(bottom);
  board.flip();
  showBoard(false);
  draw();
};
at("resign").onclick = () => {
  if (resignArmed) line.ask({ type: "resign" });
  resignArmed = !resignArmed;
  draw();
};
at("copy").onclick = async () => {
  at("address").select();
  await navigator.clipboard?.writeText(at("address").value).catch(() => {});
  at("copy").textContent = "Copied";
};

// Questions that the other's doings put to this player.
function questions() {
  const { offers, asked, end } = game.now;
  const you = game.you;
  const list = [];
  const opponent = you === null ? null : other(you);
  const words = { draw: "offers a draw", takeback: "asks to take back a move", rematch: "offers a rematch" };
  for (const what of ["draw", "takeback", "rematch"]) {
    if (offers[what] === null) continue;
    if (offers[what] === opponent) {
      list.push([`${name(opponent)} ${words[what]}.`, [
        ["Accept", { type: "accept", offer: what }],
        ["Decline", { type: "decline", offer: what }],
      ]]);
    } else if (offers[what] === you) {
      list.push([`You ${words[what].replace("offers", "offer").replace("asks", "ask")}.`, [
        ["Withdraw", { type: "decline", offer: what }],
      ]]);
    } else list.push([`${name(offers[what])} ${words[what]}.`, []]);
  }
  if (asked !== null && !present(asked.seat).here) {
    list.push([`${asked.name} asks for the seat of ${name(asked.seat)}.`, asked.seat === opponent ? [
      ["Let them play", { type: "give_seat" }],
      ["No", { type: "keep_seat" }],
    ] : []]);
  }
  if (end !== null || game.now.seats.white === null || game.now.seats.black === null) return list;
  if (opponent !== null && awayMs(opponent) >= CLAIM_MS) {
    list.push([`${name(opponent)} has left the game.`, [
      ["Claim the win", { type: "claim", claim: "win" }],
      ["Call it a draw", { type: "claim", claim: "draw" }],
    ]]);
  }
  if (you === null && asked === null) {
    for (const seat of ["white", "black"]) {
      if (awayMs(seat) >= REPLACE_MS) {
        list.push([`${name(seat)} is away.`, [[`Ask to play ${title(seat)}`, { type: "ask_seat", seat }]]]);
      }
    }
  }
  return list;
}

const present = (color) => game.here[color] ?? { here: false, away_ms: 0, ping_ms: null };
const name = (color) => game.now.seats[color]?.name ?? "Nobody yet";

function awayMs(color) {
  const { here, away_ms } = present(color);
  return here ? 0 : (away_ms ?? 0) + performance.now() - hereAt;
}

function set(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text;
}

function drawPlayer(place, color) {
  const seat = game.now.seats[color];
  const { here, ping_ms } = present(color);
  const self = game.you === color;
  const there = self ? connected : here;
  const ping = self ? line.pingMs : ping_ms;
  set(`${place}-name`, name(color));
  at(`${place}-program`).hidden = !seat?.program;
  const dot = at(`${place}-dot`);
  dot.className = seat === null ? "dot" : there ? "dot here" : "dot away";
  set(`${place}-state`, seat === null ? "" : there ? (ping === null ? "here" : `${ping} ms`) : self ? "no connection" : "away");
  at(`${place}-color`).className = `color ${color}`;
  at(`${place}-clock`).hidden = game.now.times === null;
}

function notice() {
  const { end, position, seats } = game.now;
  if (!connected) return "The connection is lost. It is tried again by itself.";
  if (end !== null) {
    const who = end.winner === null ? (end.score === "*" ? "No result" : "Draw") : `${title(end.winner)} wins`;
    return `${who}: ${end.reason}. ${end.score === "*" ? "" : end.score}`.trim();
  }
  if (seats.white === null || seats.black === null) {
    return game.you === null ? "A seat is free: join, or watch." : "Waiting for somebody to join.";
  }
  const check = position.check ? " Check." : "";
  if (game.you === null) return `You watch. ${title(position.to_move)} to move.${check}`;
  return (position.to_move === game.you ? "Your move." : `${name(other(game.you))} is to move.`) + check;
}

function drawMoves() {
  const list = at("moves");
  const { moves } = game;
  if (list.childElementCount !== moves.length || list.lastElementChild?.title !== moves.at(-1)?.uci) {
    list.replaceChildren(
      ...moves.map(({ uci, san }, index) => {
        const item = document.createElement("li");
        item.textContent = index % 2 === 0 ? `${index / 2 + 1}. ${san}` : san;
        item.title = uci;
        return item;
      }),
    );
    list.scrollTop = list.scrollHeight;
    list.scrollLeft = list.scrollWidth;
  }
}

let drawnQuestions = "";
function drawQuestions() {
  const list = questions();
  const key = JSON.stringify(list);
  if (key === drawnQuestions) return;
  drawnQuestions = key;
  at("questions").replaceChildren(
    ...list.map(([text, answers]) => {
      const row = document.createElement("p");
      const words = document.createElement("span");
      words.textContent = text;
      row.append(words);
      for (const [label, command] of answers) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = label;
        button.onclick = () => line.ask(command);
        row.append(button);
      }
      return row;
    }),
  );
}

function draw() {
  if (game === null) return;
  const { end, seats, position } = game.now;
  const full = seats.white !== null && seats.black !== null;
  const on = full && end === null;
  const plays = game.you !== null;
  drawPlayer("lower", bottom);
  drawPlayer("upper", other(bottom));
  set("notice", notice());
  set("said", said);
  drawMoves();
  drawQuestions();
  at("join").hidden = plays || full || end !== null;
  at("withdraw").hidden = !plays || full || end !== null;
  at("invite").hidden = full || end !== null;
  for (const button of ["draw", "takeback", "resign"]) at(button).hidden = !plays || !on;
  at("typed").hidden = !plays || !on;
  at("draw").disabled = game.now.offers.draw !== null;
  at("takeback").disabled = game.now.offers.takeback !== null || game.moves.length === 0;
  at("rematch").hidden = !plays || end === null || end.reason === "withdrawn" || game.now.offers.rematch !== null;
  set("resign", resignArmed ? "Resign: sure?" : "Resign");
  at("resign").classList.toggle("armed", resignArmed);
  const { watchers } = game.here;
  set("watchers", watchers === 0 ? "" : watchers === 1 ? "1 watches" : `${watchers} watch`);
  document.title = on && position.to_move === game.you ? "Your move · Torres" : `${name("white")} – ${name("black")} · Torres`;
  document.body.dataset.seq = game.seq;
  document.body.dataset.connected = connected;
}

at("address").value = location.href;
setInterval(draw, 1000);
