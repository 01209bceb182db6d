// @ts-check
// The triggers of the flight recorder, in words.

/**
 * A title, and what follows "because of".
 *
 * @type {Record<string, [title: string, cause: string]>}
 */
const triggers = {
  crash: ["Crash", "a crash"], exception: ["Exception", "an uncaught exception"], hang: ["Hang", "a hang"],
  run_end: ["Run end", "a run that ended in the foreground"], error: ["Error", "an error"], http: ["Failed request", "a failed request"],
  slow: ["Slow span", "a slow span"], flow: ["Abandoned flow", "an abandoned flow"], app: ["App", "a request of the app"],
  rule: ["Rule", "a rule"], remote: ["Remote", "a remote request"],
};

export const triggerNames = Object.keys(triggers);

/** @param {string} trigger */
export const triggerTitle = (trigger) => (Object.hasOwn(triggers, trigger) ? triggers[trigger][0] : trigger);

/** @param {string} trigger */
export const triggerCause = (trigger) => (Object.hasOwn(triggers, trigger) ? triggers[trigger][1] : trigger);
