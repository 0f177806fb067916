// Accounts: making one, logging in and out, deleting it.

import { post } from "./post.js";

const at = (id) => document.getElementById(id);

for (const [form, path] of [
  ["sign-up", "/account/sign-up"],
  ["log-in", "/account/log-in"],
  ["delete", "/account/delete"],
  ["log-out", "/account/log-out"],
]) {
  at(form)?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { ok, said } = await post(path, Object.fromEntries(new FormData(event.target)));
    if (ok) location.assign("/account");
    else at("problem").textContent = said.message;
  });
}
