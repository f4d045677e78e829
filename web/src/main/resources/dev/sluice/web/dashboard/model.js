// What was seen: the last seconds of each target, and of the jobs that matter there.

/** So many seconds are followed. */
export const SECONDS = 300;

/** So many jobs of each target have a history here; what the others did is in the totals. */
const FOLLOWED_MAX = 80;

const METRICS = ["bytes", "ops", "wait", "queued", "used", "allowed", "capacity"];

/** Of these, nothing known is not nothing. */
const NEVER_ZERO = new Set(["allowed", "capacity"]);

/** Those that history tells of a job, by which it is drawn. */
export const PAST_METRICS = ["bytes", "ops", "wait", "queued"];

/** The last values of some quantity, one a second. NaN stands for a second without one. */
class Ring {
  #values = new Float64Array(SECONDS).fill(NaN);

  put(second, value) {
    this.#values[second % SECONDS] = value;
  }

  at(second) {
    return this.#values[second % SECONDS];
  }
}

class Series {
  constructor(id) {
    this.id = id;
    this.rings = Object.fromEntries(METRICS.map((metric) => [metric, new Ring()]));
    this.score = 0;
    this.seen = 0;
  }

  put(second, row) {
    for (const metric of METRICS) {
      this.rings[metric].put(second, row === null ? (NEVER_ZERO.has(metric) ? NaN : 0) : row[metric]);
    }
  }
}

/** One target, or all of them together. */
class Scope {
  constructor(name) {
    this.name = name;
    this.totals = new Series("");
    this.series = new Map();
    this.rows = [];
  }

  /** Takes a second of a job from before the page was open. */
  remember(job, second, index) {
    let series = this.series.get(job.id);
    if (series === undefined) {
      series = new Series(job.id);
      this.series.set(job.id, series);
    }
    series.seen = Math.max(series.seen, second);
    series.score += PAST_SCORE * job.values("bytes")[index];
    for (const metric of PAST_METRICS) {
      series.rings[metric].put(second, job.values(metric)[index]);
    }
  }

  put(second, rows, totals) {
    this.rows = rows;
    this.totals.put(second, totals);
    const now = new Map();
    const limit = Math.min(rows.length, FOLLOWED_MAX);
    for (let i = 0; i < limit; i++) {
      now.set(rows[i].id, rows[i]);
    }
    for (const id of this.pinned ?? []) {
      const row = now.has(id) ? null : rows.find((candidate) => candidate.id === id);
      if (row) {
        now.set(id, row);
      }
    }
    for (const [id, row] of now) {
      let series = this.series.get(id);
      if (series === undefined) {
        series = new Series(id);
        this.series.set(id, series);
      }
      series.seen = second;
      series.put(second, row);
    }
    for (const [id, series] of this.series) {
      if (series.seen !== second) {
        series.put(second, null);
        if (second - series.seen > SECONDS) {
          this.series.delete(id);
        }
      }
      const row = now.get(id);
      series.score = 0.9 * series.score + (row ? row.used + row.bytes + 4096 * row.ops : 0);
    }
  }
}

export const ALL = "";

/** So little that whoever does something now comes first. */
const PAST_SCORE = 1e-9;

export class Model {
  names = new Map();
  frame = null;
  targets = [];
  scopes = new Map([[ALL, new Scope(ALL)]]);
  /** The last second, and the first of which anything is known; there is room for those before. */
  second = SECONDS - 1;
  first = SECONDS;
  pinned = new Set();
  #live = SECONDS;
  #times = new Float64Array(SECONDS).fill(NaN);

  /** Takes over what the server kept. */
  begin(recent) {
    this.names = new Map();
    this.scopes = new Map([[ALL, new Scope(ALL)]]);
    this.second = SECONDS - 1;
    this.first = SECONDS;
    this.#live = SECONDS;
    this.frame = null;
    this.#times.fill(NaN);
    this.#name(recent.names);
    for (const frame of recent.frames) {
      this.put(frame);
    }
  }

  #name(names) {
    for (const [number, id, user, name, nodes, weight, branch, shares] of names) {
      this.names.set(number, {
        number,
        id,
        user,
        name,
        nodes,
        weight,
        branch: branch ?? "",
        branchShares: shares ?? "",
      });
    }
    if (this.names.size > 20000) {
      const surplus = this.names.size - 10000;
      for (const key of [...this.names.keys()].slice(0, surplus)) {
        this.names.delete(key);
      }
    }
  }

  /** Takes a second; one that came before is passed over, and the last one may come in full. */
  put(frame) {
    this.#name(frame.names);
    if (this.frame !== null && frame.n < this.frame.n) {
      return false;
    }
    if (this.frame === null || frame.n > this.frame.n) {
      this.second++;
    }
    this.frame = frame;
    this.#times[this.second % SECONDS] = frame.t;
    this.targets = frame.targets.map((target) => this.#target(target));
    const known = new Set([ALL, ...this.targets.map((target) => target.name)]);
    for (const name of this.scopes.keys()) {
      if (!known.has(name)) {
        this.scopes.delete(name);
      }
    }
    for (const target of this.targets) {
      this.scope(target.name).put(this.second, target.rows, totals([target], target.rows));
    }
    const all = this.targets.length === 1 ? this.targets[0].rows : joined(this.targets);
    this.scope(ALL).put(this.second, all, totals(this.targets, all));
    return true;
  }

  /** Takes what history tells of the seconds before the first one, of one scope and all targets. */
  fill(name, past) {
    const begun = this.time(this.#live);
    if (!Number.isFinite(begun)) {
      return;
    }
    past.times.forEach((time, index) => {
      const second = this.#live - Math.round((begun - time) / 1000);
      const kept = second < this.#live && second > this.second - SECONDS;
      if (!kept || !Number.isFinite(past.totals("bytes")[index])) {
        return;
      }
      this.first = Math.min(this.first, second);
      this.#times[second % SECONDS] = time;
      const scope = this.scope(name);
      for (const job of past.jobs) {
        scope.remember(job, second, index);
      }
      for (const metric of PAST_METRICS) {
        scope.totals.rings[metric].put(second, past.totals(metric)[index]);
      }
      for (const target of past.targets) {
        this.scope(target.name).totals.rings.used.put(second, target.used[index]);
        this.scope(target.name).totals.rings.capacity.put(second, target.capacity[index]);
      }
    });
  }

  scope(name) {
    let scope = this.scopes.get(name);
    if (scope === undefined) {
      scope = new Scope(name);
      this.scopes.set(name, scope);
    }
    scope.pinned = this.pinned;
    return scope;
  }

  #target(raw) {
    const target = {
      name: raw.name,
      capacity: raw.capacity,
      tokens: raw.tokens ?? Infinity,
      perOp: raw.per_op,
      perByte: raw.per_byte,
      unit: raw.per_byte > 0 ? "bytes" : "operations",
      queued: raw.queued,
      inService: raw.in_service,
      bytes: raw.bytes,
      ops: raw.ops,
      busy: raw.busy,
      summary: raw.summary ?? "",
      trouble: raw.trouble ?? "",
      figures: raw.figures,
    };
    target.used = raw.bytes * raw.per_byte + raw.ops * raw.per_op;
    target.rows = raw.jobs.map((row) => this.#row(row, target));
    return target;
  }

  #row(row, target) {
    const job = this.names.get(row[0]) ?? {
      number: row[0],
      id: `#${row[0]}`,
      user: "",
      name: "",
      nodes: 0,
      weight: 1,
      branch: "",
      branchShares: "",
    };
    const bytes = row[2] + row[3];
    const made = {
      id: job.id,
      user: job.user,
      name: job.name,
      nodes: job.nodes,
      weight: job.weight,
      branch: job.branch,
      branchShares: job.branchShares,
      read: row[2],
      written: row[3],
      bytes,
      ops: row[4],
      wait: row[5],
      queued: row[6],
      allowed: row[1] ?? Infinity,
      used: bytes * target.perByte + row[4] * target.perOp,
      capacity: NaN,
      figures: null,
    };
    if (row.length > 7) {
      made.figures = {};
      target.figures.forEach((name, index) => {
        made.figures[name] = row[7 + index];
      });
    }
    return made;
  }

  /** What the tokens of a scope stand for, in one word. */
  unit(name) {
    const units = new Set(
      this.targets
        .filter((target) => name === ALL || target.name === name)
        .map((target) => target.unit),
    );
    return units.size === 1 ? [...units][0] : "tokens";
  }

  /**
   * The jobs of a scope that can be compared, and what their tokens stand for: where some targets
   * count bytes and others operations, those of the target that is busiest.
   */
  comparable(name) {
    const unit = this.unit(name);
    const busiest = this.busiestTarget();
    return unit === "tokens" && busiest
      ? { rows: busiest.rows, unit: busiest.unit, target: busiest.name }
      : { rows: this.scope(name).rows, unit, target: null };
  }

  /** The target of which most is used; undefined where there is none. */
  busiestTarget() {
    return [...this.targets].sort((a, b) => b.used / b.tokens - a.used / a.tokens)[0];
  }

  /** When a second was, in milliseconds; NaN where none is kept. */
  time(second) {
    return second < this.first || second <= this.second - SECONDS ? NaN : this.#times[second % SECONDS];
  }

  /** The jobs to draw: the busiest, and of two that are about equal the one that was there. */
  leaders(scope, count, before) {
    const ranked = [...scope.series.values()].filter((series) => series.score > 0);
    ranked.sort(
      (a, b) => b.score * (before.has(b.id) ? 1.25 : 1) - a.score * (before.has(a.id) ? 1.25 : 1),
    );
    return ranked.slice(0, count);
  }
}

function totals(targets, rows) {
  let operations = 0;
  let waited = 0;
  for (const row of rows) {
    operations += row.ops;
    waited += row.ops * row.wait;
  }
  const sum = (what) => targets.reduce((total, target) => total + target[what], 0);
  return {
    bytes: sum("bytes"),
    ops: sum("ops"),
    wait: operations > 0 ? waited / operations : 0,
    queued: sum("queued"),
    used: Math.max(...targets.map((target) => target.used / target.tokens), 0),
    allowed: NaN,
    capacity: targets.length === 1 && targets[0].tokens < Infinity ? targets[0].tokens : NaN,
  };
}

/** The jobs of several targets, each once. */
export function joined(targets) {
  const jobs = new Map();
  for (const target of targets) {
    for (const row of target.rows) {
      const sum = jobs.get(row.id);
      if (sum === undefined) {
        jobs.set(row.id, { ...row });
      } else {
        const operations = sum.ops + row.ops;
        sum.wait =
          operations > 0
            ? (sum.wait * sum.ops + row.wait * row.ops) / operations
            : Math.max(sum.wait, row.wait);
        for (const what of ["read", "written", "bytes", "ops", "queued", "allowed", "used"]) {
          sum[what] += row[what];
        }
        sum.figures = sum.figures ?? row.figures;
      }
    }
  }
  return [...jobs.values()].sort((a, b) => b.bytes - a.bytes || b.ops - a.ops);
}
