// @ts-check
// From an alert to the records that it is about.

import { both, equals, items, join, split } from "./query-text.js";

/**
 * The query of an alert, of the group that fires alone. What sets its records apart is then not what tells the group from
 * the others.
 *
 * @param {{ query: string, state: string, group?: string }} alert
 */
export function alertQuery({ query, state, group }) {
  const parts = split(query);
  const fields = items(parts.by, ",");
  // The values of a group are joined by commas, which a value may have too.
  const values = fields.length === 1 ? [group ?? ""] : (group ?? "").split(", ");
  if (state !== "firing" || group === undefined || values.length !== fields.length) return query;
  const where = fields.reduce((condition, field, index) => both(condition, equals(field, values[index] === "(missing)" ? null : values[index])), parts.where);
  return join({ ...parts, where });
}
