/** Makes or updates a campaign with its own segment at the provider, and starts it once (D13). */
import { isUnbegun, type Campaign, type CampaignInput } from "../../../wire/entities/campaign.ts";
import { wrongStatus, orUnknownOutcome, withConflicts } from "../../base/conflicts.ts";
import { CommandError, type Args, type CommandCall } from "../../base/define-command.ts";
import { idsOfTargets } from "../audience/people.ts";
import { changeTargetsOf, differenceOf, needTargets } from "../audience/sync.ts";
import type { JournalEntry } from "./journal.ts";
import { PlannedSteps } from "../../base/planned-steps.ts";
import { NOT_FOUND } from "../../../wire/errors.ts";

type Writing = Pick<CommandCall<Args>, "core" | "signal" | "progress" | "dry">;

/** Told before and after each step; absent in a dry run. */
type Note = (entry: JournalEntry, safe?: boolean) => void;

interface Own {
  fields: CampaignInput & { id: string };
  /** Who gets it; undefined where the campaign names segments of channels itself. */
  people: readonly string[] | undefined;
  /** Nobody has a campaign of this id. */
  fresh?: boolean;
  chunk?: number;
  start: { scheduled_for?: string; stop_at?: string };
  note: Note;
}

const segmentFor = (campaign: string): string => `${campaign}-audience`;

/** What is there of that id; undefined for nothing. */
async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error: unknown) => {
    if ((error as { code?: unknown }).code === NOT_FOUND) return undefined;
    throw error;
  });
}

export const campaignNow = async (call: Pick<Writing, "core">, id: string): Promise<Campaign | undefined> =>
  (await orNothing(call.core.call("getCampaign", { path: { id }, query: { limit: 1 } })))?.campaign;

async function fillSegment(
  call: Writing,
  steps: PlannedSteps,
  own: Own & { people: readonly string[] },
): Promise<string> {
  const id = segmentFor(own.fields.id);
  const there = await orNothing(call.core.call("getSegment", { path: { id } }));
  if (!there)
    await steps.take(() =>
      call.core.call("createSegment", {
        body: { id, type: "user", name: `Audience of ${own.fields.id}`.slice(0, 128) },
      }),
    );
  const now = there ? await idsOfTargets(call, id) : [];
  const change = differenceOf(now, own.people);
  await changeTargetsOf(call, id, change, {
    steps,
    ...(own.chunk === undefined ? {} : { chunk: own.chunk }),
    done: (n, of, ids) => own.note({ kind: "chunk", n, of, count: ids.length }),
  });
  if (!call.dry) await needTargets(call, id, own.people);
  return id;
}

/** Only a campaign that this flow made, or that has not been sent, is changed. */
async function makeCampaign(
  call: Writing,
  steps: PlannedSteps,
  { fields, note, fresh = false }: Pick<Own, "fields" | "note" | "fresh">,
): Promise<void> {
  const { id, ...rest } = fields;
  const there = fresh ? undefined : await campaignNow(call, id);
  if (!there) {
    const made = await steps.take(() => call.core.call("createCampaign", { body: fields }));
    if (made) note({ kind: "created", created_at: made.campaign.created_at }, true);
    return;
  }
  const ours =
    there.segment_ids?.includes(segmentFor(id)) || there.segment_ids?.join() === fields.segment_ids?.join();
  const isOpen = there.status === "draft" || isUnbegun(there);
  if (!ours || !isOpen)
    throw new CommandError(
      "conflict",
      `Campaign ${id} is there already and is ${there.status}.`,
      isOpen ? "Choose another id in the file." : `parley campaign watch ${id}`,
    );
  await steps.take(() =>
    withConflicts(call.core.call("updateCampaign", { path: { id }, body: rest }), {
      status: wrongStatus(id),
    }),
  );
}

/** One start, noted before it is sent; what is refused has not happened. */
async function startOnce(
  call: Writing,
  id: string,
  { start, note }: Pick<Own, "start" | "note">,
): Promise<Campaign> {
  note(
    {
      kind: "starting",
      ...(start.scheduled_for === undefined ? {} : { scheduled_for: start.scheduled_for }),
    },
    true,
  );
  const asked = call.core.call("startCampaign", { path: { id }, body: start });
  try {
    const { campaign } = await orUnknownOutcome(
      withConflicts(asked, { status: wrongStatus(id) }),
      `parley campaign get ${id}`,
    );
    note({ kind: "started" }, true);
    return campaign;
  } catch (error) {
    const { name, kind, status = 0 } = error as { name?: string; kind?: string; status?: number };
    const refused = (name === "CommandError" && kind === "conflict") || (name === "ApiError" && status < 500);
    if (refused || name === "Plan") note({ kind: "refused" }, true);
    throw error;
  }
}

/** Ends a dry run with its plans. */
export async function makeAndStart(call: Writing, own: Own): Promise<Campaign> {
  const steps = new PlannedSteps(call.dry);
  const { people } = own;
  const { user_ids: _ids, ...fields } = own.fields;
  const body =
    people === undefined
      ? own.fields
      : { ...fields, segment_ids: [await fillSegment(call, steps, { ...own, people })] };
  await makeCampaign(call, steps, { ...own, fields: body });
  const campaign = await steps.take(() => startOnce(call, own.fields.id, own));
  steps.end();
  return campaign!;
}
