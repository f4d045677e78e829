// Asks for what the page shows first, while the rest of the page is still on its way.

import { ask, open } from "./api.js";

/** Opens the stream of events and asks for what was before it, both at once. */
export function begin() {
  const abort = new AbortController();
  const recent = ask("api/v1/recent");
  // Whoever waits for the stream first learns from that what is wrong.
  recent.catch(() => {});
  return { abort, events: open("api/v1/events", abort.signal), recent };
}

let early = begin();
early.events.catch(() => {});

/** What was asked for when the page began, once; anew from then on. */
export function begun() {
  const first = early;
  early = null;
  return first ?? begin();
}
