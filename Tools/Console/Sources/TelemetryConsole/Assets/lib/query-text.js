// @ts-check
// The text form of queries: splits it into clauses, joins them again, and writes names and values.

/** The words that begin a clause, in the order in which a query is written. Docs/Guide/Queries.md describes them. */
export const clauses = ["of", "with", "by", "where", "having", "order", "limit", "arriving", "last", "from", "every", "compare", "raw"];
/** The clauses that are one word. */
const flags = ["arriving", "raw"];
/** The calculations that are not one without an operand. */
const withOperand = ["count_distinct", "sum", "avg", "min", "max", "p50", "p75", "p90", "p95", "p99", "p999", "heatmap", "ratio"];
const reserved = new Set([...clauses, "and", "or", "not", "in", "contains", "starts-with", "matches", "exists", "to", "asc", "desc",
  "true", "false", "null", "bucket", "coalesce", "if", "extract", "count", "rate", "concurrency", ...withOperand]);

/**
 * The words and quoted parts of a text with their positions and their depth in parentheses. Spaces separate words.
 *
 * @param {string} text
 */
function tokens(text) {
  const found = [];
  let depth = 0;
  for (const match of text.matchAll(/"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`(?:\\.|[^`\\])*`?|[(),]|[^\s"'`(),]+/gsu)) {
    const [part] = match;
    const start = match.index ?? 0;
    if (part === ")") depth = Math.max(depth - 1, 0);
    found.push({ text: part, start, end: start + part.length, depth });
    if (part === "(") depth += 1;
  }
  return found;
}

/**
 * Splits a query into `{ calculate, of, by, where, … }`. A clause that is absent is "", and one of one word is that word.
 *
 * @param {string} text
 * @returns {Record<string, string>}
 */
export function split(text) {
  const starts = startsOf(text);
  const parts = Object.fromEntries(["calculate", ...clauses].map((clause) => [clause, ""]));
  starts.forEach(({ clause, end }, index) => {
    const value = text.slice(end, starts[index + 1]?.at ?? text.length).trim();
    parts[clause] = flags.includes(clause) ? clause : value;
  });
  return parts;
}

/**
 * The clause in which a column of a query is, the first of which is 1.
 *
 * @param {string} text
 * @param {number} column
 */
export function clauseAt(text, column) {
  return startsOf(text).findLast(({ at }) => at < column)?.clause ?? "calculate";
}

/**
 * Where each clause begins, and where its content does.
 *
 * @param {string} text
 */
function startsOf(text) {
  const starts = [{ clause: "calculate", at: 0, end: 0 }];
  /** @type {{ text: string } | undefined} */
  let before;
  for (const token of tokens(text)) {
    // A clause's word is never the operand of an operator, and `ratio(where …)` is in parentheses.
    const isOperand = /^(=|!=|<|>|<=|>=|contains|starts-with|matches)$/.test(before?.text ?? "");
    if (token.depth === 0 && !isOperand && clauses.includes(token.text)) starts.push({ clause: token.text, at: token.start, end: token.end });
    before = token;
  }
  return starts;
}

/**
 * Joins what `split` returns.
 *
 * @param {Record<string, string>} parts
 */
export function join(parts) {
  const written = clauses.filter((clause) => parts[clause]).map((clause) => (flags.includes(clause) ? clause : `${clause} ${parts[clause]}`));
  return [parts.calculate || "count", ...written].join(" ");
}

/**
 * Splits a list at its commas, or a condition at its `and`s. A condition with `or` outside of parentheses is one part.
 *
 * @param {string} text
 * @param {"," | "and"} separator
 */
export function items(text, separator) {
  const all = tokens(text);
  if (separator === "and" && all.some((token) => token.depth === 0 && token.text === "or")) return [text.trim()];
  const parts = [];
  let start = 0;
  for (const token of all) {
    if (token.depth !== 0 || token.text !== separator) continue;
    parts.push(text.slice(start, token.start).trim());
    start = token.end;
  }
  parts.push(text.slice(start).trim());
  return parts.filter(Boolean);
}

/**
 * Whether a part of a clause is only begun: a calculation without its operand, or a parenthesis or quote without its end.
 *
 * @param {string} clause
 * @param {string} text
 */
export function isUnfinished(clause, text) {
  if (clause === "calculate" && withOperand.includes(text.trim())) return true;
  const all = tokens(text);
  const open = all.filter((token) => token.text === "(").length - all.filter((token) => token.text === ")").length;
  return open > 0 || all.some((token) => /^["'`]/.test(token.text) && !/^(["'`])(?:\\.|[^\\])*\1$/su.test(token.text));
}

/**
 * A field's name, in backticks if it needs them.
 *
 * @param {string} field
 */
export function name(field) {
  return /^[A-Za-z_](?:[\w.:@$]|-(?=[\w.:@$]))*$/.test(field) && !reserved.has(field) ? field : `\`${field.replace(/[\\`]/g, "\\$&")}\``;
}

/**
 * The names in a condition.
 *
 * @param {string} condition
 */
export function fieldsOf(condition) {
  return new Set(tokens(condition).filter(({ text }) => /^[`A-Za-z_]/.test(text) && !reserved.has(text)).map(({ text }) => text.replaceAll("`", "").replace(/^resource\./, "")));
}

/**
 * A value of an answer as a literal.
 *
 * @param {any} value
 * @returns {string}
 */
export function literal(value) {
  if (typeof value === "object" && value !== null) return value.$int ?? value.$double;
  if (typeof value !== "string") return String(value);
  /** @type {Record<string, string>} */
  const escapes = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r" };
  return `"${value.replace(/[\\"\n\t\r]/g, (character) => escapes[character])}"`;
}

/**
 * The condition that an expression has a value, or with `isNot` that it does not.
 *
 * @param {string} expression
 * @param {any} value
 */
export function equals(expression, value, { isNot = false } = {}) {
  if (value === null || value === undefined) return `${expression} ${isNot ? "exists" : "not exists"}`;
  return `${expression} ${isNot ? "!=" : "="} ${literal(value)}`;
}

/**
 * The condition with another one added to it.
 *
 * @param {string} condition
 * @param {string} added
 */
export function both(condition, added) {
  const parts = items(condition, "and");
  if (parts.includes(added)) return condition;
  return [...parts.map((part) => (tokens(part).some((token) => token.depth === 0 && token.text === "or") ? `(${part})` : part)), added].join(" and ");
}
