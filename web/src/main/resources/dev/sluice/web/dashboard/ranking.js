// Who is using what: a table that sorts, filters and groups. Rows are kept and filled anew, so that
// focus and selection stay where they are; of many jobs the first are shown.

import { styleOf, swatch } from "./colors.js";
import { clean, element, named, setText } from "./dom.js";
import * as format from "./format.js";

const ROWS_MAX = 50;

/** A wait that somebody at a keyboard feels. */
const SLOW_MILLIS = 100;

export class Ranking {
  #table;
  #note;
  #view;
  #open;
  #sort = { key: "bytes", descending: true };
  #rows = new Map();
  #columns;
  #branches = document.querySelector("#by-branch");

  constructor(table, note, view, open) {
    this.#table = table;
    this.#note = note;
    this.#view = view;
    this.#open = open;
    this.#columns = [
      { key: "id", label: "Job", text: true },
      { key: "user", label: "User", text: true, class: "less" },
      {
        key: "nodes",
        label: "Nodes",
        class: "less",
        show: (row) => (row.nodes > 0 ? String(row.nodes) : "–"),
      },
      { key: "bytes", label: "Throughput", share: true, show: (row) => format.rate(row.bytes) },
      { key: "read", label: "Read", class: "less", show: (row) => format.rate(row.read) },
      { key: "written", label: "Written", class: "less", show: (row) => format.rate(row.written) },
      { key: "ops", label: "Operations", class: "less", show: (row) => format.operations(row.ops) },
      {
        key: "wait",
        label: "Wait",
        show: (row) => format.millis(row.wait),
        slow: (row) => row.wait >= SLOW_MILLIS,
      },
      { key: "queued", label: "Queue", class: "less", show: (row) => format.count(row.queued) },
      {
        key: "allowed",
        label: "Allowed",
        class: "less",
        show: (row, unit) =>
          Number.isFinite(row.allowed) ? format.tokens(row.allowed, unit) : "unlimited",
      },
      { key: "weight", label: "Weight", class: "less", show: (row) => String(row.weight) },
    ];
    this.#head();
  }

  #head() {
    const cells = this.#columns.map((column) => {
      const cell = element(
        "th",
        { scope: "col", class: `${column.text ? "text" : ""} ${column.class ?? ""}` },
        element(
          "button",
          { type: "button", onclick: () => this.#sortBy(column.key) },
          column.label,
        ),
      );
      column.cell = cell;
      return cell;
    });
    this.#table.tHead.replaceChildren(element("tr", {}, ...cells));
    this.#markSort();
  }

  #markSort() {
    for (const column of this.#columns) {
      if (column.key === this.#sort.key) {
        column.cell.setAttribute("aria-sort", this.#sort.descending ? "descending" : "ascending");
      } else {
        column.cell.removeAttribute("aria-sort");
      }
    }
  }

  #sortBy(key) {
    const text = this.#columns.find((column) => column.key === key).text ?? false;
    this.#sort = { key, descending: this.#sort.key === key ? !this.#sort.descending : !text };
    this.#markSort();
    this.#view.changed();
  }

  /** Shows rows, of which it says when they were. */
  show(all, unit, inSight, when) {
    const wanted = this.#view.filter.toLowerCase();
    const branches = all.some((row) => row.branch);
    this.#branches.hidden = !branches && this.#view.group !== "branch";
    const by = this.#view.group;
    let rows = by === "job" ? all : grouped(all, by);
    if (wanted) {
      rows = rows.filter((row) =>
        `${row.id} ${row.user} ${row.name} ${row.branch}`.toLowerCase().includes(wanted),
      );
    }
    const { key, descending } = this.#sort;
    const order = (a, b) =>
      typeof a[key] === "string" ? a[key].localeCompare(b[key]) : a[key] - b[key] || 0;
    rows = [...rows].sort(
      (a, b) => (descending ? -order(a, b) : order(a, b)) || (a.id < b.id ? -1 : 1),
    );
    const most = Math.max(1, ...rows.map((row) => row.bytes));
    const shown = rows.slice(0, ROWS_MAX);
    this.#fill(shown, most, unit, inSight, by);
    const rest = rows.slice(ROWS_MAX);
    const restBytes = rest.reduce((total, row) => total + row.bytes, 0);
    const what = { job: "jobs", user: "users", branch: "branches" }[by];
    const one = { job: "job", user: "user", branch: "branch" }[by];
    setText(
      this.#note,
      rows.length === 0
        ? wanted
          ? "Nobody who is busy matches this filter."
          : `Nobody did anything ${when}.`
        : rest.length === 0
          ? `${rows.length} ${rows.length === 1 ? one : what} ${when}.`
          : `and ${rest.length} more ${what} with ${format.rate(restBytes)} together; the filter finds them.`,
    );
  }

  #fill(rows, most, unit, inSight, by) {
    const body = this.#table.tBodies[0];
    const kept = new Set(rows.map((row) => row.id));
    for (const [id, parts] of this.#rows) {
      if (!kept.has(id) || parts.by !== by) {
        parts.node.remove();
        this.#rows.delete(id);
      }
    }
    rows.forEach((row, index) => {
      let parts = this.#rows.get(row.id);
      if (parts === undefined) {
        parts = this.#row(row, inSight, by);
        this.#rows.set(row.id, parts);
      }
      parts.fill(row, most, unit);
      if (body.children[index] !== parts.node) {
        body.insertBefore(parts.node, body.children[index] ?? null);
      }
    });
  }

  #row(row, inSight, by) {
    const sums = by !== "job";
    const look = styleOf(sums ? `${by} ${row.id}` : row.id, inSight);
    const cells = this.#columns.map((column) => {
      const cell = element("td", {
        class: `${column.text ? "text" : ""} ${column.class ?? ""} ${column.share ? "share" : ""}`,
      });
      if (column.key === "id") {
        const title = row.name ? `${row.id}, ${row.name}` : row.id;
        cell.append(
          element(
            "span",
            { class: "job" },
            swatch(look),
            sums
              ? element("b", {}, named(row.id))
              : element(
                  "button",
                  {
                    type: "button",
                    title: clean(title),
                    onclick: (event) => {
                      event.stopPropagation();
                      this.#open(row.id);
                    },
                  },
                  named(row.id),
                ),
          ),
        );
      } else if (column.share) {
        const bar = element("i");
        bar.style.background = look.color;
        const text = element("span");
        cell.append(bar, text);
        return {
          cell,
          fill: (next, most) => {
            bar.style.width = `calc(${(100 * next.bytes) / most}% - .8rem)`;
            setText(text, column.show(next));
          },
        };
      }
      return {
        cell,
        fill: (next, _most, unit) => {
          if (column.key === "user") {
            setText(cell, clean(next.user || "–"));
            cell.title = clean(
              next.branchShares ? `${next.branch}, shares ${next.branchShares}` : next.branch,
            );
          } else if (column.show) {
            setText(cell, column.show(next, unit));
            if (column.slow) {
              cell.classList.toggle("slow", column.slow(next));
            }
          }
        },
      };
    });
    const node = element(
      "tr",
      sums ? {} : { class: "opens", onclick: () => this.#open(row.id) },
      ...cells.map((one) => one.cell),
    );
    return {
      node,
      by,
      fill: (next, most, unit) => cells.forEach((one) => one.fill(next, most, unit)),
    };
  }
}

/** The rows of all that have the same user or branch, added up. */
function grouped(rows, by) {
  const sums = new Map();
  for (const row of rows) {
    const key = row[by] || "unknown";
    const sum = sums.get(key);
    if (sum === undefined) {
      sums.set(key, { ...row, id: key, user: "1 job", name: "", jobs: 1 });
    } else {
      sum.jobs++;
      sum.user = `${sum.jobs} jobs`;
      sum.wait =
        sum.ops + row.ops > 0 ? (sum.wait * sum.ops + row.wait * row.ops) / (sum.ops + row.ops) : 0;
      for (const what of [
        "nodes",
        "bytes",
        "read",
        "written",
        "ops",
        "queued",
        "allowed",
        "weight",
        "used",
      ]) {
        sum[what] += row[what];
      }
    }
  }
  return [...sums.values()];
}
