/** When somebody may be sent to by the plan of a campaign (specification/campaigns.md §12). */
import { expect, test } from "vitest";
import { readGuards } from "../../../src/commands/campaign/file/guards.ts";
import { keptPlan, openingOf, planOf, planWords } from "../../../src/commands/campaign/plan/send-plan.ts";
import { turnOf } from "../../../src/text/zones.ts";
import { dice } from "../../support/seeded.ts";

const MINUTE = 60_000;
const hoursPlan = (window: string | undefined, tz: string, quietDay: string[] = []) =>
  planOf({ pauseOutside: true }, readGuards({}, { ...(window && { window }), tz, quietDay }))!;
const ms = (text: string): number => Date.parse(text);
const time = (at: number | undefined): string | undefined =>
  at === undefined || at === Infinity ? String(at) : new Date(at).toISOString().slice(0, 16);

/** From and until, in UTC. */
const opening = (plan: ReturnType<typeof hoursPlan>, now: string) => {
  const found = openingOf(plan, ms(now));
  return [time(found?.from), time(found?.until)];
};

test.each([
  // Open: at once, until it closes.
  ["09:00-18:00", "Europe/Berlin", [], "2026-11-30T10:00Z", "2026-11-30T10:00", "2026-11-30T17:00"],
  // Closed: the same day, or the next.
  ["09:00-18:00", "Europe/Berlin", [], "2026-11-30T05:00Z", "2026-11-30T08:00", "2026-11-30T17:00"],
  ["09:00-18:00", "Europe/Berlin", [], "2026-11-30T17:00Z", "2026-12-01T08:00", "2026-12-01T17:00"],
  // Over midnight, in summer time.
  ["22:00-06:00", "America/New_York", [], "2026-07-01T12:00Z", "2026-07-02T02:00", "2026-07-02T10:00"],
  ["22:00-06:00", "America/New_York", [], "2026-07-02T09:59Z", "2026-07-02T09:59", "2026-07-02T10:00"],
  // A quiet day closes at midnight, and opens there.
  ["22:00-06:00", "UTC", ["saturday"], "2026-11-27T23:00Z", "2026-11-27T23:00", "2026-11-28T00:00"],
  ["22:00-06:00", "UTC", ["saturday"], "2026-11-28T00:00Z", "2026-11-29T00:00", "2026-11-29T06:00"],
  [undefined, "UTC", ["saturday", "sunday"], "2026-11-28T12:00Z", "2026-11-30T00:00", "2026-12-05T00:00"],
  [undefined, "UTC", ["2026-11-29"], "2026-11-28T12:00Z", "2026-11-28T12:00", "2026-11-29T00:00"],
  [undefined, "UTC", ["2026-11-28"], "2026-11-28T12:00Z", "2026-11-29T00:00", "Infinity"],
  // Clocks skip 02:00 to 03:00: it opens after the gap. 02:30 comes twice: the first counts.
  ["02:30-04:00", "Europe/Berlin", [], "2026-03-28T12:00Z", "2026-03-29T01:00", "2026-03-29T02:00"],
  ["02:30-04:00", "Europe/Berlin", [], "2026-10-24T12:00Z", "2026-10-25T00:30", "2026-10-25T03:00"],
])("hours %s in %s without %j, asked at %s, open at %s until %s", (window, tz, quiet, now, from, until) => {
  expect(opening(hoursPlan(window, tz, quiet), now)).toEqual([from, until]);
});

test("hours that are quiet on every day of the week never open", () => {
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  expect(openingOf(hoursPlan("09:00-18:00", "UTC", days), ms("2026-11-30T10:00Z"))).toBeUndefined();
});

const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether it is within the hours, told by the locale alone. */
function isIn(window: string, tz: string, quiet: string[], at: number): boolean {
  const format =
    formats.get(tz) ??
    new Intl.DateTimeFormat("en-GB", { timeZone: tz, weekday: "long", hour: "2-digit", minute: "2-digit" });
  formats.set(tz, format);
  const [day, clock] = format
    .format(at)
    .toLowerCase()
    .split(/,? (?=\d)/) as [string, string];
  const [from, to] = window.split("-") as [string, string];
  return !quiet.includes(day) && (from < to ? clock >= from && clock < to : clock >= from || clock < to);
}

test("an opening is the first minute within the hours, in any zone, through every change of clocks", () => {
  const random = dice(7);
  for (let n = 0; n < 100; n++) {
    const tz = random.pick(["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu"]);
    const window = random.pick(["09:00-18:00", "22:00-06:00", "02:15-02:45", "00:00-00:30"]);
    const quiet = random.chance(0.3) ? ["sunday"] : [];
    const day = random.pick([
      "2026-03-08",
      "2026-03-29",
      "2026-04-05",
      "2026-10-04",
      "2026-10-25",
      "2026-11-01",
    ]);
    const now = ms(`${day}T00:00Z`) + (random.below(2 * 1440) - 1440) * MINUTE;
    const { from } = openingOf(hoursPlan(window, tz, quiet), now)!;
    expect([window, tz, time(from), isIn(window, tz, quiet, from)]).toEqual([window, tz, time(from), true]);
    for (let at = now; at < from; at += MINUTE)
      if (isIn(window, tz, quiet, at))
        expect([time(now), time(at), turnOf(at, { name: tz })]).toEqual([time(now), time(at), "second"]);
  }
});

test("waiting outside needs hours or days", () => {
  expect(() => planOf({ pauseOutside: true }, readGuards({}, { tz: "UTC" }))).toThrow(
    /--window or --quiet-day/,
  );
  expect(
    planOf({ pauseOutside: false }, readGuards({ window: "09:00-18:00" }, { tz: "UTC" })),
  ).toBeUndefined();
});

test("a run goes on with the plan it began with, refuses another, and takes a new one at its end", () => {
  const [day, night] = [hoursPlan("09:00-18:00", "UTC", ["sunday"]), hoursPlan("22:00-06:00", "UTC")];
  const begun = { at: "2026-11-30T10:00:00Z", plan: day };
  const kept = (asked: typeof day | undefined, journal: object) => keptPlan("s", asked, journal, "the line");
  expect(kept(undefined, { begun })).toEqual(day);
  expect(kept(structuredClone(day), { begun })).toEqual(day);
  expect(kept(night, {})).toEqual(night);
  expect(kept(night, { begun, ended: "2026-11-30T11:00:00Z" })).toEqual(night);
  expect(() => kept(night, { begun })).toThrow(
    "Campaign s was begun at 2026-11-30T10:00:00Z with another plan (09:00-18:00 UTC, not on sunday, waits outside), which stays.",
  );
  expect(() => kept(night, { begun: { at: "2026" } })).toThrow("without a plan, which stays");
  expect(planWords(night)).toBe("22:00-06:00 UTC, waits outside");
});
