// One job: why it got what it got, in words and numbers and over time, and what can be set for it.

import { ask } from "./api.js";
import { Timeline } from "./chart.js";
import { styleOf, swatch } from "./colors.js";
import { seconds } from "./course.js";
import { byId, clean, element, named, setText } from "./dom.js";
import * as format from "./format.js";
import { ALL } from "./model.js";

const REASONS_MAX = 100;
const ASK_MILLIS = 1000;

/** What the numbers behind a decision are called. */
const MEANINGS = {
  allocated: "allocated",
  nodes: "nodes",
  demand: "wanted",
  priority: "share by nodes or priority",
  redistributed: "after lending",
  recompensated: "after giving back",
  record: "record (lent if positive)",
  bsip: "fair share",
  redeemed: "coupons redeemed",
  coupon: "coupons issued",
  owed: "owed in coupons",
  period: "period in s",
  confidence: "certainty",
  set: "set",
  credit: "credit",
  desired: "desired",
  borrowed: "borrowed",
  usable: "usable",
  weight: "weight",
};

export class JobPanel {
  #model;
  #view;
  #controls;
  #dialog = byId("job-dialog");
  #id = null;
  #parts = null;
  #reasons = new Map();
  #askedMillis = 0;

  constructor(model, view, controls) {
    this.#model = model;
    this.#view = view;
    this.#controls = controls;
    this.#dialog.addEventListener("close", () => this.#closed());
    this.#dialog.addEventListener("click", (event) => {
      // A click beside the panel closes it.
      if (
        event.target === this.#dialog &&
        event.clientX < this.#dialog.getBoundingClientRect().left
      ) {
        this.#dialog.close();
      }
    });
  }

  open(id) {
    this.#model.pinned.delete(this.#id);
    this.#id = id;
    this.#model.pinned.add(id);
    this.#reasons.clear();
    this.#askedMillis = 0;
    this.#build();
    if (!this.#dialog.open) {
      this.#dialog.showModal();
    }
    this.show();
  }

  #closed() {
    // The event comes some time after the closing; another job may be shown by then.
    if (this.#dialog.open) {
      return;
    }
    this.#model.pinned.delete(this.#id);
    this.#id = null;
    this.#parts = null;
  }

  #build() {
    const id = this.#id;
    const used = new Timeline({
      title: "Allowed and used",
      format: (value) => this.#tokens(value),
      size: "wide",
    });
    const wait = new Timeline({
      title: "Waiting time of a request",
      format: format.millis,
      size: "wide",
    });
    const parts = {
      chips: element("p", { class: "chips" }),
      reason: element("p", { class: "reason", "aria-live": "polite" }, "Asking why…"),
      state: element("p", { class: "hint" }),
      summary: element("p", { class: "hint" }),
      figures: element("table", { class: "figures" }),
      log: element("ol", { class: "log" }),
      used,
      wait,
    };
    this.#parts = parts;
    this.#dialog.replaceChildren(
      element(
        "div",
        { class: "stack" },
        element(
          "div",
          { class: "head" },
          swatch(styleOf(id, [])),
          element("h2", { id: "job-title" }, "Job ", named(id)),
          element("span", { class: "spacer" }),
          element("button", { type: "button", onclick: () => this.#dialog.close() }, "Close"),
        ),
        parts.chips,
        element(
          "section",
          { class: "boxed stack" },
          element("h3", {}, "Why it gets what it gets"),
          parts.reason,
          parts.summary,
          parts.state,
          parts.figures,
        ),
        element("div", { class: "charts" }, used.node, wait.node),
        element(
          "section",
          { class: "boxed stack" },
          element("h3", {}, "What was decided while you watched"),
          parts.log,
        ),
        this.#form(id),
      ),
    );
  }

  #form(id) {
    if (this.#controls.means !== "commands") {
      return this.#document();
    }
    const mayOperate = this.#controls.mayChange;
    const row = this.#row();
    const weight = element("input", {
      type: "number",
      min: "1",
      max: "1000000",
      step: "1",
      placeholder: String(row?.weight ?? 1),
      disabled: !mayOperate,
    });
    const limit = element("input", {
      type: "text",
      placeholder: "100 MB/s or 500 ops/s",
      autocomplete: "off",
      disabled: !mayOperate,
    });
    const priority = element("input", {
      type: "text",
      placeholder: "0.1",
      autocomplete: "off",
      disabled: !mayOperate,
    });
    const apply = (event) => {
      event.preventDefault();
      const wanted = {};
      if (weight.value) {
        wanted.weight = Number(weight.value);
      }
      if (limit.value.trim()) {
        wanted.limit = limit.value.trim();
      }
      if (priority.value.trim()) {
        wanted.priority = priority.value.trim();
      }
      if (Object.keys(wanted).length > 0) {
        this.#controls.setJob(id, `weight ${this.#row()?.weight ?? 1}`, wanted);
      }
    };
    return element(
      "form",
      { class: "boxed", onsubmit: apply },
      element("h3", {}, "Set for this job"),
      mayOperate
        ? ""
        : element("p", { class: "hint" }, "Read-only: sign in with a token to change this."),
      element(
        "div",
        { class: "pair" },
        element("label", { class: "block" }, "Weight", weight),
        element("label", { class: "block" }, "Limit on every target", limit),
        element("label", { class: "block" }, "Priority among sets", priority),
      ),
      element(
        "div",
        { class: "actions" },
        element(
          "button",
          { type: "button", disabled: !mayOperate, onclick: () => this.#controls.clearJob(id, "") },
          "Clear what is set",
        ),
        element("button", { type: "submit", class: "primary", disabled: !mayOperate }, "Set"),
      ),
    );
  }

  /** Where jobs are limited by a document, it is shown whole: one entry can be about many jobs. */
  #document() {
    const isFile = this.#controls.means === "file";
    return element(
      "section",
      { class: "boxed" },
      element("h3", {}, "Limits of this job"),
      element(
        "p",
        { class: "hint" },
        "What jobs are held to here is in one document, for all of them.",
      ),
      isFile
        ? element("p", { class: "hint" }, "It is a file of the controller's.")
        : element(
            "button",
            {
              type: "button",
              disabled: !this.#controls.mayChange,
              onclick: () => this.#controls.editDocument(),
            },
            "Change limits",
          ),
    );
  }

  #tokens(value) {
    return format.tokens(value, this.#model.unit(this.#view.scope));
  }

  #row() {
    return this.#model.scope(this.#view.scope).rows.find((row) => row.id === this.#id) ?? null;
  }

  /** Shows the last second; asks why now and then. */
  show() {
    if (this.#id === null) {
      return;
    }
    const row = this.#row();
    this.#chips(row);
    this.#charts();
    const now = performance.now();
    if (now - this.#askedMillis >= ASK_MILLIS - 100) {
      this.#askedMillis = now;
      this.#ask(this.#id);
    }
  }

  #chips(row) {
    const known = [...this.#model.names.values()].find((job) => job.id === this.#id);
    const chip = (label, value) => element("span", {}, `${label} `, element("b", {}, clean(value)));
    const chips = [];
    if (known) {
      chips.push(chip("user", known.user || "unknown"));
      if (known.name) {
        chips.push(chip("runs", known.name));
      }
      if (known.nodes > 0) {
        chips.push(chip("nodes", String(known.nodes)));
      }
      chips.push(chip("weight", String(known.weight)));
      if (known.branch) {
        chips.push(chip("branch", known.branch), chip("its shares", known.branchShares));
      }
    }
    if (row) {
      chips.push(
        chip("read", format.rate(row.read)),
        chip("written", format.rate(row.written)),
        chip("operations", format.operations(row.ops)),
        chip("waits", format.millis(row.wait)),
        chip("queue", format.count(row.queued)),
      );
    } else {
      chips.push(chip("now", "idle"));
    }
    this.#parts.chips.replaceChildren(...chips);
  }

  #charts() {
    const model = this.#model;
    const series =
      model.scope(this.#view.scope).series.get(this.#id) ?? model.scope(ALL).series.get(this.#id);
    if (series === undefined) {
      return;
    }
    const window = seconds(model, this.#view.liveSeconds);
    const times = window.map((second) => model.time(second));
    const values = (metric) => window.map((second) => series.rings[metric].at(second));
    const look = styleOf(this.#id, []);
    this.#parts.used.show({
      times,
      series: [
        {
          id: "allowed",
          label: "allowed",
          look: { color: "#8a949c", mark: "", dash: [6, 4] },
          values: values("allowed"),
          still: true,
          heavy: true,
        },
        { id: "used", label: "used", look, values: values("used"), still: true, heavy: true },
      ],
      stacked: false,
    });
    this.#parts.wait.show({
      times,
      series: [
        { id: "wait", label: "wait", look, values: values("wait"), still: true, heavy: true },
      ],
      stacked: false,
    });
  }

  async #ask(id) {
    let explanations;
    try {
      ({ explanations } = await ask(`api/v1/jobs/${encodeURIComponent(id)}/explain`));
    } catch (problem) {
      if (this.#id === id) {
        setText(this.#parts.reason, problem.message);
      }
      return;
    }
    if (this.#id !== id) {
      return;
    }
    const told =
      explanations.find((one) => this.#view.scope !== ALL && this.#view.scope in one.last_minute) ??
      explanations.find((one) => one.reason !== null) ??
      explanations[0];
    setText(
      this.#parts.reason,
      told.reason === null ? "The last decision was not about this job." : sentence(told.reason),
    );
    setText(this.#parts.summary, `Over all: ${clean(told.summary)}`);
    const limits = (told.limits ?? []).map((limit) => sentence(limit.words));
    setText(this.#parts.state, [sentence(told.state), ...limits].join(" "));
    const figures = Object.entries(told.figures ?? {});
    this.#parts.figures.replaceChildren(
      element(
        "tbody",
        {},
        ...figures.map(([name, value]) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, MEANINGS[name] ?? clean(name)),
            element("td", {}, value === null ? "unlimited" : format.count(value)),
          ),
        ),
      ),
    );
    this.#note(told.reason === null ? "" : told.reason);
  }

  /** Each reason once, with the time at which it was last given. */
  #note(reason) {
    if (!reason) {
      return;
    }
    const time = element("time", {}, format.clock(Date.now()));
    const known = this.#reasons.get(reason);
    if (known !== undefined) {
      this.#reasons.delete(reason);
      known.remove();
    }
    const item = element("li", {}, time, element("span", {}, sentence(reason)));
    this.#reasons.set(reason, item);
    this.#parts.log.prepend(item);
    if (this.#reasons.size > REASONS_MAX) {
      const [oldest, node] = this.#reasons.entries().next().value;
      this.#reasons.delete(oldest);
      node.remove();
    }
  }
}

function sentence(text) {
  const words = clean(text);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
