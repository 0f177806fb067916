// The list of games, and making one.

import { clockOf, makeGame } from "./post.js";

// Who gave no name is called so, and needs no further word.
const NAMELESS = "Guest";

const at = (id) => document.getElementById(id);
// Whoever has an account is called by it.
const name = at("name");
const program = at("program");
if (name !== null) name.value ||= localStorage.getItem("torres-name") ?? "";
program.checked = localStorage.getItem("torres-program") === "yes";

function remember() {
  if (name !== null) localStorage.setItem("torres-name", name.value.trim());
  localStorage.setItem("torres-program", program.checked ? "yes" : "no");
}
name?.addEventListener("change", remember);
program.onchange = remember;

at("make").onsubmit = async (event) => {
  event.preventDefault();
  remember();
  const form = new FormData(at("make"));
  const color = form.get("color");
  const wanted = {
    name: name?.value ?? "",
    program: program.checked,
    listed: form.get("listed") === "yes",
    ...(color !== "any" && { color }),
    ...clockOf(form.get("clock")),
  };
  at("problem").textContent = await makeGame("/people/games", wanted);
};

function span(kind, text) {
  const element = document.createElement("span");
  element.className = kind;
  element.textContent = text;
  return element;
}

// A player: name, and what is said of them beside it.
function shown([player, isProgram, isGuest]) {
  const cell = span("who", "");
  cell.append(span("name", player));
  if (isProgram) cell.append(" ", span("tag", "program"));
  if (isGuest && player !== NAMELESS) cell.append(" ", span("tag guest", "guest"));
  return cell;
}

function row(game) {
  const item = document.createElement("li");
  item.dataset.game = JSON.stringify(game);
  const link = document.createElement("a");
  link.href = `/game/${game.id}`;
  const free = game.white === null ? "white" : game.black === null ? "black" : null;
  const clock = span("time", game.clock ?? "no clock");
  if (free !== null) {
    const color = span(`color ${free}`, "");
    color.title = `you play ${free}`;
    link.append(color, span("unseen", `Play ${free} against `), shown(game.white ?? game.black), clock);
  } else link.append(shown(game.white), document.createTextNode(" – "), shown(game.black), clock);
  item.append(link);
  return item;
}

// A row that stays as it was is not touched: somebody may be about to click it.
function showIn(list, games) {
  const rows = new Map([...list.children].map((item) => [item.dataset.game, item]));
  const wanted = games.map((game) => rows.get(JSON.stringify(game)) ?? row(game));
  for (const item of rows.values()) if (!wanted.includes(item)) item.remove();
  wanted.forEach((item, index) => {
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
  });
}

function show(games) {
  const free = games.filter((game) => game.white === null || game.black === null);
  const on = games.filter((game) => game.white !== null && game.black !== null);
  showIn(at("open"), free);
  showIn(at("playing"), on);
  at("no-open").hidden = free.length > 0;
  at("no-playing").hidden = on.length > 0;
}

function listen(retryMs) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/people/ws`);
  let next = retryMs;
  socket.onmessage = (event) => {
    next = 250;
    const message = JSON.parse(event.data);
    if (message.type === "games") show(message.games);
  };
  socket.onclose = () => setTimeout(() => listen(Math.min(2 * next, 4000)), next);
}
listen(250);
