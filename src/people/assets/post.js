// The way to the server's doors.

// Posts a wish as JSON. Gives whether it was followed, and what the server said; the message of a server that says nothing is made up here.
export async function post(path, wanted) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wanted),
  }).catch(() => null);
  const said = await answer?.json().catch(() => null);
  return { ok: answer?.ok ?? false, said: said ?? { message: "The server does not answer." } };
}

// Makes a game and goes to it. Gives the reason where there is none.
export async function makeGame(path, wanted) {
  const { said } = await post(path, wanted);
  if (!said.game) return said.message;
  location.assign(`/game/${said.game}`);
  return "";
}

// A clock that a form names, such as `10+0`; nothing for `none`.
export function clockOf(chosen) {
  if (chosen === "none") return {};
  const [minutes, seconds] = chosen.split("+").map(Number);
  return { clock: { initial_ms: minutes * 60_000, increment_ms: seconds * 1000 } };
}
