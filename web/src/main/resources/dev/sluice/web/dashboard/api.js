// Talks to the server. A token comes behind the hash sign of the address or from the dialog, stays
// in this tab, and goes only into a header.

const KEY = "sluice-token";
let token = sessionStorage.getItem(KEY) ?? "";

const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  setToken(given);
  // It does not stay in the address, where a picture of the screen would show it.
  history.replaceState(null, "", location.pathname);
}

export function setToken(value) {
  token = value;
  if (value) {
    sessionStorage.setItem(KEY, value);
  } else {
    sessionStorage.removeItem(KEY);
  }
}

export function hasToken() {
  return token !== "";
}

function headers(more) {
  return token ? { Authorization: `Bearer ${token}`, ...more } : more;
}

/** Answers a response that is not consumed yet, for streams. */
export function open(path, signal) {
  return fetch(path, { headers: headers({}), signal, cache: "no-store" });
}

// Longer than any answer takes; whoever asks again later must not find the line taken for ever.
const PATIENCE_MILLIS = 10_000;

/** Asks, and gives the answer; a refusal is an error with the server's words. */
export async function ask(path, patienceMillis = PATIENCE_MILLIS) {
  const signal = AbortSignal.timeout(patienceMillis);
  return answered(await fetch(path, { headers: headers({}), signal }));
}

export async function send(method, path, body) {
  return answered(
    await fetch(path, {
      method,
      headers: headers(body === undefined ? {} : { "Content-Type": "application/json" }),
      body: body === undefined ? undefined : JSON.stringify(body),
    }),
  );
}

async function answered(response) {
  let answer;
  try {
    answer = await response.json();
  } catch {
    answer = { error: `the server answered ${response.status}` };
  }
  if (!response.ok) {
    const refusal = new Error(answer.error ?? `the server answered ${response.status}`);
    refusal.status = response.status;
    throw refusal;
  }
  return answer;
}
