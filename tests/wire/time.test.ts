/** Edge cases of dates on the wire (specification/wire.md §7). */
import { describe, expect, test } from "vitest";
import { compareTimes, normalTime, timeFromMicros, timeToMicros, timeToMs } from "../../src/wire/time.ts";

describe("a date", () => {
  test.each([
    ["2026-03-04T05:06:07Z", "2026-03-04T05:06:07.000000000Z"],
    ["2026-03-04t05:06:07.5z", "2026-03-04T05:06:07.500000000Z"],
    ["2026-03-04 05:06:07.123456789+02:30", "2026-03-04T02:36:07.123456789Z"],
    ["2026-03-04T22:06:07-03:30", "2026-03-05T01:36:07.000000000Z"],
    ["2026-01-01T00:30:00+0100", "2025-12-31T23:30:00.000000000Z"],
    ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000000000Z"],
    ["2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000000000Z"],
    ["0000-02-29T00:00:00Z", "0000-02-29T00:00:00.000000000Z"],
    ["0099-12-31T23:00:00Z", "0099-12-31T23:00:00.000000000Z"],
  ])("%s is %s", (text, normal) => expect(normalTime(text)).toBe(normal));
  test.each([
    ["2026-06-30T23:59:60Z", "2026-07-01T00:00:00.000000000Z"],
    ["2026-12-31T23:59:60.25Z", "2027-01-01T00:00:00.250000000Z"],
    ["2027-01-01T00:59:60+01:00", "2027-01-01T00:00:00.000000000Z"],
  ])("in a leap second, %s, becomes the next second", (text, normal) => {
    expect(normalTime(text)).toBe(normal);
    expect(compareTimes(text, normal)).toBe(0);
  });
  test.each([
    ["9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59.999999999Z"],
    ["9999-12-31T23:59:60Z", "9999-12-31T23:59:59.999999999Z"],
    ["0000-01-01T00:00:00+00:01", "0000-01-01T00:00:00.000000000Z"],
  ])("outside the years 0000 to 9999, %s, becomes the nearest time inside", (text, normal) =>
    expect(normalTime(text)).toBe(normal),
  );
  test.each([
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T00:00:00+01:00",
    "2026-00-10T00:00:00Z",
    "2026-13-10T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:61Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+14:60",
    "2026-01-01T00:00:00",
    "2026-01-01",
    "10000-01-01T00:00:00Z",
  ])("does not accept %s", (text) => {
    expect(normalTime(text)).toBeUndefined();
    expect([timeToMs(text), timeToMicros(text)]).toEqual([Number.NaN, Number.NaN]);
  });
});

describe("whole microseconds", () => {
  test.each(["1700-01-01T00:00:00.000001Z", "1969-12-31T23:59:59.999999Z", "2249-12-31T23:59:59.999999Z"])(
    "of %s are written as they were read",
    (text) => expect(timeFromMicros(timeToMicros(text))).toBe(text),
  );
  test.each([
    ["0000-01-01T00:00:00Z", "1700-01-01T00:00:00.000000Z"],
    ["1699-12-31T23:59:59.999999Z", "1700-01-01T00:00:00.000000Z"],
    ["2250-01-01T00:00:00.000001Z", "2250-01-01T00:00:00.000000Z"],
    ["9999-12-31T23:59:59.999999999Z", "2250-01-01T00:00:00.000000Z"],
  ])("of %s, outside the exact range, become those of %s", (text, end) => {
    expect(timeFromMicros(timeToMicros(text))).toBe(end);
  });
});
