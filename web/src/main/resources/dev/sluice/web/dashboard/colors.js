// A colour for each job that stays with it. The palette is Paul Tol's "vibrant" with three of his
// "muted", which people with any kind of colour blindness can tell apart; when all are taken they
// come again with another mark.

const PALETTE = [
  "#0077bb",
  "#ee7733",
  "#009988",
  "#cc3311",
  "#33bbee",
  "#ee3377",
  "#aa4499",
  "#999933",
  "#ddaa33",
];
const MARKS = ["", "second", "third"];
const DASHES = [[], [6, 3], [2, 3]];
const SLOTS = PALETTE.length * MARKS.length;
const OTHER = { color: "#8a949c", mark: "", dash: [] };

const slots = new Map();

function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  }
  return value >>> 0;
}

function style(slot) {
  const round = Math.floor(slot / PALETTE.length) % MARKS.length;
  return { color: PALETTE[slot % PALETTE.length], mark: MARKS[round], dash: DASHES[round] };
}

/**
 * How a job is drawn: by the hash of its id, or beside that where another job in sight has it. A job
 * that leaves the charts keeps its colour as long as there is room.
 */
export function styleOf(id, inSight) {
  if (slots.has(id)) {
    return style(slots.get(id));
  }
  const taken = new Set();
  for (const other of inSight) {
    if (slots.has(other)) {
      taken.add(slots.get(other));
    }
  }
  const start = hash(id) % PALETTE.length;
  let slot = start;
  for (let step = 0; step < SLOTS && taken.has(slot); step++) {
    const round = Math.floor((step + 1) / PALETTE.length);
    slot = round * PALETTE.length + ((start + step + 1) % PALETTE.length);
  }
  if (slots.size > 500) {
    slots.delete(slots.keys().next().value);
  }
  slots.set(id, slot);
  return style(slot);
}

export const otherStyle = OTHER;

/** A small mark in a job's colour. */
export function swatch(look) {
  const mark = document.createElement("span");
  mark.className = `swatch ${look.mark}`;
  mark.style.background = look.color;
  mark.setAttribute("aria-hidden", "true");
  return mark;
}
