// Questions to the console. A page that goes away takes its questions with it.

export class APIError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export async function get(path, parameters = {}, signal) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "" && value !== false) query.set(name, String(value));
  }
  const url = `/api/v1/${path}${query.size ? `?${query}` : ""}`;
  let response;
  try {
    response = await fetch(url, { signal, headers: { accept: "application/json" } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new APIError(0, "The console does not answer. It may have been stopped.");
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new APIError(response.status, body.error ?? `The console answered ${response.status}.`);
  return body;
}

/**
 * Follows changes: `onChange` is called when there is news, never more often than the console tells it, and once after
 * a time in which nothing could be heard. A page that nobody sees lets go of its connection: browsers allow six to one
 * host, over all tabs.
 */
export function follow(parameters, { onChange, onState = () => {} }) {
  const query = new URLSearchParams(parameters);
  let source;
  let known;

  function open() {
    source = new EventSource(`/api/v1/live${query.size ? `?${query}` : ""}`);
    source.addEventListener("hello", (event) => {
      const { cursor } = JSON.parse(event.data);
      onState("open");
      if (known !== undefined && cursor > known) onChange({ cursor, metrics: true });
      known = cursor;
    });
    source.addEventListener("change", (event) => {
      const change = JSON.parse(event.data);
      known = change.cursor;
      onChange(change);
    });
    source.onerror = () => onState("lost");
  }

  function visibilityChanged() {
    source.close();
    if (!document.hidden) open();
  }

  open();
  document.addEventListener("visibilitychange", visibilityChanged);
  return () => {
    source.close();
    document.removeEventListener("visibilitychange", visibilityChanged);
  };
}

/** Runs `work` at once, and while it runs remembers one further wish: news that comes fast is never queued. */
export function coalesce(work) {
  let isRunning = false;
  let isWanted = false;
  return async function run() {
    if (isRunning) { isWanted = true; return; }
    isRunning = true;
    try {
      do { isWanted = false; await work(); } while (isWanted);
    } finally {
      isRunning = false;
    }
  };
}
