/** The plan of a campaign by messages: when each person may be sent to (specification/campaigns.md §12). */
import { CommandError } from "../../base/define-command.ts";
import type { PlanValues } from "../args/plan.ts";
import { namedIds } from "../../../text/words.ts";
import type { Guards } from "../file/guards.ts";
import { momentIn } from "../file/moment.ts";
import { closingAfter, openingFrom, type Hours } from "./hours.ts";

/** As the journal stores it. */
export interface SendPlan {
  /** Outside of them the run waits. */
  hours?: Hours;
}

/** From when until when somebody may be sent to. */
export interface Opening {
  from: number;
  until: number;
}

/** WN-1: the next opening from `now` on, the one rule that every send asks. Undefined if there is none. */
export function openingOf({ hours }: SendPlan, now: number): Opening | undefined {
  const from = openingFrom(hours, now);
  return from === undefined ? undefined : { from, until: closingAfter(hours, from) };
}

/** The plan that the flags ask for; undefined without any. Throws `CommandError` (usage). */
export function planOf(flags: PlanValues, { window, zone, quiet }: Guards): SendPlan | undefined {
  if (!flags.pauseOutside) return undefined;
  if (window === undefined && quiet.length === 0)
    throw new CommandError("usage", "--pause-outside needs --window or --quiet-day, here or in the file.");
  return { hours: { ...(window && { window }), ...(zone !== undefined && { zone }), quiet } };
}

/** `09:00-18:00 Europe/Berlin, not on saturday`. */
function hoursWords({ window, zone, quiet }: Hours): string {
  const days = quiet.length > 0 ? [`not on ${quiet.join(", ")}`] : [];
  return [`${window?.text ?? "any time"} ${zone}`, ...days].join(", ");
}

/** A plan in words, for the question and for refusals. */
export const planWords = ({ hours }: SendPlan): string =>
  hours ? `${hoursWords(hours)}, waits outside` : "at once";

/** Who gets it when, for a dry run. */
export function planLines(plan: SendPlan, people: readonly { id: string }[], now: number): string[] {
  const { from, until } = openingOf(plan, now) ?? {};
  if (from === undefined || people.length === 0) return [];
  const moment = (at: number): string => momentIn(new Date(at).toISOString(), plan.hours?.zone);
  const begins = from > now ? `from ${moment(from)}` : "from now";
  const ends = until === Infinity ? "" : ` until ${moment(until!)}, then it waits`;
  return [
    `${namedIds(
      people.map(({ id }) => id),
      "person",
      "people",
    )}: ${begins}${ends}`,
  ];
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
