// @ts-check
// How often an alert would have fired in the past.

/** The windows that an editor offers: a duration and the words for it. */
export const windows = [["15m", "15 minutes"], ["1h", "1 hour"], ["6h", "6 hours"], ["24h", "1 day"]];

/**
 * The query for the values of a week, one for each window.
 *
 * @param {string} query One calculation, without a time.
 * @param {string} window
 */
export function previewQuery(query, window) {
  return `${query} last 7d every ${window}`;
}

/**
 * How often a threshold was crossed by a group that did not cross it in the window before.
 *
 * @param {{ rows: { other?: boolean, series?: any[][] }[] }} answer To `previewQuery`.
 * @param {"above" | "below"} side
 * @param {number} limit
 */
export function timesFired({ rows }, side, limit) {
  /** @param {any} value */
  const isCrossed = (value) => typeof value === "number" && (side === "above" ? value > limit : value < limit);
  let times = 0;
  for (const { other, series = [] } of rows) {
    if (other) continue;
    series.forEach(([value], step) => { if (isCrossed(value) && !(step > 0 && isCrossed(series[step - 1][0]))) times += 1; });
  }
  return times;
}
