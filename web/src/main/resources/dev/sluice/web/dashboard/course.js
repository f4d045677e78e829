// How something went over time, as the charts draw it: the last minutes as they were seen, or a
// stretch of the server's history. Both have times, the busiest jobs, what all jobs did, how busy
// each target was, and to which stretch of time a point belongs.

import { PAST_METRICS, SECONDS } from "./model.js";

/** A chart of a program that has just started is not all empty. */
const SECONDS_MIN = 30;

/** The seconds of a window, oldest first; of those that were not seen there are no values. */
export function seconds(model, count) {
  const known = model.second - model.first + 1;
  const wanted = Math.min(count, SECONDS, Math.max(SECONDS_MIN, known));
  return Array.from({ length: wanted }, (_, index) => model.second - wanted + 1 + index);
}

/** What was seen; leaders are the series of the jobs to draw. */
export function liveCourse(model, scope, leaders, count) {
  const window = seconds(model, count);
  const along = (ring) => window.map((second) => ring.at(second));
  return {
    past: false,
    times: window.map((second) => model.time(second)),
    spanSeconds: window.length,
    jobs: leaders.map((leader) => ({
      id: leader.id,
      values: (metric) => along(leader.rings[metric]),
    })),
    totals: (metric) => along(scope.totals.rings[metric]),
    targets: model.targets.map((target) => ({
      name: target.name,
      used: along(model.scope(target.name).totals.rings.used),
      capacity: along(model.scope(target.name).totals.rings.capacity),
    })),
    stretch: (index) => {
      // History's seconds begin and end a little earlier or later than ours.
      const to = model.time(window[index]);
      return { from: to - 2000, to };
    },
  };
}

const NAMES = {
  bytes: "bytes_per_second",
  ops: "operations_per_second",
  wait: "waited_ms",
  queued: "queued",
};

/** What the server's history answered; a step of which nothing is known is NaN. */
export function pastCourse(answer) {
  const numbers = (values) => values.map((value) => value ?? NaN);
  const all = answer.jobs.map((job) => {
    const curves = Object.fromEntries(
      PAST_METRICS.map((metric) => [metric, numbers(job[NAMES[metric]])]),
    );
    return { id: job.name, values: (metric) => curves[metric] };
  });
  const totals = Object.fromEntries(
    PAST_METRICS.map((metric) => [
      metric,
      answer.seconds.map((_, index) => totalAt(all, metric, index)),
    ]),
  );
  const stepMillis = (answer.to_ms - answer.from_ms) / answer.seconds.length;
  return {
    past: true,
    times: answer.seconds.map((second) => answer.from_ms + 1000 * second),
    spanSeconds: (answer.to_ms - answer.from_ms) / 1000,
    // Jobs without a name of their own are all others together.
    jobs: all.filter((job) => job.id !== ""),
    totals: (metric) => totals[metric],
    targets: answer.targets.map((target) => ({
      name: target.name,
      used: numbers(target.utilisation),
      // Where nobody knew it, there is nothing to draw.
      capacity: target.capacity_tokens_per_second.map((value) => value || NaN),
    })),
    stretch: (index) => {
      const from = answer.from_ms + index * stepMillis;
      return { from: Math.round(from), to: Math.round(from + stepMillis) };
    },
  };
}

function totalAt(jobs, metric, index) {
  const sum = (value) => jobs.reduce((total, job) => total + value(job), 0);
  if (metric !== "wait") {
    return sum((job) => job.values(metric)[index]);
  }
  const operations = sum((job) => job.values("ops")[index]);
  const waited = sum((job) => job.values("ops")[index] * job.values("wait")[index]);
  return operations === 0 ? 0 : waited / operations;
}
