// Follows the server's events. fetch() and not EventSource, which can send no token. When the
// connection breaks it comes back by itself, sooner at first, and fetches what was missed.

import { ask } from "./api.js";
import { begun } from "./begin.js";

const WAIT_MIN_MILLIS = 500;
const WAIT_MAX_MILLIS = 10000;

/** Nothing for this long, not even a heartbeat, is a broken connection. */
const SILENCE_MILLIS = 20000;

export class Feed {
  #listener;
  #abort = new AbortController();
  #waitMillis = WAIT_MIN_MILLIS;
  #number = 0;
  #welcomed = false;
  #wake = () => {};

  /** The listener has begin(recent), frame(frame) and state(state, detail). */
  constructor(listener) {
    this.#listener = listener;
    addEventListener("online", () => this.#wake());
    document.addEventListener("visibilitychange", () => this.#wake());
  }

  async run() {
    while (true) {
      try {
        await this.#follow();
        this.#listener.state("lost", "the server ended the stream");
      } catch (problem) {
        const refused = problem.status === 401;
        this.#listener.state(refused ? "refused" : "lost", problem.message);
      }
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, this.#waitMillis);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#waitMillis = Math.min(2 * this.#waitMillis, WAIT_MAX_MILLIS);
    }
  }

  /** Begins anew, with another token for instance. */
  restart() {
    this.#waitMillis = WAIT_MIN_MILLIS;
    this.#abort.abort();
    this.#wake();
  }

  async #follow() {
    const { abort, events, recent } = begun();
    this.#abort = abort;
    this.#welcomed = false;
    const response = await events;
    if (!response.ok) {
      const refusal = new Error(
        response.status === 401 ? "a token is needed" : `the server answered ${response.status}`,
      );
      refusal.status = response.status;
      throw refusal;
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    this.#begin(await recent);
    this.#listener.state("live", "");
    this.#waitMillis = WAIT_MIN_MILLIS;
    await this.#read(reader);
  }

  #begin(recent) {
    this.#number = recent.frames.at(-1)?.n ?? 0;
    this.#listener.begin(recent);
  }

  async #read(reader) {
    let buffer = "";
    while (true) {
      const { value, done } = await this.#patiently(reader);
      if (done) {
        return;
      }
      buffer += value;
      let end;
      while ((end = buffer.indexOf("\n\n")) >= 0) {
        await this.#event(buffer.slice(0, end));
        buffer = buffer.slice(end + 2);
      }
    }
  }

  async #patiently(reader) {
    let timer;
    const silence = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("nothing came for 20 s")), SILENCE_MILLIS);
    });
    try {
      return await Promise.race([reader.read(), silence]);
    } catch (problem) {
      this.#abort.abort();
      throw problem;
    } finally {
      clearTimeout(timer);
    }
  }

  async #event(text) {
    let name = "";
    let data = "";
    for (const line of text.split("\n")) {
      if (line.startsWith("event: ")) {
        name = line.slice(7);
      } else if (line.startsWith("data: ")) {
        data = line.slice(6);
      }
    }
    if (name === "frame") {
      const frame = JSON.parse(data);
      if (frame.n > this.#number + (this.#welcomed ? 1 : 0)) {
        // Frames went by before the stream was open, and with them the names of jobs.
        this.#begin(await ask("api/v1/recent"));
      }
      this.#welcomed = true;
      this.#number = Math.max(this.#number, frame.n);
      this.#listener.frame(frame);
    }
  }
}
