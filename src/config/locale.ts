/** The locale of the terminal, by the variables that POSIX names. */
import type { Env } from "./paths.ts";

export const localeOf = (env: Env, category: "LC_CTYPE" | "LC_TIME"): string =>
  env.LC_ALL || env[category] || env.LANG || "";

/** Whether the characters of the locale are those of Unicode; undefined where no variable names one. */
export function isUtf8Locale(env: Env): boolean | undefined {
  const locale = localeOf(env, "LC_CTYPE");
  return locale === "" ? undefined : /utf-?8/i.test(locale);
}
