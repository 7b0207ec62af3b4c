/** Reads the plan of a campaign from its flags and its journal, and says it in words. */
import { cleanLine } from "../../../text/sanitize.ts";
import { readDuration } from "../../../text/when.ts";
import { truncate } from "../../../text/width.ts";
import { count, firstFew, namedIds } from "../../../text/words.ts";
import type { Person } from "../audience/exclusions.ts";
import type { PlanValues } from "../args/plan.ts";
import { CommandError } from "../../base/define-command.ts";
import type { Guards } from "../file/guards.ts";
import type { Hours } from "./hours.ts";
import { unknownZoneOf, zoneOf, type SendPlan } from "./send-plan.ts";

const LONGEST_SPREAD = 366 * 24 * 3_600_000;

function readSpread(text: string): NonNullable<SendPlan["spread"]> {
  const ms = readDuration(text) ?? 0;
  if (ms > 0 && ms <= LONGEST_SPREAD) return { ms, text: text.trim() };
  throw new CommandError("usage", `--spread must be a duration such as 24h or 3d, not '${text}'.`);
}

function readLocal(text: string, { zone, quiet }: Guards): NonNullable<SendPlan["local"]> {
  const [, hours, minutes] = /^\s*(\d\d?):(\d\d)\s*$/.exec(text) ?? [];
  if (!(Number(hours) < 24 && Number(minutes) < 60))
    throw new CommandError("usage", `--at-local must be a time of day such as 09:00, not '${text}'.`);
  const minute = Number(hours) * 60 + Number(minutes);
  return { minute, text: text.trim(), ...(zone !== undefined && { zone }), quiet };
}

/** Throws `CommandError` (usage) for flags that say two things. */
function requireOnePlan({ pauseOutside, spread, atLocal }: PlanValues, { window, quiet }: Guards): void {
  const usage = (message: string): CommandError => new CommandError("usage", message);
  if (pauseOutside && window === undefined && quiet.length === 0)
    throw usage("--pause-outside needs --window or --quiet-day, here or in the file.");
  if (atLocal !== undefined && spread !== undefined)
    throw usage("--at-local and --spread cannot be combined.");
  if (atLocal !== undefined && window !== undefined)
    throw usage("--at-local and a window, here or in the file, cannot be combined.");
  if (spread !== undefined && window !== undefined && !pauseOutside)
    throw usage("--spread with a window, here or in the file, needs --pause-outside.");
}

/** The plan that the flags ask for; undefined without any. Throws `CommandError` (usage). */
export function planOf(flags: PlanValues, guards: Guards): SendPlan | undefined {
  requireOnePlan(flags, guards);
  const { window, zone, quiet } = guards;
  const { pauseOutside, spread, atLocal } = flags;
  const hours: Hours = { ...(window && { window }), ...(zone !== undefined && { zone }), quiet };
  const plan = {
    ...(pauseOutside && atLocal === undefined ? { hours } : {}),
    ...(spread === undefined ? {} : { spread: readSpread(spread) }),
    ...(atLocal === undefined ? {} : { local: readLocal(atLocal, guards) }),
  };
  return Object.keys(plan).length === 0 ? undefined : plan;
}

/** Throws `CommandError` (rejected) for people whose time of day nobody knows. */
export function requireZones({ local }: SendPlan, people: readonly Person[]): void {
  if (!local || local.zone !== undefined) return;
  const without = people.filter((person) => zoneOf(person) === undefined).map(({ id }) => id);
  if (without.length > 0)
    throw new CommandError(
      "rejected",
      `--at-local cannot tell the time of ${namedIds(without, "person without a time zone in time_zone", "people without a time zone in time_zone")}.`,
      "--tz names one for them",
    );
}

const quietWords = (quiet: readonly string[]): string[] =>
  quiet.length > 0 ? [`not on ${quiet.join(", ")}`] : [];

/** Cells of an unknown zone that is shown. */
const ZONE_CELLS = 40;

/** Says of how many people the zone is unknown, who get it by that of --tz; a dry run names them. */
export function unknownZones(
  { local }: SendPlan,
  people: readonly Person[],
  { named }: { named: boolean },
): string | undefined {
  if (local?.zone === undefined) return undefined;
  const unknown = people.flatMap((person) => {
    const zone = unknownZoneOf(person);
    return zone === undefined ? [] : [`${person.id} (${truncate(cleanLine(zone), ZONE_CELLS)})`];
  });
  if (unknown.length === 0) return undefined;
  const is = unknown.length === 1 ? "is" : "are";
  const all = `${count(unknown.length, "person", "people")} with an unknown time_zone ${is} sent to by ${local.zone}`;
  return named ? `${all}: ${firstFew(unknown)}` : all;
}

/** A plan in words, for the question and for refusals: `09:00-18:00 Europe/Berlin, not on saturday, waits outside`. */
export function planWords({ hours, spread, local }: SendPlan): string {
  const words = [
    ...(spread ? [`spread over ${spread.text}`] : []),
    ...(hours
      ? [`${hours.window?.text ?? "any time"} ${hours.zone}`, ...quietWords(hours.quiet), "waits outside"]
      : []),
    ...(local
      ? [
          `at ${local.text} where each person is`,
          ...(local.zone === undefined ? [] : [`${local.zone} for those without a time zone`]),
          ...quietWords(local.quiet),
        ]
      : []),
  ];
  return words.join(", ");
}

/** The people of each zone, in the order of their moments; without a time of day where they are, all together. */
export function zoneGroups<P extends Pick<Person, "id" | "user" | "columns">>(
  { local }: SendPlan,
  people: readonly P[],
): { zone: string | undefined; people: P[] }[] {
  if (!local) return [{ zone: undefined, people: [...people] }];
  const groups = Map.groupBy(people, (person) => zoneOf(person) ?? local.zone);
  return Array.from(groups, ([zone, group]) => ({ zone, people: group }));
}

/** What the journal says of a run that began. */
interface BegunRun {
  begun?: { at: string; plan?: SendPlan };
  ended?: string;
}

export const isSamePlan = (one: SendPlan | undefined, other: SendPlan | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * WN-2: the plan of a run is that of the journal, which the flags may repeat. Throws `CommandError` (conflict) for another one while people are left: what
 * was said about when they get it stays true.
 */
export function keptPlan(
  id: string,
  asked: SendPlan | undefined,
  { begun, ended }: BegunRun,
  again: string,
): SendPlan | undefined {
  if (begun === undefined || asked === undefined) return asked ?? begun?.plan;
  if (ended !== undefined || isSamePlan(asked, begun.plan)) return asked;
  const plan = begun.plan ? `with another plan (${planWords(begun.plan)})` : "without a plan";
  throw new CommandError(
    "conflict",
    `Campaign ${id} was begun at ${begun.at} ${plan}, which stays.`,
    `${again} goes on with it`,
  );
}
