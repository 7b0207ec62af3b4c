/** Times for people and the times they type; the zone of these tests is set, the clock is an argument. */
import { describe, expect, test } from "vitest";
import {
  clock,
  countdown,
  dayKey,
  dayLabel,
  duration,
  parseWhen,
  shortWhen,
  stamp,
} from "../../src/text/times.ts";

const now = Date.UTC(2026, 10, 20, 12, 0, 0);
const utc = { utc: true };
const MIN = 60_000;
const H = 60 * MIN;
const D = 24 * H;

test("clock, day, stamp", () => {
  const at = Date.UTC(2026, 10, 17, 9, 4, 5);
  expect([clock(at, utc), dayKey(at, utc), dayLabel(at, now, utc), stamp(at, utc)]).toEqual([
    "09:04",
    "2026-11-17",
    "Tue 17 Nov",
    "2026-11-17 09:04:05",
  ]);
  expect(dayLabel(Date.UTC(2025, 0, 1), now, utc)).toBe("Wed 1 Jan 2025");
  expect([clock(Number.NaN), dayKey(Number.NaN), stamp(Number.NaN)]).toEqual(["--:--", "", "no date"]);
});

test("local time is the machine's, not UTC", () => {
  const local = new Date(2026, 10, 17, 23, 30);
  expect(clock(local.getTime())).toBe("23:30");
  expect(dayKey(local.getTime())).toBe("2026-11-17");
});

test("the shortest that tells when", () => {
  expect(shortWhen(now - H, now, utc)).toBe("11:00");
  expect(shortWhen(now - 2 * D, now, utc)).toBe("Wed 12:00");
  expect(shortWhen(now - 30 * D, now, utc)).toBe("21 Oct");
  expect(shortWhen(now - 400 * D, now, utc)).toBe("16 Oct 2025");
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
])("a length of %i ms is %s", (length, said) => expect(duration(length)).toBe(said));

test("a countdown never shows zero before its end", () => {
  expect([countdown(1), countdown(60_000), countdown(3_729_000), countdown(-1)]).toEqual([
    "0:01",
    "1:00",
    "1:02:09",
    "0:00",
  ]);
});

describe("times as typed", () => {
  const iso = (text: string, direction: "past" | "future" = "past"): string =>
    new Date(parseWhen(text, { now, direction, utc: true })).toISOString();
  test.each([
    ["now", "2026-11-20T12:00:00.000Z"],
    ["today", "2026-11-20T00:00:00.000Z"],
    ["Yesterday", "2026-11-19T00:00:00.000Z"],
    ["tomorrow", "2026-11-21T00:00:00.000Z"],
    ["2h", "2026-11-20T10:00:00.000Z"],
    ["+2h", "2026-11-20T14:00:00.000Z"],
    ["-30m", "2026-11-20T11:30:00.000Z"],
    ["1.5d", "2026-11-19T00:00:00.000Z"],
    ["2 weeks", "2026-11-06T12:00:00.000Z"],
    ["09:30", "2026-11-20T09:30:00.000Z"],
    ["2026-12-01", "2026-12-01T00:00:00.000Z"],
    ["2026-12-01 09:05", "2026-12-01T09:05:00.000Z"],
    ["2026-12-01T09:05:06Z", "2026-12-01T09:05:06.000Z"],
    ["2026-11-30T23:00:00-05:00", "2026-12-01T04:00:00.000Z"],
    ["2026-12-01T09:05:06.123456+01:00", "2026-12-01T08:05:06.123Z"],
    ["2026-12-01T09:05:06.5Z", "2026-12-01T09:05:06.500Z"],
    ["1795198007", "2026-11-20T18:06:47.000Z"],
    ["1795198007000", "2026-11-20T18:06:47.000Z"],
  ])("%s", (text, at) => expect(iso(text)).toBe(at));
  test("a bare length points where it is asked to", () => {
    expect(iso("2h", "future")).toBe("2026-11-20T14:00:00.000Z");
    expect(iso("-2h", "future")).toBe("2026-11-20T10:00:00.000Z");
  });
  test("without utc a date is the machine's own midnight", () => {
    expect(parseWhen("2026-12-01", { now })).toBe(new Date(2026, 11, 1).getTime());
  });
  test.each([
    "",
    "30",
    "abc",
    "2026-02-31",
    "2026-02-31T09:00",
    "2026-13-01",
    "2026-12-01T25:00",
    "25:00",
    "9h9",
    "12345678901",
    "9999999999999999999d",
    "2026-12-01T09:00:00+",
  ])("%j is refused with the forms", (text) => {
    expect(() => parseWhen(text, { now })).toThrow(/is not a time: use 2h/);
  });
});
