/** Times and durations as people type them, with one grammar for every input. */
import { describe, expect, test } from "vitest";
import { parseWhen, readDuration } from "../../src/text/when.ts";

const now = Date.UTC(2026, 10, 20, 12, 0, 0);

test.each<[string, number | undefined]>([
  ["0", 0],
  ["500ms", 500],
  ["1.5h", 5_400_000],
  [" 2 days ", 172_800_000],
  ["1w", 604_800_000],
  ["30", undefined],
  ["", undefined],
  ["-2h", undefined],
  ["2h30", undefined],
  ["2 moons", undefined],
])("the duration %j", (text, length) => expect(readDuration(text)).toBe(length));

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
    ["tomorrow 9:00", "2026-11-21T09:00:00.000Z"],
    ["Yesterday  18:05", "2026-11-19T18:05:00.000Z"],
    ["2026-12-01", "2026-12-01T00:00:00.000Z"],
    ["2026-12-01 09:05", "2026-12-01T09:05:00.000Z"],
    ["2026-12-01T09:05:06Z", "2026-12-01T09:05:06.000Z"],
    ["2026-11-30T23:00:00-05:00", "2026-12-01T04:00:00.000Z"],
    ["2026-12-01T09:05:06.123456+01:00", "2026-12-01T08:05:06.123Z"],
    ["2026-12-01T09:05:06.5Z", "2026-12-01T09:05:06.500Z"],
    ["2026-12-01 9am", "2026-12-01T09:00:00.000Z"],
    ["tomorrow at 9:00", "2026-11-21T09:00:00.000Z"],
    ["Tomorrow, 9 PM", "2026-11-21T21:00:00.000Z"],
    ["12am", "2026-11-20T00:00:00.000Z"],
    ["at 12:30 p.m.", "2026-11-20T12:30:00.000Z"],
    ["noon", "2026-11-20T12:00:00.000Z"],
    ["6:05pm", "2026-11-20T18:05:00.000Z"],
    ["in 10 min", "2026-11-20T12:10:00.000Z"],
    ["in an hour", "2026-11-20T13:00:00.000Z"],
    ["2 days ago", "2026-11-18T12:00:00.000Z"],
    ["friday", "2026-11-20T00:00:00.000Z"],
    ["fri 18:00", "2026-11-13T18:00:00.000Z"],
    ["Sat", "2026-11-14T00:00:00.000Z"],
    ["12:00", "2026-11-20T12:00:00.000Z"],
    ["fri 12:00", "2026-11-20T12:00:00.000Z"],
    ["fri 12:01", "2026-11-13T12:01:00.000Z"],
    ["12:01", "2026-11-20T12:01:00.000Z"],
    ["1795198007", "2026-11-20T18:06:47.000Z"],
    ["1795198007000", "2026-11-20T18:06:47.000Z"],
  ])("%s is read as a time", (text, at) => expect(iso(text)).toBe(at));
  test("a duration without a sign counts in the direction of the argument", () => {
    expect(iso("2h", "future")).toBe("2026-11-20T14:00:00.000Z");
    expect(iso("-2h", "future")).toBe("2026-11-20T10:00:00.000Z");
  });
  test.each([
    ["in 10 min", "2026-11-20T12:10:00.000Z"],
    ["11:59", "2026-11-21T11:59:00.000Z"],
    ["12:01", "2026-11-20T12:01:00.000Z"],
    ["12:00", "2026-11-21T12:00:00.000Z"],
    ["fri 12:00", "2026-11-27T12:00:00.000Z"],
    ["9am", "2026-11-21T09:00:00.000Z"],
    ["today 9:00", "2026-11-20T09:00:00.000Z"],
    ["friday", "2026-11-27T00:00:00.000Z"],
    ["friday at 6 pm", "2026-11-20T18:00:00.000Z"],
    ["on mon 9:00", "2026-11-23T09:00:00.000Z"],
  ])("%s is read as a future time", (text, at) => expect(iso(text, "future")).toBe(at));
  test("without utc a date is midnight of the machine's zone", () => {
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
    "tomorrow 25:00",
    "sometime 9:00",
    "13pm",
    "0am",
    "9:60 am",
    "fr",
    "mondays",
    "at",
    "in",
    "ago",
    "2026-02-31 9am",
    "tomorrow 9",
    "constructor 9:00",
    "9h9",
    "12345678901",
    "9999999999999999999d",
    "2026-12-01T09:00:00+",
  ])("%j is refused with examples", (text) => {
    expect(() => parseWhen(text, { now })).toThrow(/is not a time: use 2h/);
  });
});
