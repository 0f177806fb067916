// The way to the server, opened again whenever it breaks.

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 2000;

export class Connection {
  // Set by the user of this class.
  onState = (_state) => {};
  onError = (_message) => {};
  onStatus = (_connected) => {};

  #url;
  #socket = null;
  #retryMs = FIRST_RETRY_MS;

  constructor(host) {
    this.#url = `ws://${host}/ws`;
  }

  open() {
    const socket = new WebSocket(this.#url);
    socket.onopen = () => {
      this.#socket = socket;
      this.#retryMs = FIRST_RETRY_MS;
      this.onStatus(true);
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "state") this.onState(message);
      else if (message.type === "error") this.onError(message.message);
    };
    socket.onclose = () => {
      this.#socket = null;
      this.onStatus(false);
      setTimeout(() => this.open(), this.#retryMs);
      this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
    };
  }

  // Without a connection the message is dropped: the state that follows the next connection is the truth.
  send(message) {
    this.#socket?.send(JSON.stringify(message));
  }
}
