/** WN-8: the slots of a planned campaign, for a dry run: when how many people get it, as the queue will give them out. */
import { duration } from "../../../text/times.ts";
import { count, namedIds } from "../../../text/words.ts";
import { offsetAt } from "../../../text/zones.ts";
import type { Person } from "../audience/exclusions.ts";
import { momentIn } from "../file/moment.ts";
import { afterOpenTime, closingAfter } from "./hours.ts";
import { zoneGroups } from "./read-plan.ts";
import { openingOf, spreadStep, type SendPlan } from "./send-plan.ts";

type Placed = Pick<Person, "id" | "user" | "columns">;

/** A run that begins, or goes on, in milliseconds since the epoch. */
interface PlannedRun {
  now: number;
  since: number;
  /** How many it was for when it began. */
  all: number;
  /** When it last sent. */
  last?: number | undefined;
}

interface Slot {
  /** When the first of them may get it, in milliseconds since the epoch. */
  at: number;
  /** Where they are, or the zone of the hours. */
  zone: string | undefined;
  people: readonly { id: string }[];
  /** When the hours close, after which those who are left wait. */
  until?: number;
}

/** More slots than this are joined by the clock. */
const MAX_SLOTS = 24;
const MINUTE = 60_000;
/** Lengths of joined slots, in minutes; longer ones are days. */
const LENGTHS = [1, 5, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * MINUTE);
const DAY = 1440 * MINUTE;

/** Milliseconds of open time between two people of a spread. */
const stepOf = (plan: SendPlan, run: PlannedRun, at: number, parts: number): number =>
  spreadStep(plan, run, { now: at, parts });

/** The moment of each of a number of people who share a time. */
function spreadTimes(plan: SendPlan, run: PlannedRun, parts: number): number[] {
  const { hours } = plan;
  const { now, last } = run;
  const free =
    last === undefined ? now : afterOpenTime(hours, last, stepOf(plan, run, Math.max(last, now), parts));
  let at = openingOf(plan, run, Math.max(now, free ?? now))?.from;
  const step = at === undefined ? 0 : stepOf(plan, run, at, parts);
  const times: number[] = [];
  for (let closes = -Infinity; at !== undefined && times.length < parts;) {
    if (at >= closes) closes = closingAfter(hours, at);
    times.push(at);
    at = at + step < closes ? at + step : afterOpenTime(hours, at, step);
  }
  return times;
}

/** Joins the moments of people to slots by the clock in a zone. */
function joined(times: readonly number[], people: readonly Placed[], zone: string | undefined): Slot[] {
  const offset = offsetAt(times[0]!, zone === undefined ? {} : { name: zone });
  const slotsOf = (length: number): number[][] => [
    ...Map.groupBy(times.keys(), (n) =>
      length === 0 ? times[n]! : Math.floor((times[n]! + offset) / length),
    ).values(),
  ];
  const days = Math.ceil((times.at(-1)! - times[0]!) / DAY / (MAX_SLOTS - 1)) * DAY;
  const lengths = [0, ...LENGTHS, days];
  const length = lengths.find((one) => slotsOf(one).length <= MAX_SLOTS) ?? days;
  return slotsOf(length).map((group) => ({
    at: times[group[0]!]!,
    zone,
    people: group.map((n) => people[n]!),
  }));
}

/** When how many get it, in order of time. */
export function planSlots(plan: SendPlan, people: readonly Placed[], run: PlannedRun): Slot[] {
  const { hours, spread } = plan;
  if (spread && people.length > 0) return joined(spreadTimes(plan, run, people.length), people, hours?.zone);
  return zoneGroups(plan, people)
    .flatMap(({ zone, people: group }): Slot[] => {
      const { from: at, until = Infinity } = openingOf(plan, { since: run.since, zone }, run.now) ?? {};
      if (at === undefined || group.length === 0) return [];
      return [{ at, zone: zone ?? hours?.zone, people: group, ...(hours && until < Infinity && { until }) }];
    })
    .toSorted((a, b) => a.at - b.at);
}

/** The slots in words, a line each: `2026-12-01 09:00 Asia/Tokyo: 2 people: ana, dee`. */
export function planLines(plan: SendPlan, people: readonly Placed[], run: PlannedRun): string[] {
  const moment = (at: number, zone: string | undefined): string => momentIn(new Date(at).toISOString(), zone);
  const lines = planSlots(plan, people, run).map(({ at, zone, people: group, until }) => {
    const named = namedIds(
      group.map(({ id }) => id),
      "person",
      "people",
    );
    const waits = until === undefined ? "" : ` until ${moment(until, zone)}, then it waits`;
    return `${plan.local ? "" : "from "}${moment(at, zone)}${waits}: ${named}`;
  });
  if (!plan.spread || people.length < 2) return lines;
  const step = stepOf(plan, run, openingOf(plan, run, run.now)?.from ?? run.now, people.length);
  return [`${count(people.length, "person", "people")}, one every ${duration(step)}:`, ...lines];
}
