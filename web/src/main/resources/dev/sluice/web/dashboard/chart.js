// A timeline on a canvas: stacked areas or lines, a cursor for mouse, finger and keyboard, a legend
// of buttons, and the same as a table for whoever cannot see it. Drawn once a second.

import { element, named, setText } from "./dom.js";
import { otherStyle, swatch } from "./colors.js";
import { clock } from "./format.js";

const LEFT = 76;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 20;

let drawn = 0;

export class Timeline {
  #canvas = element("canvas", { tabIndex: 0, role: "img" });
  #readout = element("div", { class: "readout", hidden: true });
  #spoken = element("p", { class: "hidden", role: "status" });
  #legend = element("ul", { class: "legend" });
  #table = element("table", { class: "figures" });
  #tableHolder = element("div", { class: "scroll", hidden: true });
  #value = element("span", { class: "value" });
  #title = element("h3");
  #data = null;
  #cursor = null;
  #open;
  #pick;
  #visible = true;

  /**
   * A chart. Options: title, format of values, size (a class), open(id), called when somebody picks
   * a job from the legend, and pick(index), when somebody picks a time.
   */
  constructor({ title, format, size = "", open = null, pick = null }) {
    this.title = title;
    this.format = format;
    this.#open = open;
    this.#pick = pick;
    const id = `chart-${++drawn}`;
    this.#title.id = id;
    setText(this.#title, title);
    this.#tableHolder.append(this.#table);
    const toggle = element(
      "button",
      {
        type: "button",
        class: "plain",
        "aria-expanded": "false",
        "aria-label": `${title} as a table`,
        onclick: () => {
          this.#tableHolder.hidden = !this.#tableHolder.hidden;
          toggle.setAttribute("aria-expanded", String(!this.#tableHolder.hidden));
          this.#fillTable();
        },
      },
      "Table",
    );
    const plot = element("div", { class: "plot" }, this.#canvas, this.#readout, this.#spoken);
    this.node = element(
      "section",
      { class: `card chart ${size}`, "aria-labelledby": id },
      element("header", {}, this.#title, this.#value, toggle),
    );
    this.node.append(plot, this.#legend, this.#tableHolder);
    this.#listen();
  }

  #listen() {
    const canvas = this.#canvas;
    canvas.addEventListener("pointermove", (event) => this.#moveTo(event.offsetX));
    canvas.addEventListener("pointerleave", () => this.#leave());
    canvas.addEventListener("click", (event) => {
      this.#moveTo(event.offsetX);
      this.#picked();
    });
    canvas.addEventListener("blur", () => this.#leave());
    canvas.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
      if (event.key === "Escape") {
        this.#leave();
      } else if (event.key === "Enter") {
        this.#picked();
      } else if (event.key in steps && this.#data !== null) {
        const last = this.#data.times.length - 1;
        const from = this.#cursor ?? last;
        this.#cursor = Math.min(last, Math.max(0, from + steps[event.key]));
        event.preventDefault();
        this.#draw();
        this.#speak();
      }
    });
    new ResizeObserver(() => this.#draw()).observe(canvas);
    // What nobody sees is not drawn.
    new IntersectionObserver((entries) => {
      this.#visible = entries[entries.length - 1].isIntersecting;
      this.#draw();
    }).observe(canvas);
  }

  #leave() {
    this.#cursor = null;
    this.#draw();
  }

  #picked() {
    if (this.#pick !== null && Number.isFinite(this.#data?.times[this.#cursor])) {
      this.#pick(this.#cursor);
    }
  }

  #moveTo(x) {
    if (this.#data === null) {
      return;
    }
    const last = this.#data.times.length - 1;
    const width = this.#canvas.clientWidth - LEFT - RIGHT;
    this.#cursor = Math.min(last, Math.max(0, Math.round(((x - LEFT) / width) * last)));
    this.#draw();
  }

  /**
   * Shows data: times (oldest first) and how they are written, a time that is marked or NaN, series
   * with id, label, look and values, stacked or not, a bound that is drawn as a line or NaN, and what
   * to say of now.
   */
  show(data) {
    this.#data = { clock, marked: NaN, ...data };
    setText(this.#value, data.now ?? "");
    this.#draw();
    this.#fillLegend();
    if (!this.#tableHolder.hidden) {
      this.#fillTable();
    }
  }

  #draw() {
    const data = this.#data;
    const canvas = this.#canvas;
    if (data === null || !this.#visible || canvas.clientWidth === 0) {
      return;
    }
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (
      canvas.width !== Math.round(width * ratio) ||
      canvas.height !== Math.round(height * ratio)
    ) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const css = getComputedStyle(document.documentElement);
    const colors = {
      grid: css.getPropertyValue("--grid"),
      text: css.getPropertyValue("--faint"),
      card: css.getPropertyValue("--card"),
      soft: css.getPropertyValue("--soft"),
    };
    pen.font = `12px ${css.fontFamily}`;
    const stacks = data.stacked ? stacked(data) : null;
    const top = niceTop(Math.max(highest(data, stacks), data.atLeast ?? 0, boundIn(data)));
    const plot = {
      x: (index) => LEFT + (index / Math.max(1, data.times.length - 1)) * (width - LEFT - RIGHT),
      y: (value) => TOP + (1 - value / top) * (height - TOP - BOTTOM),
      width,
      height,
      top,
    };
    this.#axes(pen, plot, colors);
    if (stacks === null) {
      this.#lines(pen, plot);
    } else {
      this.#areas(pen, plot, stacks, colors);
    }
    if (Number.isFinite(data.bound)) {
      pen.strokeStyle = colors.soft;
      pen.lineWidth = 1.5;
      pen.setLineDash([7, 5]);
      line(pen, plot.x(0), plot.y(data.bound), plot.x(data.times.length - 1), plot.y(data.bound));
      pen.setLineDash([]);
      pen.fillStyle = colors.soft;
      pen.textAlign = "left";
      pen.textBaseline = "bottom";
      pen.fillText(data.boundLabel ?? "capacity", LEFT + 4, plot.y(data.bound) - 2);
    }
    this.#showMarked(pen, plot, colors);
    this.#showCursor(pen, plot, colors);
    canvas.setAttribute("aria-label", this.#words());
  }

  #axes(pen, plot, colors) {
    pen.strokeStyle = colors.grid;
    pen.fillStyle = colors.text;
    pen.lineWidth = 1;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (let part = 0; part <= 4; part++) {
      const value = (plot.top * part) / 4;
      const y = Math.round(plot.y(value)) + 0.5;
      line(pen, LEFT, y, plot.width - RIGHT, y);
      if (part % 2 === 0) {
        pen.fillText(this.format(value), LEFT - 8, y);
      }
    }
    const times = this.#data.times;
    pen.textBaseline = "top";
    const wanted = Math.max(2, Math.min(6, Math.floor((plot.width - LEFT) / 110)));
    for (let part = 0; part <= wanted; part++) {
      const index = Math.round((part / wanted) * (times.length - 1));
      if (Number.isFinite(times[index])) {
        pen.textAlign = part === wanted ? "right" : part === 0 ? "left" : "center";
        pen.fillText(this.#data.clock(times[index]), plot.x(index), plot.height - BOTTOM + 5);
      }
    }
  }

  #areas(pen, plot, stacks, colors) {
    const count = this.#data.times.length;
    let below = null;
    stacks.forEach((tops, index) => {
      const look = this.#data.series[index].look;
      pen.beginPath();
      for (let i = 0; i < count; i++) {
        pen.lineTo(plot.x(i), plot.y(tops[i]));
      }
      for (let i = count - 1; i >= 0; i--) {
        pen.lineTo(plot.x(i), plot.y(below === null ? 0 : below[i]));
      }
      pen.closePath();
      pen.fillStyle = look.color;
      pen.globalAlpha = 0.82;
      pen.fill();
      pen.globalAlpha = 1;
      pen.beginPath();
      for (let i = 0; i < count; i++) {
        pen.lineTo(plot.x(i), plot.y(tops[i]));
      }
      // Neighbours are told apart by the gap between them, whatever their colours.
      pen.strokeStyle = colors.card;
      pen.lineWidth = 1;
      pen.stroke();
      below = tops;
    });
  }

  #lines(pen, plot) {
    for (const series of [...this.#data.series].reverse()) {
      pen.strokeStyle = series.look.color;
      pen.lineWidth = series.heavy ? 2.5 : 1.8;
      pen.setLineDash(series.look.dash);
      pen.beginPath();
      let open = false;
      series.values.forEach((value, index) => {
        if (Number.isFinite(value)) {
          if (open) {
            pen.lineTo(plot.x(index), plot.y(value));
          } else {
            pen.moveTo(plot.x(index), plot.y(value));
          }
          open = true;
        } else {
          open = false;
        }
      });
      pen.stroke();
    }
    pen.setLineDash([]);
  }

  #showMarked(pen, plot, colors) {
    const { times, marked } = this.#data;
    if (!(marked >= times[0] && marked <= times.at(-1))) {
      return;
    }
    const index = times.findIndex((time) => time >= marked);
    pen.strokeStyle = colors.soft;
    pen.lineWidth = 3;
    line(pen, plot.x(index), TOP, plot.x(index), plot.height - BOTTOM);
  }

  #showCursor(pen, plot, colors) {
    const data = this.#data;
    if (this.#cursor === null || !Number.isFinite(data.times[this.#cursor])) {
      this.#readout.hidden = true;
      return;
    }
    const x = plot.x(this.#cursor);
    pen.strokeStyle = colors.soft;
    pen.lineWidth = 1;
    line(pen, x, TOP, x, plot.height - BOTTOM);
    const rows = data.series
      .filter((series) => series.values[this.#cursor] > 0)
      .map((series) =>
        element(
          "tr",
          {},
          element("td", {}, swatch(series.look)),
          element("td", {}, named(series.label)),
          element("td", {}, this.format(series.values[this.#cursor])),
        ),
      );
    this.#readout.replaceChildren(
      element("b", {}, data.clock(data.times[this.#cursor])),
      element("table", {}, element("tbody", {}, ...rows)),
    );
    this.#readout.hidden = false;
    const room = plot.width - x > this.#readout.offsetWidth + 20;
    this.#readout.style.left = `${room ? x + 12 : Math.max(0, x - this.#readout.offsetWidth - 12)}px`;
  }

  #speak() {
    const data = this.#data;
    const values = data.series
      .filter((series) => series.values[this.#cursor] > 0)
      .map((series) => `${series.label} ${this.format(series.values[this.#cursor])}`);
    setText(
      this.#spoken,
      `${data.clock(data.times[this.#cursor])}: ${values.join(", ") || "nothing"}`,
    );
  }

  #words() {
    const busiest = this.#data.series
      .slice(0, 3)
      .map((series) => `${series.label} ${this.format(lastOf(series.values))}`);
    const keys =
      this.#pick === null
        ? "Arrow keys go through time."
        : "Arrow keys go through time, Enter shows the jobs of that time.";
    const last = busiest.length ? `Last: ${busiest.join(", ")}.` : "Nothing now.";
    return `${this.title}. ${last} ${keys}`;
  }

  #fillLegend() {
    const wanted = this.#data.series.map((series) => series.id);
    const shown = [...this.#legend.children].map((item) => item.dataset.id);
    if (wanted.length !== shown.length || wanted.some((id, index) => id !== shown[index])) {
      this.#legend.replaceChildren(...this.#data.series.map((series) => this.#legendItem(series)));
    }
  }

  #legendItem(series) {
    const inside = [swatch(series.look), element("span", { class: "label" }, named(series.label))];
    const opens = this.#open !== null && series.look !== otherStyle && !series.still;
    const item = element(
      "li",
      {},
      opens
        ? element("button", { type: "button", onclick: () => this.#open(series.id) }, ...inside)
        : element("span", { class: "still" }, ...inside),
    );
    item.dataset.id = series.id;
    return item;
  }

  #fillTable() {
    if (this.#data === null) {
      return;
    }
    const head = element(
      "tr",
      {},
      ...["", "last", "mean", "highest"].map((text) => element("th", { scope: "col" }, text)),
    );
    const rows = this.#data.series.map((series) => {
      const values = [...series.values].filter(Number.isFinite);
      const mean = values.length ? values.reduce((a, b) => a + b, 0) / values.length : 0;
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, swatch(series.look), " ", named(series.label)),
        element("td", {}, this.format(lastOf(series.values))),
        element("td", {}, this.format(mean)),
        element("td", {}, this.format(values.length ? Math.max(...values) : 0)),
      );
    });
    this.#table.replaceChildren(
      element("caption", { class: "hidden" }, this.title),
      element("thead", {}, head),
      element("tbody", {}, ...rows),
    );
  }
}

function lastOf(values) {
  const value = values[values.length - 1];
  return Number.isFinite(value) ? value : 0;
}

function line(pen, x1, y1, x2, y2) {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}

function stacked(data) {
  const stacks = [];
  let below = new Float64Array(data.times.length);
  for (const series of data.series) {
    const tops = Float64Array.from(below);
    series.values.forEach((value, index) => {
      tops[index] += Number.isFinite(value) ? value : 0;
    });
    stacks.push(tops);
    below = tops;
  }
  return stacks;
}

function highest(data, stacks) {
  let most = 0;
  if (stacks !== null) {
    for (const value of stacks[stacks.length - 1] ?? []) {
      most = Math.max(most, value);
    }
    return most;
  }
  for (const series of data.series) {
    for (const value of series.values) {
      if (value > most && Number.isFinite(value)) {
        most = value;
      }
    }
  }
  return most;
}

/** A bound far above what happens would press it all to the floor, and is left out. */
function boundIn(data) {
  return Number.isFinite(data.bound) && data.showBound ? data.bound * 1.05 : 0;
}

function niceTop(value) {
  if (!(value > 0)) {
    return 1;
  }
  const step = 10 ** Math.floor(Math.log10(value));
  for (const factor of [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 5, 6, 8, 10]) {
    if (factor * step >= value) {
      return factor * step;
    }
  }
  return 10 * step;
}
