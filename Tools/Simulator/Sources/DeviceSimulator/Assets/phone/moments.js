// @ts-check
// The moments of date pickers, and how they are written in the locale of the phone.

/** A day in milliseconds. */
export const day = 86_400_000;

/** A date or a time of the tree, such as `2026-11-25T17:30`, as a moment in UTC. The app knows the time zone. */
export function parse(text, components) {
  const whole = components === "time" ? `2000-01-01T${text}` : components === "date" ? `${text}T00:00` : text;
  const moment = Date.parse(`${whole}Z`);
  return Number.isNaN(moment) ? 0 : moment;
}

/** A moment in the form of the tree. */
export function write(moment, components) {
  const text = new Date(moment).toISOString();
  return components === "time" ? text.slice(11, 16) : components === "date" ? text.slice(0, 10) : text.slice(0, 16);
}

/** The words for dates and times in a locale; in English if the browser does not know it. */
export class DateWords {
  constructor(locale) {
    this.wanted = locale;
    try {
      this.locale = new Intl.NumberFormat(locale) && locale;
    } catch {
      this.locale = "en";
    }
    this.digits = new Intl.NumberFormat(this.locale, { minimumIntegerDigits: 2 });
    this.hour12 = new Intl.DateTimeFormat(this.locale, { hour: "numeric" }).resolvedOptions().hour12 === true;
  }

  format(moment, options) { return this.#form(options).format(moment); }

  /** A part of a written moment, such as "PM". */
  part(moment, options, type) { return this.#form(options).formatToParts(moment).find((part) => part.type === type)?.value ?? ""; }

  /** The formatters that were needed. To make one takes long, and an open calendar needs each of them a hundred times. */
  #forms = new Map();

  #form(options) {
    const key = JSON.stringify(options);
    const form = this.#forms.get(key) ?? new Intl.DateTimeFormat(this.locale, { ...options, calendar: "gregory", timeZone: "UTC" });
    this.#forms.set(key, form);
    return form;
  }

  /** A number of two digits, such as a minute. */
  two(number) { return this.digits.format(number); }

  /** What a column of a clock is called: "hour", "minute", "AM/PM". */
  name(field) {
    try {
      return new Intl.DisplayNames(this.locale, { type: "dateTimeField" }).of(field) ?? field;
    } catch {
      return field;
    }
  }

  /** "last month" or "next month". */
  month(by) { return new Intl.RelativeTimeFormat(this.locale, { numeric: "auto" }).format(by, "month"); }
}
