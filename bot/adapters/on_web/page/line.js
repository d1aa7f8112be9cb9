// The WebSocket. It reconnects, and repeats the requests that are not done yet with the same ids.

const FIRST_MS = 250;
const LONGEST_MS = 5000;

export class Line {
  /** `hello()` returns the first message of a connection, `heard(event)` takes events, `changed(isUp)` the state. */
  constructor(hello, heard, changed) {
    this.hello = hello;
    this.heard = heard;
    this.changed = changed;
    this.undone = new Map();
    this.pause = FIRST_MS;
    this.timer = 0;
    addEventListener("online", () => this.now());
    document.addEventListener("visibilitychange", () => document.hidden || this.now());
    this.connect();
  }

  /** Reconnect at once if there is no connection. */
  now() {
    if (this.socket.readyState > WebSocket.OPEN) this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    const address = new URL("/live", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = (this.socket = new WebSocket(address));
    socket.addEventListener("open", () => {
      this.pause = FIRST_MS;
      socket.send(JSON.stringify(this.hello()));
      for (const { request } of this.undone.values()) socket.send(JSON.stringify(request));
      this.changed(true);
    });
    socket.addEventListener("message", (frame) => {
      const event = JSON.parse(frame.data);
      if (event.kind === "done") this.finish(event.id);
      else this.heard(event);
    });
    socket.addEventListener("close", () => {
      if (socket !== this.socket) return;
      this.changed(false);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
      this.pause = Math.min(this.pause * 2, LONGEST_MS);
    });
  }

  /** Send a message that may get lost. */
  send(request) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
    else this.now();
  }

  /** Send a request that has to be carried out once. The promise resolves then. */
  request(request) {
    const id = newId();
    request = { ...request, id };
    return new Promise((done) => {
      this.undone.set(id, { request, done });
      this.send(request);
    });
  }

  finish(id) {
    this.undone.get(id)?.done();
    this.undone.delete(id);
  }
}

// crypto.randomUUID needs https or this machine, but the page may be open on a phone beside it.
function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
