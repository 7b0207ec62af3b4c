/** The runs of one campaign: itself and its follow-ups, `spring-r2`, `spring-r3` … (specification/campaigns.md §11). */
import { isUnbegun, type Campaign } from "../../../wire/entities/campaign.ts";
import { isNotFound } from "../../../wire/errors.ts";
import type { Args, Call, Machine } from "../../base/define-command.ts";
import { journalIds } from "./campaign-folder.ts";
import { readProgress } from "./journal.ts";
import { markOf, ROOT_MARK } from "./marks.ts";

type FamilyCall = Pick<Call<Args>, "core"> & { machine?: Pick<Machine, "folder"> };

export interface Family {
  /** The campaign that the others continue; it may be deleted. */
  root: string;
  /** At the provider, in the order of their numbers. */
  runs: Campaign[];
  /** Ids of runs that this machine has started, and that are not at the provider any more. */
  deleted: string[];
}

const FOLLOW_UP = /^(.+)-r(\d+)$/s;
const baseOf = (id: string): string => FOLLOW_UP.exec(id)?.[1] ?? id;
const numberOf = (id: string): number => Number(FOLLOW_UP.exec(id)?.[2] ?? 1);

/** Whether an id could be of a follow-up of this campaign. */
export const isNamedAfter = (id: string, root: string): boolean =>
  baseOf(id) === baseOf(root) && numberOf(id) > numberOf(root);

/** The id of the segment that this program makes for a campaign. */
export const segmentFor = (campaign: string): string => `${campaign}-audience`;

/** The campaign at the provider; undefined when there is none. */
export async function campaignNow({ core }: Pick<FamilyCall, "core">, id: string) {
  try {
    return (await core.call("getCampaign", { path: { id }, query: { limit: 1 } })).campaign;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether a campaign is not sent, and was never started. */
export const isOpen = (campaign: Campaign): boolean => campaign.status === "draft" || isUnbegun(campaign);

/** WH-1: a follow-up that an earlier version made without a mark: sender, text and segment tell. */
const isCopyOf = (campaign: Campaign, other: Campaign | undefined): boolean =>
  other !== undefined &&
  campaign.sender_id === other.sender_id &&
  campaign.message_template.text === other.message_template.text &&
  campaign.segment_ids.join() === segmentFor(campaign.id);

/** The campaign that this one continues, by its mark, else its journal, else its likeness. */
async function parentOf(call: FamilyCall, id: string, campaign?: Campaign): Promise<string | undefined> {
  const base = baseOf(id);
  if (base === id) return undefined;
  const isEarlier = (other: string): boolean => baseOf(other) === base && numberOf(other) < numberOf(id);
  const mark = markOf(campaign?.message_template.custom, ROOT_MARK);
  if (mark !== undefined) return isEarlier(mark) ? mark : undefined;
  const { begun } = readProgress(call.machine, id);
  const parent = begun?.of ?? /^what was left of (.+)$/s.exec(begun?.file ?? "")?.[1];
  if (parent !== undefined && isEarlier(parent)) return parent;
  if (begun !== undefined || campaign === undefined) return undefined;
  return isCopyOf(campaign, await campaignNow(call, base)) ? base : undefined;
}

async function rootOf(call: FamilyCall, id: string, campaign?: Campaign): Promise<string> {
  const parent = await parentOf(call, id, campaign);
  return parent === undefined ? id : rootOf(call, parent, await campaignNow(call, parent));
}

/** How many numbers are asked for at once; few campaigns have more follow-ups. */
const PART = 10;

/** All campaigns whose id is the base or the base with a number; the numbers are asked for in parts until a part is unused. */
async function namedAfter({ core }: FamilyCall, base: string): Promise<Campaign[]> {
  const found: Campaign[] = [];
  for (let first = 1; ; first += PART) {
    const ids = Array.from({ length: PART }, (_, i) => (first + i === 1 ? base : `${base}-r${first + i}`));
    const { campaigns } = await core.call("queryCampaigns", {
      body: { filter: { id: { $in: ids } }, limit: PART, user_limit: 1 },
    });
    // A provider may answer with others than it was asked for.
    const asked = new Set(ids);
    const named = campaigns.filter(({ id }) => asked.delete(id));
    found.push(...named);
    if (!named.some(({ id }) => id !== base)) return found;
  }
}

/** The family of a campaign, which may itself be deleted; `known` is it as the provider has just answered. */
export async function familyOf(call: FamilyCall, id: string, known?: Campaign): Promise<Family> {
  const others = await namedAfter(call, baseOf(id));
  const named = known ? [...others.filter((one) => one.id !== id), known] : others;
  named.sort((a, b) => numberOf(a.id) - numberOf(b.id));
  const byId = new Map(named.map((one) => [one.id, one]));
  const root = await rootOf(call, id, byId.get(id));
  const isRun = async (name: string): Promise<boolean> =>
    name === root || (await rootOf(call, name, byId.get(name))) === root;
  const family: Family = { root, runs: [], deleted: [] };
  for (const one of named) if (await isRun(one.id)) family.runs.push(one);
  for (const name of journaled(call, baseOf(id)))
    if (!byId.has(name) && readProgress(call.machine, name).starting !== undefined && (await isRun(name)))
      family.deleted.push(name);
  return family;
}

/** The campaigns named so that have a journal on this machine. */
const journaled = ({ machine }: FamilyCall, base: string): string[] =>
  journalIds(machine).filter((id) => baseOf(id) === base);

/** The next free id of a family; `used` are ids of messages. */
export async function nextIdOf(
  call: FamilyCall,
  { root }: Pick<Family, "root">,
  used: ReadonlySet<string>,
): Promise<string> {
  const base = baseOf(root);
  const taken = new Set([
    ...(await namedAfter(call, base)).map(({ id }) => id),
    ...journaled(call, base),
    ...used,
  ]);
  for (let n = numberOf(root) + 1; ; n++) if (!taken.has(`${base}-r${n}`)) return `${base}-r${n}`;
}
