// What happened before, as far as the server's history tells: a range of time for the charts, and
// the jobs of one moment in it.

import { ask } from "./api.js";
import { pastCourse } from "./course.js";
import { joined } from "./model.js";

/** Reading a month may take the server a while. */
const PATIENCE_MILLIS = 60_000;

/** The ranges that history answers, by their seconds: how far back, and in how many steps. */
const RANGES = new Map([
  [300, { since: "5min", steps: 300 }],
  [900, { since: "15min", steps: 180 }],
  [3600, { since: "1h", steps: 360 }],
  [86400, { since: "24h", steps: 288 }],
  [2592000, { since: "30d", steps: 360 }],
]);

/** Nothing is asked for again sooner than this. */
const AGAIN_MILLIS = 10_000;

/** A range or a moment; what is not known yet is null. */
export class Past {
  course = null;
  events = [];
  resolutionSeconds = 0;
  moment = null;
  problem = "";
  #changed;
  #wanted = null;
  #dueMillis = Infinity;
  #asked = 0;
  #picked = 0;

  /** The listener is called when something new is known. */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Whether a range of history is shown, and not what happens now. */
  get chosen() {
    return this.#wanted !== null;
  }

  /** Shows a range of so many seconds on a target, or where seconds is 0 what happens now. */
  choose(seconds, scope) {
    this.course = null;
    this.events = [];
    this.problem = "";
    this.#asked++;
    this.#wanted = seconds === 0 ? null : { seconds, scope };
    this.#dueMillis = this.#wanted === null ? Infinity : 0;
    this.follow(performance.now());
  }

  /** Shows the same of another target. */
  rescope(scope) {
    if (this.#wanted !== null) {
      this.choose(this.#wanted.seconds, scope);
    }
    if (this.moment !== null) {
      this.pick(this.moment, scope);
    }
  }

  /** Asks again when a step has passed. */
  follow(nowMillis) {
    if (nowMillis < this.#dueMillis) {
      return;
    }
    const { seconds } = this.#wanted;
    const stepMillis = (1000 * seconds) / RANGES.get(seconds).steps;
    this.#dueMillis = Infinity;
    this.#read(this.#asked).finally(() => {
      if (this.#wanted?.seconds === seconds) {
        this.#dueMillis = performance.now() + Math.max(AGAIN_MILLIS, stepMillis);
      }
      this.#changed();
    });
  }

  async #read(asked) {
    try {
      const answer = await range(this.#wanted.seconds, this.#wanted.scope);
      if (asked === this.#asked) {
        this.course = pastCourse(answer);
        this.events = answer.events;
        this.resolutionSeconds = answer.resolution_s;
        this.problem = "";
      }
    } catch (refusal) {
      if (asked === this.#asked) {
        this.problem = refusal.message;
      }
    }
  }

  /** Shows the jobs of a moment, on a target or on all. */
  async pick({ from, to }, scope) {
    const picked = ++this.#picked;
    this.moment = { from, to, rows: null, problem: "" };
    this.#changed();
    let rows = [];
    let problem = "";
    try {
      const of = scope === "" ? "" : `&target=${encodeURIComponent(scope)}`;
      const answer = await ask(
        `api/v1/history/jobs?from_ms=${Math.round(from)}&to_ms=${Math.round(to)}${of}`,
        PATIENCE_MILLIS,
      );
      rows = joined([{ rows: answer.jobs.map(row) }]);
    } catch (refusal) {
      problem = refusal.message;
    }
    if (picked === this.#picked) {
      this.moment = { from, to, rows, problem };
      this.#changed();
    }
  }

  /** Shows the jobs of now again. */
  leaveMoment() {
    this.#picked++;
    this.moment = null;
    this.#changed();
  }
}

/** What the server's history has of the last so many seconds. */
export function range(seconds, scope) {
  const { since, steps } = RANGES.get(seconds);
  const of = scope === "" ? "" : `&target=${encodeURIComponent(scope)}`;
  return ask(`api/v1/history?since=${since}&steps=${steps}${of}`, PATIENCE_MILLIS);
}

function row(told) {
  return {
    id: told.job || "all others",
    user: told.user,
    name: "",
    nodes: 0,
    weight: told.weight,
    branch: "",
    branchShares: "",
    read: told.read_bytes_per_second,
    written: told.written_bytes_per_second,
    bytes: told.read_bytes_per_second + told.written_bytes_per_second,
    ops: told.operations_per_second,
    wait: told.waited_ms,
    queued: told.queued,
    allowed: told.allowed_tokens_per_second ?? Infinity,
    used: 0,
    figures: null,
  };
}
