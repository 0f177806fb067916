// The connection of a game's page: it comes back by itself, and knows how long the way is.

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 4000;
const PING_MS = 2000;
// The server pings every two seconds: a line that is silent for longer is lost, whatever the browser believes.
const LOST_MS = 6000;

export class Line {
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
