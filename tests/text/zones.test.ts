/** Times in other zones: what clocks skip is refused, what comes twice is the first, and the question says both times. */
import { describe, expect, test } from "vitest";
import { momentIn } from "../../src/commands/campaign/file/moment.ts";
import { GapError, parseWhen } from "../../src/text/when.ts";
import { isZoneName, offsetAt, turnOf } from "../../src/text/zones.ts";

const now = Date.UTC(2026, 10, 20, 12);
const read = (text: string, name: string, at = now): string =>
  new Date(parseWhen(text, { now: at, direction: "future", name })).toISOString();

describe("times in a named zone", () => {
  test.each([
    ["tomorrow 09:00", "Asia/Tokyo", "2026-11-21T00:00:00.000Z"],
    ["09:30", "America/New_York", "2026-11-20T14:30:00.000Z"],
    ["2026-12-01 09:05", "Asia/Kolkata", "2026-12-01T03:35:00.000Z"],
    ["2026-12-01T09:05Z", "Asia/Tokyo", "2026-12-01T09:05:00.000Z"],
    ["2026-12-01", "Pacific/Kiritimati", "2026-11-30T10:00:00.000Z"],
    ["monday 18:00", "Europe/Berlin", "2026-11-23T17:00:00.000Z"],
    ["2h", "Asia/Tokyo", "2026-11-20T14:00:00.000Z"],
    // The first of two.
    ["2026-10-25 02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
    ["2026-11-01 01:30", "America/New_York", "2026-11-01T05:30:00.000Z"],
    ["2026-04-05 01:45", "Australia/Lord_Howe", "2026-04-04T14:45:00.000Z"],
    // A day without midnight begins at one o'clock.
    ["2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00.000Z"],
  ])("%s in %s", (text, zone, at) => expect(read(text, zone)).toBe(at));

  test.each([
    ["2026-03-29 02:30", "Europe/Berlin", "01:59 to 03:00"],
    ["2026-03-29T02:00", "Europe/Berlin", "01:59 to 03:00"],
    ["2026-03-08 2:59 am", "America/New_York", "01:59 to 03:00"],
    ["2026-10-04 02:10", "Australia/Lord_Howe", "01:59 to 02:30"],
    ["2026-04-24 00:15", "Africa/Cairo", "23:59 to 01:00"],
  ])("%s does not exist in %s, and the refusal names the times before and after", (text, zone, between) => {
    expect(() => read(text, zone)).toThrow(GapError);
    expect(() => read(text, zone)).toThrow(`does not exist in ${zone}: on `);
    expect(() => read(text, zone)).toThrow(`the clocks go from ${between}`);
    expect(() => read(text, zone)).toThrow(
      expect.objectContaining({ hint: `Write ${between.replace("to", "or")}.` }),
    );
  });

  test("a gap in another week is no reason to refuse a weekday", () => {
    const saturday = Date.UTC(2026, 2, 28, 12);
    expect(
      new Date(
        parseWhen("sunday 02:30", { now: saturday, direction: "past", name: "Europe/Berlin" }),
      ).toISOString(),
    ).toBe("2026-03-22T01:30:00.000Z");
    expect(() => parseWhen("tomorrow 02:30", { now: saturday, name: "Europe/Berlin" })).toThrow(GapError);
  });

  test("every hour of a year is read back as itself, or as the first of the two with its name", () => {
    for (const name of ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"])
      for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 3_600_000) {
        const text = new Date(at + offsetAt(at, { name })).toISOString().slice(0, -1);
        const back = parseWhen(text, { now, name });
        if (turnOf(at, { name }) === "second") expect(turnOf(back, { name })).toBe("first");
        else expect([name, text, back]).toEqual([name, text, at]);
      }
  });
});

test("the question shows the recipients' time and the local one, and which of two it is", () => {
  expect(momentIn("2026-11-21T00:00:00.000Z", "Asia/Tokyo")).toBe(
    "2026-11-21 09:00 Asia/Tokyo (2026-11-21 00:00 UTC here)",
  );
  expect(momentIn("2026-10-25T00:30:00.000Z", "Europe/Berlin")).toBe(
    "2026-10-25 02:30 Europe/Berlin, the first of two, as the clocks are set back (2026-10-25 00:30 UTC here)",
  );
  // One zone is as far from UTC as this one in winter only.
  expect(
    ["2026-01-15T09:00:00.000Z", "2026-07-15T09:00:00.000Z"].map((time) => momentIn(time, "Europe/London")),
  ).toEqual(["2026-01-15 09:00 UTC", "2026-07-15 10:00 Europe/London (2026-07-15 09:00 UTC here)"]);
  expect(momentIn("2026-11-21T00:00:00.000Z", undefined)).toBe("2026-11-21 00:00 UTC");
});

test("names of zones are told from other words", () => {
  expect(["Europe/Berlin", "UTC", "Nowhere/Land", ""].map(isZoneName)).toEqual([true, true, false, false]);
});
