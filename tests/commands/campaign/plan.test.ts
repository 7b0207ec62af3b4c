/** When somebody may be sent to by the plan of a campaign (specification/campaigns.md §12). */
import { expect, test } from "vitest";
import { readGuards } from "../../../src/commands/campaign/file/guards.ts";
import {
  keptPlan,
  planOf,
  planWords,
  requireZones,
  unknownZones,
} from "../../../src/commands/campaign/plan/read-plan.ts";
import { planLines, planSlots } from "../../../src/commands/campaign/plan/slots.ts";
import { openingOf, spreadStep } from "../../../src/commands/campaign/plan/send-plan.ts";
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
  const found = openingOf(plan, { since: 0 }, ms(now));
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
  expect(
    openingOf(hoursPlan("09:00-18:00", "UTC", days), { since: 0 }, ms("2026-11-30T10:00Z")),
  ).toBeUndefined();
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
    const { from } = openingOf(hoursPlan(window, tz, quiet), { since: 0 }, now)!;
    expect([window, tz, time(from), isIn(window, tz, quiet, from)]).toEqual([window, tz, time(from), true]);
    for (let at = now; at < from; at += MINUTE)
      if (isIn(window, tz, quiet, at))
        expect([time(now), time(at), turnOf(at, { name: tz })]).toEqual([time(now), time(at), "second"]);
  }
});

const planFrom = (
  flags: Partial<Parameters<typeof planOf>[0]>,
  guards: Parameters<typeof readGuards>[1] = {},
) => planOf({ pauseOutside: false, ...flags }, readGuards({}, guards))!;
const HOUR = 60 * MINUTE;

test("the plan of a spread says first how often one of them is sent, from two people on", () => {
  const plan = planFrom({ spread: "20h" });
  const now = ms("2026-11-30T10:00Z");
  const lines = (...ids: string[]): string[] =>
    planLines(plan, ids.map((id) => ({ id, columns: {} })) as never, { since: now, now, all: ids.length });
  expect(lines("ana")).toHaveLength(1);
  expect(lines("ana", "bo")[0]).toMatch(/^2 people, one every 10 ?h/);
  expect(lines("ana", "bo")).toHaveLength(3);
});

test("a spread gives each person an equal part of its open time", () => {
  const since = ms("2026-11-30T08:00Z");
  const step = (plan: ReturnType<typeof planFrom>, now: string, parts: number) =>
    spreadStep(plan, { since, all: 10 }, { now: ms(now), parts }) / HOUR;
  const whole = planFrom({ spread: "20h" });
  expect(step(whole, "2026-11-30T08:00Z", 10)).toBe(2);
  // Down for ten hours with eight left: they share the ten that are left of the plan.
  expect(step(whole, "2026-11-30T18:00Z", 8)).toBe(1.25);
  // Down for longer: twice as fast as planned, and never faster.
  expect(step(whole, "2026-12-01T03:00Z", 8)).toBe(1);
  expect(step(whole, "2027-01-01T00:00Z", 8)).toBe(1);
  const daily = planFrom({ spread: "2d", pauseOutside: true }, { window: "09:00-19:00", tz: "UTC" });
  expect(step(daily, "2026-11-30T08:00Z", 10)).toBe(2);
  expect(step(daily, "2026-11-30T19:00Z", 8)).toBe(1.25);
});

test.each([
  ["09:00", "2026-11-30T07:00Z", "Europe/Berlin", "2026-11-30T08:00", 60],
  // At the moment itself it is this one; a minute later that of the next day.
  ["09:00", "2026-11-30T08:00Z", "Europe/Berlin", "2026-11-30T08:00", 60],
  ["09:00", "2026-11-30T08:01Z", "Europe/Berlin", "2026-12-01T08:00", 60],
  ["09:00", "2026-11-30T08:00Z", "Asia/Tokyo", "2026-12-01T00:00", 60],
  // Clocks skip 02:30: the moment after the gap. It comes twice: the first.
  ["02:30", "2026-03-28T12:00Z", "Europe/Berlin", "2026-03-29T01:00", 30],
  ["02:30", "2026-10-24T12:00Z", "Europe/Berlin", "2026-10-25T00:30", 120],
])("at %s of somebody, begun at %s in %s, is %s, for %i minutes", (atLocal, begun, zone, from, minutes) => {
  const plan = planFrom({ atLocal });
  const found = openingOf(plan, { since: ms(begun), zone }, ms(begun));
  expect([time(found?.from), (found!.until - found!.from) / MINUTE]).toEqual([from, minutes]);
});

test("who was not reached within the hour of their time gets it on the next day, and not on a quiet one", () => {
  const plan = planFrom({ atLocal: "09:00" }, { tz: "UTC", quietDay: ["saturday"] });
  const since = ms("2026-11-27T05:00Z");
  const at = (now: string) => time(openingOf(plan, { since }, ms(now))?.from);
  expect(["2026-11-27T09:59Z", "2026-11-27T10:00Z", "2026-11-28T09:00Z"].map(at)).toEqual([
    "2026-11-27T09:59",
    "2026-11-29T09:00",
    "2026-11-29T09:00",
  ]);
});

test("people are grouped by the zone of their record, then of their user, and without one by --tz, which they then need", () => {
  const people = [
    { id: "ana", user: { id: "ana", time_zone: "Asia/Tokyo" } },
    { id: "bo", user: { id: "bo", time_zone: "Asia/Tokyo" }, columns: { time_zone: "Europe/Berlin" } },
    { id: "cy", user: { id: "cy", time_zone: "Mars/Olympus" } },
    { id: "dee", columns: { time_zone: "Asia/Tokyo" } },
  ] as never;
  const plan = planFrom({ atLocal: "09:00" }, { tz: "UTC" });
  const now = ms("2026-11-30T10:00Z");
  expect(planLines(plan, people, { since: now, now, all: 4 })).toEqual(
    ["2026-12-01 09:00 Asia/Tokyo", "2026-12-01 09:00 Europe/Berlin", "2026-12-01 09:00 UTC"].map(
      (line) => expect.stringContaining(line) as string,
    ),
  );
  expect(planSlots(plan, people, { since: now, now, all: 4 })).toMatchObject([
    { at: ms("2026-12-01T00:00Z"), zone: "Asia/Tokyo", people: [{ id: "ana" }, { id: "dee" }] },
    { at: ms("2026-12-01T08:00Z"), zone: "Europe/Berlin", people: [{ id: "bo" }] },
    { at: ms("2026-12-01T09:00Z"), zone: "UTC", people: [{ id: "cy" }] },
  ]);
  expect(() => requireZones(plan, people)).not.toThrow();
  expect(() => requireZones(planFrom({ atLocal: "09:00" }), people)).toThrow(
    "--at-local cannot tell the time of 1 person without a time zone in time_zone: cy.",
  );
});

test("people with an unknown zone are counted where --tz stands for it, and named in a dry run", () => {
  const of = (id: string, zone?: unknown, column?: unknown) => ({
    id,
    user: { id, time_zone: zone },
    ...(column !== undefined && { columns: { time_zone: column } }),
  });
  const people = [
    of("ana", "Asia/Tokyo"),
    of("bo", "Mars/Olympus"),
    of("cy", "Asia/Tokyo", "CET/\nX"),
    of("dee", 2),
    of("ed"),
    of("fay", ""),
    of("gil", "Mars/Olympus", "UTC"),
  ] as never[];
  const plan = planFrom({ atLocal: "09:00" }, { tz: "Europe/Berlin" });
  const all = "3 people with an unknown time_zone are sent to by Europe/Berlin";
  expect(unknownZones(plan, people, { named: false })).toBe(all);
  expect(unknownZones(plan, people, { named: true })).toBe(`${all}: bo (Mars/Olympus), cy (CET/ X), dee (2)`);
  expect(unknownZones(plan, [people[1]!], { named: false })).toBe(
    "1 person with an unknown time_zone is sent to by Europe/Berlin",
  );
  expect(unknownZones(plan, [people[0]!], { named: true })).toBeUndefined();
  // Without --tz they refuse the start, and another plan asks for no zone.
  expect(unknownZones(planFrom({ atLocal: "09:00" }), people, { named: true })).toBeUndefined();
  expect(unknownZones(planFrom({ spread: "1d" }), people, { named: true })).toBeUndefined();
});

test.each([
  [{ spread: "soon" }, {}, "--spread must be a duration"],
  [{ spread: "400d" }, {}, "--spread must be a duration"],
  [{ atLocal: "9pm" }, {}, "--at-local must be a time of day"],
  [{ atLocal: "24:00" }, {}, "--at-local must be a time of day"],
  [{ atLocal: "09:00", spread: "1d" }, {}, "--at-local and --spread cannot be combined"],
  [{ atLocal: "09:00" }, { window: "09:00-18:00", tz: "UTC" }, "--at-local and a window"],
  [{ spread: "1d" }, { window: "09:00-18:00", tz: "UTC" }, "needs --pause-outside"],
])("%j with %j is a usage error: %s", (flags, guards, message) => {
  expect(() => planFrom(flags, guards)).toThrow(message);
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
