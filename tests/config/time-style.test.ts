/** 12 or 24 hours and the order of dates: from the settings, else from the locale. */
import { afterEach, expect, test } from "vitest";
import { timeStyleOf } from "../../src/config/time-style.ts";
import {
  clock,
  clockCells,
  dayLabel,
  shortWhen,
  stamp,
  wholeDate,
  setTimeStyle,
} from "../../src/text/times.ts";

const AT = Date.parse("2026-11-17T14:05:06Z");
const utc = { utc: true };
afterEach(() => setTimeStyle({ twelveHour: false, order: "dmy" }));

const auto = { "time.format": "auto", "time.date": "auto" } as const;
test.each([
  [{}, false, "dmy"],
  [{ LANG: "C.UTF-8" }, false, "dmy"],
  [{ LANG: "en_US.UTF-8" }, true, "mdy"],
  [{ LANG: "en_US.UTF-8", LC_TIME: "de_DE.UTF-8" }, false, "dmy"],
  [{ LANG: "de_DE", LC_ALL: "ja_JP.UTF-8" }, false, "ymd"],
  [{ LANG: "en_CA.UTF-8" }, true, "dmy"],
  [{ LANG: "fr_CA.UTF-8" }, false, "dmy"],
] as const)("%j: twelve hours %s, %s", (env, twelve, order) =>
  expect(timeStyleOf(auto, env)).toEqual({ twelveHour: twelve, order }),
);

test("the settings win over the locale", () =>
  expect(timeStyleOf({ "time.format": "24", "time.date": "ymd" }, { LANG: "en_US" })).toEqual({
    twelveHour: false,
    order: "ymd",
  }));

test.each([
  ["dmy", false, ["14:05", "Tue 17 Nov", "14:05", "5 Jan 2025"]],
  ["mdy", true, ["2:05 PM", "Tue Nov 17", "2:05 PM", "Jan 5, 2025"]],
  ["ymd", false, ["14:05", "Tue 2026-11-17", "14:05", "2025-01-05"]],
] as const)("%s, twelve hours %s", (order, twelve, expected) => {
  setTimeStyle({ twelveHour: twelve, order });
  const old = Date.parse("2025-01-05T00:30:00Z");
  expect([clock(AT, utc), dayLabel(AT, AT, utc), shortWhen(AT, AT, utc), shortWhen(old, AT, utc)]).toEqual(
    expected,
  );
  expect(stamp(AT, utc)).toBe("2026-11-17 14:05:06");
});

test("midnight and noon are twelve, and every hour fits its cells", () => {
  setTimeStyle({ twelveHour: true, order: "mdy" });
  expect(wholeDate(AT, utc)).toBe("Nov 17, 2026 2:05 PM");
  const hours = Array.from({ length: 24 }, (_, hour) => clock(Date.UTC(2026, 0, 1, hour, 7), utc));
  expect([hours[0], hours[12], hours[23]]).toEqual(["12:07 AM", "12:07 PM", "11:07 PM"]);
  expect(Math.max(...hours.map((one) => one.length))).toBe(clockCells());
});
