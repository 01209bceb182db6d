// @ts-check
// The settings of language, region, calendar, hours and time zone.

import { h } from "../lib/dom.js";

const locales = {
  "Languages": ["en_US", "de_DE", "ja_JP", "ar_EG"],
  "Other regions": ["en_GB", "fr_FR", "es_ES", "it_IT", "nl_NL", "pt_BR", "sv_SE", "pl_PL", "tr_TR", "ko_KR", "th_TH", "zh_Hans_CN", "he_IL"],
};
const calendars = [["gregorian", "Gregorian"], ["japanese", "Japanese"], ["buddhist", "Buddhist"]];
const hourCycles = [["automatic", "As usual in the region"], ["12h", "12-hour time"], ["24h", "24-hour time"]];
const restarts = "A change restarts the app";

export class RegionSettings {
  /** @param set Changes settings of the phone. */
  constructor(set) {
    const select = (name, label, title, options) => {
      const element = h("select", { "aria-label": label, title, onchange: () => set({ [name]: element.value }) }, options);
      return element;
    };
    this.selects = {
      locale: select("locale", "Language and region", restarts,
        Object.entries(locales).map(([label, group]) => h("optgroup", { label }, group.map((locale) => option(locale, localeName(locale)))))),
      calendar: select("calendar", "Calendar", restarts, calendars.map(([value, title]) => option(value, title))),
      hourCycle: select("hourCycle", "Hours", restarts, hourCycles.map(([value, title]) => option(value, title))),
      timeZone: select("timeZone", "Time zone", "A change reaches the running app", [option("automatic", "Of this machine"), ...timeZones()]),
    };
  }

  /** The title and the control of each setting. */
  get rows() {
    const { locale, calendar, hourCycle, timeZone } = this.selects;
    return [["Language and region", locale], ["Calendar", calendar], ["Hours", hourCycle], ["Time zone", timeZone]];
  }

  update(settings) {
    for (const [name, element] of Object.entries(this.selects)) {
      const value = settings[name];
      if (element.value === value) continue;
      element.value = value;
      if (element.value !== value) element.append(option(value, name === "locale" ? localeName(value) : value));
      element.value = value;
    }
  }
}

/** The time zones that the browser knows, one group for each continent. */
function timeZones() {
  const groups = new Map();
  for (const zone of Intl.supportedValuesOf?.("timeZone") ?? []) {
    const [continent, ...place] = zone.split("/");
    if (place.length === 0) continue;
    if (!groups.has(continent)) groups.set(continent, []);
    groups.get(continent).push(option(zone, place.join(" – ").replaceAll("_", " ")));
  }
  return [option("UTC", "UTC"), ...[...groups].map(([label, options]) => h("optgroup", { label }, options))];
}

function option(value, title) {
  return h("option", { value }, title);
}

function localeName(locale) {
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(locale.replaceAll("_", "-"));
  } catch {
    return locale;
  }
}
