/** Formatting times for people; these tests set the time zone and pass the current time as an argument. */
import { expect, test } from "vitest";
import {
  clock,
  countdown,
  dayKey,
  dayLabel,
  duration,
  momentWords,
  shortWhen,
  stamp,
  wholeDate,
} from "../../src/text/times.ts";

const now = Date.UTC(2026, 10, 20, 12, 0, 0);
const utc = { utc: true };
const MIN = 60_000;
const H = 60 * MIN;
const D = 24 * H;

test("clock, day and stamp", () => {
  const at = Date.UTC(2026, 10, 17, 9, 4, 5);
  expect([clock(at, utc), dayKey(at, utc), dayLabel(at, now, utc), stamp(at, utc)]).toEqual([
    "09:04",
    "2026-11-17",
    "Tue 17 Nov",
    "2026-11-17 09:04:05",
  ]);
  expect(wholeDate(at, utc)).toBe("17 Nov 2026 09:04");
  expect(dayLabel(Date.UTC(2025, 0, 1), now, utc)).toBe("Wed 1 Jan 2025");
  expect([clock(Number.NaN), dayKey(Number.NaN)]).toEqual(["--:--", ""]);
  expect([stamp(Number.NaN), wholeDate(Number.NaN)]).toEqual(["no date", "no date"]);
});

test("local time is that of the machine, not UTC", () => {
  const local = new Date(2026, 10, 17, 23, 30);
  expect(clock(local.getTime())).toBe("23:30");
  expect(dayKey(local.getTime())).toBe("2026-11-17");
});

test("the shortest form that is unambiguous", () => {
  expect(shortWhen(now - H, now, utc)).toBe("11:00");
  expect(shortWhen(now - 2 * D, now, utc)).toBe("Wed 12:00");
  expect(shortWhen(now - 30 * D, now, utc)).toBe("21 Oct");
  expect(shortWhen(now - 400 * D, now, utc)).toBe("16 Oct 2025");
});

test("a chosen moment is shown with its time of day, however far away it is", () => {
  expect(momentWords(now + H, now, utc)).toBe("13:00");
  expect(momentWords(now + 2 * D, now, utc)).toBe("Sun 12:00");
  expect(momentWords(now + 30 * D, now, utc)).toBe("20 Dec 12:00");
  expect(momentWords(now + 10_000 * D, now, utc)).toBe("7 Apr 2054 12:00");
});

test.each([
  [-5, "0 s"],
  [999, "1 s"],
  [45_000, "45 s"],
  [60_000, "1 min"],
  [125_000, "2 min 5 s"],
  [59 * MIN + 59_000, "59 min"],
  [H + 5 * MIN, "1 h 5 min"],
  [2 * H, "2 h"],
  [3 * D + 2 * H, "3 d 2 h"],
])("a duration of %i ms is shown as %s", (length, expected) => expect(duration(length)).toBe(expected));

test("a countdown does not show zero before its end", () => {
  expect([countdown(1), countdown(60_000), countdown(3_729_000), countdown(-1)]).toEqual([
    "0:01",
    "1:00",
    "1:02:09",
    "0:00",
  ]);
});
