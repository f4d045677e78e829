// A tile for each target: how busy it is, and what it does.

import { clean, element, named, setText } from "./dom.js";
import * as format from "./format.js";

const BUSY = 0.7;
const SATURATED = 0.95;

export class TargetTiles {
  #holder;
  #tiles = new Map();

  constructor(holder) {
    this.#holder = holder;
  }

  show(targets) {
    const kept = new Set(targets.map((target) => target.name));
    for (const [name, tile] of this.#tiles) {
      if (!kept.has(name)) {
        tile.node.remove();
        this.#tiles.delete(name);
      }
    }
    for (const target of targets) {
      let tile = this.#tiles.get(target.name);
      if (tile === undefined) {
        tile = made(target);
        this.#tiles.set(target.name, tile);
        this.#holder.append(tile.node);
      }
      tile.fill(target);
    }
  }
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
      const part = known ? now.used / now.tokens : 0;
      setText(percent, known ? `${format.percent(part)} busy` : "–");
      setText(capacity, now.capacity ? `of ${clean(now.capacity)}` : "");
      bar.style.width = `${Math.min(100, 100 * part)}%`;
      meter.className = `meter ${part >= SATURATED ? "saturated" : part >= BUSY ? "busy" : ""}`;
      meter.setAttribute("aria-valuenow", String(Math.round(Math.min(100, 100 * part))));
      setText(values.get("throughput"), format.rate(now.bytes));
      setText(values.get("operations"), format.operations(now.ops));
      setText(values.get("waiting"), format.count(now.queued));
      setText(values.get("in service"), format.count(now.inService));
      setText(values.get("busy jobs"), format.count(now.busy));
    },
  };
}
