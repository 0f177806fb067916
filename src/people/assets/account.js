// Accounts: making one, logging in and out, deleting it.

const at = (id) => document.getElementById(id);

async function post(path, wanted) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wanted),
  }).catch(() => null);
  if (answer?.ok) return location.assign("/account");
  const said = await answer?.json().catch(() => null);
  at("problem").textContent = said?.message ?? "The server does not answer.";
}

for (const [form, path] of [
  ["sign-up", "/account/sign-up"],
  ["log-in", "/account/log-in"],
  ["delete", "/account/delete"],
  ["log-out", "/account/log-out"],
]) {
  at(form)?.addEventListener("submit", (event) => {
    event.preventDefault();
    post(path, Object.fromEntries(new FormData(event.target)));
  });
}
