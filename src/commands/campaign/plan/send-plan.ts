/** The plan of a campaign by messages: when each person may be sent to (specification/campaigns.md §12). */
import { isZoneName } from "../../../text/zones.ts";
import type { Person } from "../audience/exclusions.ts";
import { closingAfter, openingFrom, openTime, timesOfDay, type Hours } from "./hours.ts";

/** As the journal stores it. */
export interface SendPlan {
  /** Outside of them the run waits. */
  hours?: Hours;
  /** All are sent evenly over this time. */
  spread?: { ms: number; text: string };
  /** A minute of the day where each person is; `zone` for those who have none. */
  local?: { minute: number; text: string; zone?: string; quiet: readonly string[] };
}

/** WN-6: the field of a person, or the column of their record, that names their time zone. */
const ZONE_FIELD = "time_zone";

type Zoned = Pick<Person, "user" | "columns">;

const givenZone = ({ user, columns }: Zoned): unknown =>
  columns?.[ZONE_FIELD] ?? (user as Record<string, unknown> | undefined)?.[ZONE_FIELD];

/** The zone of a person; undefined for those who name none, or one that nobody knows. */
export function zoneOf(person: Zoned): string | undefined {
  const zone = givenZone(person);
  return typeof zone === "string" && isZoneName(zone) ? zone : undefined;
}

/** What a person names as their zone and is none; undefined for an empty one, too. */
export function unknownZoneOf(person: Zoned): string | undefined {
  const zone = givenZone(person);
  if (zone === undefined || zone === null || zone === "" || zoneOf(person) !== undefined) return undefined;
  return typeof zone === "string" ? zone : JSON.stringify(zone);
}

/** From when until when somebody may be sent to. */
export interface Opening {
  from: number;
  until: number;
}

/** How long a message may be late for a time of day where the person is, in minutes. */
const LOCAL_MINUTES = 60;
const MINUTES_OF_DAY = 24 * 60;

/** The hours in which people of a zone may be sent to. */
function hoursIn({ hours, local }: SendPlan, zone: string | undefined): Hours | undefined {
  if (!local) return hours;
  const { minute: from, text, quiet } = local;
  const window = { from, to: (from + LOCAL_MINUTES) % MINUTES_OF_DAY, text };
  return { window, zone: zone ?? local.zone!, quiet };
}

/** Where somebody is, and when the run began, both in the plan's sense. */
interface PlanScope {
  /** Milliseconds since the epoch. */
  since: number;
  zone?: string | undefined;
}

/**
 * WN-1: the next opening from `now` on, the one rule that every send asks. Undefined if there is none. A time of day that has passed where somebody is
 * when the run begins is that of the next day.
 */
export function openingOf(plan: SendPlan, { since, zone }: PlanScope, now: number): Opening | undefined {
  const hours = hoursIn(plan, zone);
  const [first = since] = plan.local ? timesOfDay([plan.local.minute], hours!.zone!, since - 1) : [];
  const from = openingFrom(hours, Math.max(now, first));
  return from === undefined ? undefined : { from, until: closingAfter(hours, from) };
}

/**
 * WN-5: milliseconds of open time until the next of `parts` people. What is left of the plan is shared evenly, and a run that was down
 * never goes on faster than twice as planned.
 */
export function spreadStep(
  { hours, spread }: SendPlan,
  { since, all }: { since: number; all: number },
  { now, parts }: { now: number; parts: number },
): number {
  if (!spread) return 0;
  const begin = openingFrom(hours, since) ?? since;
  const end = begin + spread.ms;
  const planned = openTime(hours, begin, end) / Math.max(1, all);
  return Math.max(openTime(hours, now, end) / Math.max(1, parts), planned / 2);
}
