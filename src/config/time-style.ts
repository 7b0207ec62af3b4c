/** How the screen writes times and dates: by the settings, else as is usual for the locale. */
import type { TimeStyle } from "../text/times.ts";
import type { Settings } from "./settings.ts";
import type { Env } from "./paths.ts";
import { localeOf } from "./locale.ts";

/** Regions with twelve hours, with the month first, and with the year first. */
const TWELVE = new Set("US AU NZ IN PK BD PH MY EG SA JO CO".split(" "));
const MONTH_FIRST = new Set(["US", "PH"]);
const YEAR_FIRST = new Set("CN JP KR TW HU LT IR MN SE".split(" "));

export function timeStyleOf(settings: Pick<Settings, "time.format" | "time.date">, env: Env): TimeStyle {
  const locale = localeOf(env, "LC_TIME");
  const [, language = "", region = ""] = /^([a-z]+)_([A-Z]{2})/.exec(locale) ?? [];
  const { "time.format": format, "time.date": date } = settings;
  const twelve = TWELVE.has(region) || (language === "en" && region === "CA");
  const order = MONTH_FIRST.has(region) ? "mdy" : YEAR_FIRST.has(region) ? "ymd" : "dmy";
  return { twelveHour: format === "auto" ? twelve : format === "12", order: date === "auto" ? order : date };
}
