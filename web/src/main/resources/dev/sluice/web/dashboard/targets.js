// A tile for each target: how busy it is, and what it does. Of many targets the busiest have one, in
// the order that they were named in, and the others a line.

import { clean, element, named, setText } from "./dom.js";
import * as format from "./format.js";

const BUSY = 0.7;
const SATURATED = 0.95;

const TILES_MAX = 12;

// So much busier than one that has a tile must be who takes its place: tiles should not flicker.
const CLEARLY = 0.05;

export class TargetTiles {
  #holder;
  #tiles = new Map();
  #others = element("li", { class: "hint others" });

  constructor(holder) {
    this.#holder = holder;
  }

  show(targets) {
    const shown = targets.length > TILES_MAX ? this.#busiest(targets) : targets;
    const names = new Set(shown.map((target) => target.name));
    const others = targets.filter((target) => !names.has(target.name));
    const same = this.#tiles.size === names.size && [...names].every((name) => this.#tiles.has(name));
    if (!same || this.#others.isConnected !== others.length > 0) {
      this.#tiles = new Map(
        shown.map((target) => [target.name, this.#tiles.get(target.name) ?? made(target)]),
      );
      this.#holder.replaceChildren(...[...this.#tiles.values()].map((tile) => tile.node));
      if (others.length > 0) {
        this.#holder.append(this.#others);
      }
    }
    for (const target of shown) {
      this.#tiles.get(target.name).fill(target);
    }
    if (others.length > 0) {
      const bytes = others.reduce((sum, one) => sum + one.bytes, 0);
      const most = format.percent(Math.max(...others.map(part)));
      setText(
        this.#others,
        `${format.count(others.length)} more targets, ${most} busy at most: ${format.rate(bytes)}`,
      );
    }
  }

  #busiest(targets) {
    const rank = (target) => part(target) + (this.#tiles.has(target.name) ? CLEARLY : 0);
    const least = targets.map(rank).sort((a, b) => b - a)[TILES_MAX - 1];
    const above = targets.filter((target) => rank(target) > least);
    const level = targets.filter((target) => rank(target) === least);
    const chosen = new Set([...above, ...level.slice(0, TILES_MAX - above.length)]);
    return targets.filter((target) => chosen.has(target));
  }
}

/** How much of a target is used; nothing where nobody knows what it can do. */
function part(target) {
  return Number.isFinite(target.tokens) ? target.used / target.tokens : 0;
}

function made(target) {
  const percent = element("span", { class: "percent" });
  const bar = element("i");
  const meter = element(
    "div",
    {
      class: "meter",
      role: "meter",
      "aria-valuemin": "0",
      "aria-valuemax": "100",
      "aria-label": `${clean(target.name)} utilisation`,
    },
    bar,
  );
  const values = new Map();
  const list = element(
    "dl",
    {},
    ...["throughput", "operations", "waiting", "in service", "busy jobs"].map((label) => {
      const value = element("dd");
      values.set(label, value);
      return element("div", {}, element("dt", {}, label), value);
    }),
  );
  const capacity = element("span", { class: "hint" });
  const node = element(
    "li",
    { class: "card target" },
    element("div", { class: "name" }, element("b", {}, named(target.name)), capacity, percent),
    meter,
    list,
  );
  return {
    node,
    fill: (now) => {
      const known = Number.isFinite(now.tokens);
      const used = part(now);
      setText(percent, known ? `${format.percent(used)} busy` : "–");
      setText(capacity, now.capacity ? `of ${clean(now.capacity)}` : "");
      bar.style.width = `${Math.min(100, 100 * used)}%`;
      meter.className = `meter ${used >= SATURATED ? "saturated" : used >= BUSY ? "busy" : ""}`;
      meter.setAttribute("aria-valuenow", String(Math.round(Math.min(100, 100 * used))));
      setText(values.get("throughput"), format.rate(now.bytes));
      setText(values.get("operations"), format.operations(now.ops));
      setText(values.get("waiting"), format.count(now.queued));
      setText(values.get("in service"), format.count(now.inService));
      setText(values.get("busy jobs"), format.count(now.busy));
    },
  };
}
