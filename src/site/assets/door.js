// The way to the server: JSON to the address of this page, one message after another.

let last = Promise.resolve();

// What the server answers. Throws with a sentence for the learner when it does not.
export function tell(message) {
  const answer = last.then(() => post(message));
  last = answer.catch(() => {});
  return answer;
}

async function post(message) {
  let answer;
  try {
    answer = await fetch(location.pathname, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(message),
    });
  } catch {
    throw new Error("The server does not answer. Try again.");
  }
  if (!answer.ok) throw new Error("That did not work. Try again, or load the page again.");
  return answer.json();
}
