// The charts of the page: timelines of what jobs do, and bars of how they stand with the policy.

import { Timeline } from "./chart.js";
import { otherStyle, styleOf, swatch } from "./colors.js";
import { clean, element, named, setText } from "./dom.js";
import { liveCourse } from "./course.js";
import * as format from "./format.js";

const LEADERS = 8;
const STANDING = 10;

export class Cards {
  #model;
  #view;
  #leaders = new Set();
  #timelines;
  #utilisation;
  #capacity;
  #capacityFormat = format.rate;
  #standings;
  #course = null;

  /**
   * Charts of a model in a view, which says target, style and seconds; open(id) shows a job, and
   * pick(stretch) the jobs of a stretch of time.
   */
  constructor(model, view, holder, open, pick) {
    this.#model = model;
    this.#view = view;
    const timeline = (metric, options) => ({
      metric,
      chart: new Timeline({ open, pick: (index) => pick(this.#course.stretch(index)), ...options }),
      stacks: options.stacks,
    });
    this.#timelines = [
      timeline("bytes", { title: "Throughput", format: format.rate, size: "wide", stacks: true }),
      timeline("ops", { title: "Operations", format: format.operations, stacks: true }),
      timeline("wait", {
        title: "Waiting time of a request",
        format: format.millis,
        stacks: false,
      }),
      timeline("queued", { title: "Requests in the queue", format: format.count, stacks: true }),
    ];
    this.#utilisation = new Timeline({
      title: "How busy each target is",
      format: format.percent,
      pick: (index) => pick(this.#course.stretch(index)),
    });
    this.#capacity = new Timeline({
      title: "What each target can do",
      format: (value) => this.#capacityFormat(value),
      pick: (index) => pick(this.#course.stretch(index)),
    });
    this.#standings = [
      new Standings(
        "Allowed against used",
        "Bar: what the job uses now. Mark: what the policy allows it.",
        allowedRows,
        open,
      ),
      new Standings(
        "Tokens lent and borrowed",
        "AdapTBF's records: to the right lent to others, to the left borrowed from them.",
        recordRows,
        open,
      ),
      new Standings(
        "Borrowed between servers",
        "SDQPro: tokens of the next slot that came from other servers.",
        borrowedRows,
        open,
      ),
      new Standings(
        "Coupons",
        "GIFT owes these jobs the bandwidth that it took for others.",
        couponRows,
        open,
      ),
      new Standings(
        "Sets and periods",
        "IO-Sets: how often each job does I/O, as found by watching it; a set shares one turn.",
        periodRows,
        open,
      ),
    ];
    holder.append(
      ...this.#timelines.map((one) => one.chart.node),
      this.#utilisation.node,
      this.#capacity.node,
      ...this.#standings.map((one) => one.node),
    );
  }

  /** Shows a course of history, or what was seen where there is none; marks a moment in it. */
  show(past, moment) {
    const model = this.#model;
    const scope = model.scope(this.#view.scope);
    const course =
      past ??
      liveCourse(
        model,
        scope,
        model.leaders(scope, LEADERS, this.#leaders),
        this.#view.liveSeconds,
      );
    this.#course = course;
    this.#leaders = new Set(course.jobs.map((job) => job.id));
    const shared = {
      times: course.times,
      clock: (millis) => format.moment(millis, course.spanSeconds),
      marked: moment === null ? NaN : (moment.from + moment.to) / 2,
    };
    const target =
      model.targets.length === 1
        ? model.targets[0]
        : model.targets.find((one) => one.name === this.#view.scope);
    for (const { metric, chart, stacks } of this.#timelines) {
      const series = course.jobs.map((job) => ({
        id: job.id,
        label: job.id,
        look: styleOf(job.id, this.#leaders),
        values: job.values(metric),
      }));
      const totals = course.totals(metric);
      const most = Math.max(0, ...totals.filter(Number.isFinite));
      if (stacks) {
        const others = totals.map((total, index) => Math.max(0, total - sum(series, index)));
        if (others.some((value) => value > 0.005 * most)) {
          series.push({ id: "", label: "other jobs", look: otherStyle, values: others });
        }
      }
      const bound =
        (metric === "bytes" && target && target.perByte === 1 && target.perOp === 0) ||
        (metric === "ops" && target && target.perByte === 0)
          ? target.tokens
          : NaN;
      chart.show({
        ...shared,
        series,
        stacked: stacks && this.#view.style === "stacked",
        bound,
        showBound: Number.isFinite(bound) && most > bound / 3,
        now: course.past ? pastWords(metric, totals) : words(metric, totals.at(-1)),
      });
    }
    const names = new Set(course.targets.map((one) => `target ${one.name}`));
    this.#utilisation.show({
      ...shared,
      series: course.targets.slice(0, LEADERS).map((one) => ({
        id: one.name,
        label: one.name,
        look: styleOf(`target ${one.name}`, names),
        values: one.used,
        still: true,
        heavy: true,
      })),
      stacked: false,
      bound: 1,
      showBound: true,
      atLeast: 1,
      boundLabel: "capacity",
    });
    // Bytes and operations cannot be drawn beside each other; a Lustre service has operations alone.
    const drawn = model.targets.some((one) => one.unit === "bytes") ? "bytes" : "operations";
    const alike = new Set(
      model.targets.filter((one) => one.unit === drawn).map((one) => one.name),
    );
    const able = course.targets.filter(
      (one) => alike.has(one.name) && one.capacity.some(Number.isFinite),
    );
    this.#capacityFormat = drawn === "bytes" ? format.rate : format.operations;
    this.#capacity.node.hidden = able.length === 0;
    this.#capacity.show({
      ...shared,
      series: able.slice(0, LEADERS).map((one) => ({
        id: one.name,
        label: one.name,
        look: styleOf(`target ${one.name}`, names),
        values: one.capacity,
        still: true,
        heavy: true,
      })),
      stacked: false,
    });
    // How jobs stand with the policy is known of now alone.
    const compared = model.comparable(this.#view.scope);
    for (const standings of this.#standings) {
      standings.show(course.past ? [] : compared.rows, compared, this.#leaders);
    }
  }
}

function sum(series, index) {
  return series.reduce(
    (total, one) => total + (Number.isFinite(one.values[index]) ? one.values[index] : 0),
    0,
  );
}

function words(metric, total) {
  if (!Number.isFinite(total)) {
    return "";
  }
  switch (metric) {
    case "bytes":
      return `${format.rate(total)} in all`;
    case "ops":
      return `${format.operations(total)} in all`;
    case "wait":
      return `${format.millis(total)} on average`;
    default:
      return `${format.count(total)} in all`;
  }
}

function pastWords(metric, totals) {
  const known = totals.filter(Number.isFinite);
  if (known.length === 0) {
    return "";
  }
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return metric === "queued"
    ? `${format.count(Math.max(...known))} at most`
    : words(metric, mean).replace(" in all", " on average");
}

/** How jobs stand with the policy: a line for each, shown only where there is something to show. */
class Standings {
  #rows;
  #open;
  #list = element("div", { class: "asides" });
  #axis = element("div", { class: "axis", "aria-hidden": "true" });
  #where = element("span", { class: "value" });
  #lines = new Map();

  constructor(title, why, rows, open) {
    this.#rows = rows;
    this.#open = open;
    const heading = element("h3", {}, title);
    heading.id = `standing-${title.replaceAll(" ", "-").toLowerCase()}`;
    this.node = element(
      "section",
      { class: "card chart", "aria-labelledby": heading.id, hidden: true },
      element("header", {}, heading, this.#where),
      element("p", { class: "why" }, why),
      this.#list,
      this.#axis,
    );
  }

  show(rows, { unit, target }, inSight) {
    const { lines, ends } = this.#rows(rows, unit);
    setText(this.#where, target === null ? "" : `on ${clean(target)}`);
    this.node.hidden = lines.length === 0;
    const kept = new Set(lines.map((line) => line.id));
    for (const [id, parts] of this.#lines) {
      if (!kept.has(id)) {
        parts.node.remove();
        this.#lines.delete(id);
      }
    }
    lines.forEach((line, index) => {
      let parts = this.#lines.get(line.id);
      if (parts === undefined) {
        parts = this.#line(line, inSight);
        this.#lines.set(line.id, parts);
      }
      parts.fill(line);
      if (this.#list.children[index] !== parts.node) {
        this.#list.insertBefore(parts.node, this.#list.children[index] ?? null);
      }
    });
    if (ends) {
      this.#axis.replaceChildren(
        element("span"),
        element("span", { class: "ends" }, ...ends.map((text) => element("span", {}, text))),
        element("span"),
      );
    }
  }

  #line(line, inSight) {
    const look = styleOf(line.id, inSight);
    const track = element("div", { class: "track", "aria-hidden": "true" });
    const bar = element("i");
    const mark = element("span", { class: "mark" });
    const dot = element("span", { class: "dot" });
    bar.style.background = look.color;
    dot.style.background = look.color;
    if (line.both) {
      track.append(element("span", { class: "zero" }));
    }
    track.append(line.dot === undefined ? bar : dot, mark);
    const amount = element("span", { class: "amount" });
    const button = element(
      "button",
      { type: "button", class: "plain label", onclick: () => this.#open(line.id) },
      named(line.id),
    );
    const node = element(
      "div",
      { class: "aside" },
      element("span", { class: "who" }, swatch(look), button),
      track,
      amount,
    );
    return {
      node,
      fill: (next) => {
        bar.style.left = `${100 * Math.min(next.from ?? 0, 1)}%`;
        bar.style.width = `${100 * Math.max(0, Math.min(1, next.length ?? 0))}%`;
        dot.style.left = `${100 * (next.dot ?? 0)}%`;
        mark.hidden = next.mark === undefined;
        mark.style.left = `calc(${100 * Math.min(1, next.mark ?? 0)}% - 1px)`;
        setText(amount, next.words);
      },
    };
  }
}

function allowedRows(rows, unit) {
  const shown = rows
    .filter((row) => row.used > 0 || Number.isFinite(row.allowed))
    .slice(0, STANDING);
  if (!shown.some((row) => Number.isFinite(row.allowed))) {
    return { lines: [] };
  }
  const show = (value) => format.tokens(value, unit);
  const most = Math.max(
    ...shown.map((row) => Math.max(row.used, Number.isFinite(row.allowed) ? row.allowed : 0)),
  );
  return {
    lines: shown.map((row) => ({
      id: row.id,
      length: row.used / most,
      mark: Number.isFinite(row.allowed) ? row.allowed / most : undefined,
      words: `${show(row.used)} of ${Number.isFinite(row.allowed) ? show(row.allowed) : "unlimited"}`,
    })),
    ends: ["0", show(most)],
  };
}

function ofFigure(rows, name) {
  return rows.filter(
    (row) => row.figures && Number.isFinite(row.figures[name]) && row.figures[name] !== null,
  );
}

function recordRows(rows) {
  const shown = ofFigure(rows, "record")
    .filter((row) => row.figures.record !== 0)
    .sort((a, b) => Math.abs(b.figures.record) - Math.abs(a.figures.record))
    .slice(0, STANDING);
  const most = Math.max(1, ...shown.map((row) => Math.abs(row.figures.record)));
  return {
    lines: shown.map((row) => {
      const part = row.figures.record / most / 2;
      return {
        id: row.id,
        both: true,
        from: part < 0 ? 0.5 + part : 0.5,
        length: Math.abs(part),
        words: `${row.figures.record < 0 ? "borrowed" : "lent"} ${format.count(Math.abs(row.figures.record))}`,
      };
    }),
    ends: ["borrowed", "lent"],
  };
}

function borrowedRows(rows) {
  const shown = ofFigure(rows, "borrowed")
    .filter((row) => row.figures.borrowed > 0)
    .slice(0, STANDING);
  const most = Math.max(1, ...shown.map((row) => row.figures.borrowed));
  return {
    lines: shown.map((row) => ({
      id: row.id,
      length: row.figures.borrowed / most,
      words: format.count(row.figures.borrowed),
    })),
    ends: ["0", format.count(most)],
  };
}

function couponRows(rows) {
  const shown = ofFigure(rows, "owed")
    .filter((row) => row.figures.owed > 0 || row.figures.redeemed > 0 || row.figures.coupon > 0)
    .sort((a, b) => b.figures.owed - a.figures.owed)
    .slice(0, STANDING);
  const most = Math.max(1, ...shown.map((row) => row.figures.owed));
  return {
    lines: shown.map((row) => {
      const { owed, coupon, redeemed } = row.figures;
      const news = [
        coupon > 0 ? `+${format.rate(coupon)}` : "",
        redeemed > 0 ? `−${format.rate(redeemed)}` : "",
      ]
        .filter(Boolean)
        .join(", ");
      return {
        id: row.id,
        length: owed / most,
        words: `owed ${format.rate(owed)}${news ? ` (${news})` : ""}`,
      };
    }),
    ends: ["0", format.rate(most)],
  };
}

/** Periods lie on a scale where each step is ten times the one before. */
function periodRows(rows) {
  const shown = ofFigure(rows, "period")
    .filter((row) => row.figures.period > 0)
    .sort((a, b) => a.figures.period - b.figures.period)
    .slice(0, STANDING);
  if (shown.length === 0) {
    return { lines: [] };
  }
  const logs = shown.map((row) => Math.log10(row.figures.period));
  const low = Math.floor(Math.min(...logs));
  const high = Math.max(low + 1, Math.ceil(Math.max(...logs)));
  return {
    lines: shown.map((row, index) => ({
      id: row.id,
      dot: (logs[index] - low) / (high - low),
      words:
        `every ${format.seconds(row.figures.period)}, set ${row.figures.set}` +
        (row.figures.confidence === null ? "" : `, ${format.percent(row.figures.confidence)} sure`),
    })),
    ends: [format.seconds(10 ** low), format.seconds(10 ** high)],
  };
}
