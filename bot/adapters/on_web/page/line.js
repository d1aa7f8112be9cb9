// The WebSocket: comes back by itself, and sends again what was not yet done, under the same id.

const FIRST_MS = 250;
const LONGEST_MS = 5000;

export class Line {
  /** `hello()` gives the first message of a connection; `heard` takes events; `changed` hears whether it is up. */
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

  /** Come back at once, if it is gone. */
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

  /** Send something that need not arrive. */
  send(request) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
    else this.now();
  }

  /** Send something that has to be done once; the promise is kept when it is. */
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

// crypto.randomUUID is only there on https and on this machine, and the page may be open on a phone beside it.
function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
