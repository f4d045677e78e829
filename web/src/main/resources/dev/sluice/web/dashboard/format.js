// Numbers as people read them. Always the same width of precision: three digits.

const RATE_UNITS = ["B/s", "kB/s", "MB/s", "GB/s", "TB/s"];
const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
const COUNT_UNITS = ["", "k", "M", "G"];

function scaled(value, units) {
  let index = 0;
  let left = Math.abs(value);
  while (left >= 999.5 && index < units.length - 1) {
    left /= 1000;
    index++;
  }
  const digits = left >= 99.5 || (index === 0 && Number.isInteger(left)) ? 0 : left >= 9.95 ? 1 : 2;
  return { number: (value < 0 ? "−" : "") + left.toFixed(digits), unit: units[index] };
}

export function rate(bytesPerSecond) {
  const { number, unit } = scaled(bytesPerSecond, RATE_UNITS);
  return `${number} ${unit}`;
}

export function count(value) {
  const { number, unit } = scaled(value, COUNT_UNITS);
  return unit ? `${number} ${unit}` : number;
}

export function operations(perSecond) {
  const { number, unit } = scaled(perSecond, COUNT_UNITS);
  return `${number} ${unit}ops/s`;
}

export function millis(value) {
  if (value === 0) {
    return "0 ms";
  }
  if (value >= 10000) {
    return `${(value / 1000).toFixed(1)} s`;
  }
  return `${value >= 99.5 ? Math.round(value) : value >= 9.95 ? value.toFixed(1) : value.toFixed(2)} ms`;
}

export function percent(part) {
  return `${Math.round(100 * part)} %`;
}

export function seconds(value) {
  if (value >= 86400) {
    return `${Math.floor(value / 86400)} d ${Math.floor((value % 86400) / 3600)} h`;
  }
  if (value >= 3600) {
    return `${Math.floor(value / 3600)} h ${Math.floor((value % 3600) / 60)} min`;
  }
  if (value >= 60) {
    return `${Math.floor(value / 60)} min ${Math.floor(value % 60)} s`;
  }
  if (value < 1) {
    return `${Math.round(1000 * value)} ms`;
  }
  return value < 10 && !Number.isInteger(value)
    ? `${value.toFixed(1)} s`
    : `${Math.round(value)} s`;
}

export function clock(millisSinceEpoch) {
  const at = new Date(millisSinceEpoch);
  const two = (number) => String(number).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** A time as exactly as it matters in a stretch of so many seconds. */
export function moment(millisSinceEpoch, spanSeconds) {
  if (spanSeconds <= 3600) {
    return clock(millisSinceEpoch);
  }
  const at = new Date(millisSinceEpoch);
  const minutes = clock(millisSinceEpoch).slice(0, 5);
  return spanSeconds <= 86400
    ? minutes
    : `${at.getDate()} ${MONTHS.slice(3 * at.getMonth(), 3 * at.getMonth() + 3)} ${minutes}`;
}

/** Tokens as what they stand for: bytes, operations, or where targets differ just tokens. */
export function tokens(value, unit) {
  return unit === "bytes" ? rate(value) : unit === "operations" ? operations(value) : count(value);
}
