// Puts the page together: what comes from the server goes into the model, and once a second the
// model is shown.

import { Cards } from "./cards.js";
import { Controls } from "./controls.js";
import { pastCourse } from "./course.js";
import { byId, clean, element, named, setText } from "./dom.js";
import { Feed } from "./feed.js";
import * as format from "./format.js";
import { ALL, Model } from "./model.js";
import { JobPanel } from "./panel.js";
import { Past, range } from "./past.js";
import { Ranking } from "./ranking.js";
import { TargetTiles } from "./targets.js";

/** So often a screen reader is told what happens. */
const SPOKEN_MILLIS = 15000;

/** Longer ranges come from the server's history. */
const LIVE_SECONDS_MAX = 300;

/** So many of its events are shown. */
const EVENTS_MAX = 50;

const model = new Model();
const view = {
  scope: ALL,
  style: "stacked",
  liveSeconds: 300,
  group: "job",
  filter: "",
  changed: () => show(),
};
let frameMillis = 0;
let spokenMillis = 0;
let viewed = false;

const feed = new Feed({
  begin: (recent) => {
    model.begin(recent);
    controls.refresh();
    show();
    filled.clear();
    fill();
  },
  frame: (frame) => {
    frameMillis = performance.now();
    if (model.put(frame)) {
      controls.follow(frame);
      show();
    }
  },
  state: (state, detail) => connection(state, detail),
});
const controls = new Controls(model, feed);
const panel = new JobPanel(model, view, controls);
const past = new Past(() => show());
const filled = new Set();
const open = (id) => panel.open(id);
const pick = (stretch) => past.pick(stretch, view.scope);
const cards = new Cards(model, view, byId("charts"), open, pick);
const ranking = new Ranking(byId("jobs"), byId("jobs-note"), view, open);
const tiles = new TargetTiles(byId("targets"));

function connection(state, detail) {
  const pill = byId("connection");
  pill.className = `pill ${state === "live" ? "live" : state === "connecting" ? "" : "lost"}`;
  setText(
    pill,
    state === "live"
      ? "live"
      : state === "refused"
        ? "token needed"
        : "connection lost, trying again",
  );
  pill.title = detail;
}

/** Has history tell what happened before the page was open, once for each target that is shown. */
async function fill() {
  const { scope } = view;
  if (filled.has(scope)) {
    return;
  }
  filled.add(scope);
  try {
    model.fill(scope, pastCourse(await range(LIVE_SECONDS_MAX, scope)));
    show();
  } catch (refusal) {
    if (refusal.status === 404) {
      withoutHistory();
    } else {
      filled.delete(scope);
    }
  }
}

function withoutHistory() {
  for (const input of document.querySelectorAll("input[name=span]")) {
    input.disabled = Number(input.value) > LIVE_SECONDS_MAX;
    input.parentElement.title = input.disabled ? "This program keeps no history" : "";
  }
}

function show() {
  // A page that nobody sees costs nothing; it is drawn when it comes back.
  if (document.hidden || model.frame === null) {
    return;
  }
  const frame = model.frame;
  header(frame);
  scopes();
  const scope = model.scope(view.scope);
  tiles.show(model.targets);
  headline(scope.rows, model.comparable(view.scope));
  cards.show(past.course, past.moment);
  tellOfThePast();
  const rows = past.moment?.rows ?? scope.rows;
  ranking.show(
    rows,
    model.unit(view.scope),
    new Set(rows.slice(0, 8).map((row) => row.id)),
    past.moment?.rows ? "then" : "in the last second",
  );
  panel.show();
  if (!viewed) {
    viewed = true;
    // Once it is on the screen, which it is after the next picture.
    requestAnimationFrame(() => setTimeout(() => performance.mark("first-view")));
  }
}

function header(frame) {
  const policy = byId("policy");
  const settings = Object.entries(frame.settings)
    .map(([name, value]) => ` ${name}=${value}`)
    .join("");
  const words = [
    "policy ",
    element("b", {}, clean(frame.policy + settings)),
    ` decides every ${format.seconds(frame.period_ms / 1000)}`,
  ];
  if (frame.observe_only) {
    words.push(" ", element("span", { class: "badge" }, "observe only"));
  }
  if (frame.turn) {
    words.push("; ", clean(frame.turn));
  }
  const key = JSON.stringify([
    frame.policy,
    frame.settings,
    frame.period_ms,
    frame.observe_only,
    frame.turn,
  ]);
  if (policy.dataset.shown !== key) {
    policy.dataset.shown = key;
    policy.replaceChildren(...words);
  }
  const problems = [
    ...frame.problems,
    ...model.targets
      .filter((target) => target.trouble)
      .map((target) => `${target.name}: ${target.trouble}`),
  ];
  const holder = byId("problems");
  if (holder.dataset.shown !== problems.join("\n")) {
    holder.dataset.shown = problems.join("\n");
    holder.replaceChildren(
      ...problems.map((problem) => element("p", { class: "banner" }, named(problem))),
    );
  }
  setText(
    byId("about"),
    `Up ${format.seconds(frame.up_s)}, ${frame.connections} ${frame.connections === 1 ? "connection" : "connections"}. Figures are of the last second.`,
  );
}

function scopes() {
  const select = byId("scope");
  const names = model.targets.map((target) => target.name);
  if (select.dataset.shown !== names.join("\n")) {
    select.dataset.shown = names.join("\n");
    select.replaceChildren(
      element("option", { value: ALL }, "all targets"),
      ...names.map((name) => element("option", { value: name }, clean(name))),
    );
    if (!names.includes(view.scope)) {
      view.scope = ALL;
    }
    select.value = view.scope;
    select.parentElement.hidden = names.length < 2;
  }
}

/** What is said of a range and of a moment that are shown. */
function tellOfThePast() {
  const note = byId("charts-note");
  note.hidden = !past.chosen;
  setText(byId("charts-title"), past.chosen ? "What was" : "The last minutes");
  setText(
    note,
    past.problem !== ""
      ? `History: ${past.problem}`
      : past.course === null
        ? "Reading history."
        : `From history, in samples of ${format.seconds(past.resolutionSeconds)}. A click on a time shows the jobs of that time.`,
  );
  showEvents();
  const { moment } = past;
  byId("moment").hidden = moment === null;
  if (moment !== null) {
    const [from, to] = [moment.from, moment.to].map((millis) =>
      format.moment(millis, past.course?.spanSeconds ?? 0),
    );
    setText(
      byId("moment-words"),
      moment.problem !== ""
        ? `History: ${moment.problem}`
        : `${moment.rows === null ? "Reading the jobs" : "Jobs"} from ${from} to ${to}.`,
    );
  }
}

function showEvents() {
  const events = past.events.slice(-EVENTS_MAX).reverse();
  byId("past").hidden = events.length === 0;
  const list = byId("events");
  const key = `${events.length} ${events[0]?.at_ms}`;
  if (list.dataset.shown === key) {
    return;
  }
  list.dataset.shown = key;
  list.replaceChildren(
    ...events.map((event) => {
      const time = format.moment(event.at_ms, past.course.spanSeconds);
      return element(
        "li",
        {},
        element(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-label": `The jobs at ${time}`,
            onclick: () => pick({ from: event.at_ms - 60_000, to: event.at_ms }),
          },
          time,
        ),
        element("span", { class: "who" }, clean(`${event.kind} ${event.who}`.trim())),
        element("span", {}, ...(event.about ? [named(event.about), ": "] : []), clean(event.what)),
      );
    }),
  );
}

/** Whether a user's name tells anything that the job's own does not: "job4 of job4" does not. */
function saysMore(user, job) {
  return Boolean(user) && user !== job && `user-${user}` !== job;
}

/** What one wants to know first, in a sentence. */
function headline(rows, { rows: compared, unit, target }) {
  const parts = [];
  const busiest = model.busiestTarget();
  const total = compared.reduce((sum, row) => sum + row.used, 0);
  const first = [...compared].sort((a, b) => b.used - a.used)[0];
  if (!first || total === 0) {
    parts.push("It is quiet: nobody does any I/O.");
  } else {
    const share = first.used / total;
    parts.push(
      named(first.id),
      ...(saysMore(first.user, first.id) ? [" of ", named(first.user)] : []),
      compared.length === 1
        ? " is alone and uses "
        : ` takes ${format.percent(share)} of what is used, `,
      element("span", { class: "figure" }, format.tokens(first.used, unit)),
      ...(target === null ? ["."] : [" of ", named(target), "."]),
    );
    if (busiest && Number.isFinite(busiest.tokens)) {
      parts.push(
        " ",
        named(busiest.name),
        ` is ${format.percent(busiest.used / busiest.tokens)} busy.`,
      );
    }
    const slow = rows.filter((row) => row.wait >= 100).sort((a, b) => b.wait - a.wait);
    if (slow.length > 0) {
      parts.push(
        slow.length === 1 ? " " : ` ${slow.length} jobs wait long, most of all `,
        named(slow[0].id),
        slow.length === 1
          ? ` waits ${format.millis(slow[0].wait)} for each request.`
          : `: ${format.millis(slow[0].wait)} for each request.`,
      );
    }
  }
  const line = byId("headline");
  line.replaceChildren(...parts);
  const now = performance.now();
  if (now - spokenMillis > SPOKEN_MILLIS || spokenMillis === 0) {
    spokenMillis = now;
    setText(byId("spoken"), line.textContent);
  }
}

function listen() {
  for (const [name, set] of Object.entries({
    style: (value) => {
      view.style = value;
    },
    span: (value) => {
      const seconds = Number(value);
      if (seconds <= LIVE_SECONDS_MAX) {
        view.liveSeconds = seconds;
      }
      past.choose(seconds <= LIVE_SECONDS_MAX ? 0 : seconds, view.scope);
      past.leaveMoment();
    },
    group: (value) => {
      view.group = value;
    },
  })) {
    for (const input of document.querySelectorAll(`input[name=${name}]`)) {
      input.addEventListener("change", () => {
        set(input.value);
        show();
      });
    }
  }
  byId("scope").addEventListener("change", (event) => {
    view.scope = event.target.value;
    past.rescope(view.scope);
    fill();
    show();
  });
  byId("filter").addEventListener("input", (event) => {
    view.filter = event.target.value;
    show();
  });
  byId("moment-leave").addEventListener("click", () => past.leaveMoment());
  document.addEventListener("visibilitychange", show);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  // A stream that is open and silent is told as such.
  setInterval(() => {
    if (!document.hidden) {
      past.follow(performance.now());
    }
    const silent = Math.round((performance.now() - frameMillis) / 1000);
    if (frameMillis > 0 && silent >= 4 && byId("connection").classList.contains("live")) {
      setText(byId("connection"), `no news for ${silent} s`);
    } else if (byId("connection").classList.contains("live")) {
      setText(byId("connection"), "live");
    }
  }, 1000);
}

connection("connecting", "");
setText(byId("connection"), "connecting");
listen();
feed.run();
