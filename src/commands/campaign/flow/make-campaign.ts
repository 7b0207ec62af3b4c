/** Creates or updates a campaign and its segment at the provider, and starts it once (D13). */
import type { Campaign } from "../../../wire/entities/campaign.ts";
import type { CampaignInput } from "../../../wire/bodies/campaigns.ts";
import { wrongStatus, orUnknownOutcome, unlessTaken, withConflicts } from "../../base/conflicts.ts";
import { CommandError, type Args, type Call } from "../../base/define-command.ts";
import { idsOfTargets } from "../audience/people.ts";
import { changeTargetsOf, differenceOf, verifyTargets } from "../audience/sync.ts";
import { campaignNow, isOpen, segmentFor } from "../receipts/family.ts";
import type { JournalEntry } from "../receipts/journal.ts";
import { PlannedSteps } from "../../base/planned-steps.ts";
import { isNotFound } from "../../../wire/errors.ts";

type CampaignCall = Pick<Call<Args>, "core" | "signal" | "progress" | "dry">;

/** Writes to the journal before and after each step; `safe` forces it to disk. */
type WriteJournal = (entry: JournalEntry, safe?: boolean) => void;

interface CampaignStart {
  fields: CampaignInput & { id: string };
  /** Receivers; undefined when the campaign uses segments of channels. */
  people: readonly string[] | undefined;
  /** The id is known to be unused. */
  isNewId?: boolean;
  chunk?: number;
  start: { scheduled_for?: string; stop_at?: string };
  writeJournal: WriteJournal;
}

/** Undefined when the provider answers not found. */
async function orUndefined<T>(request: Promise<T>): Promise<T | undefined> {
  return request.catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

async function fillSegment(
  call: CampaignCall,
  steps: PlannedSteps,
  start: CampaignStart & { people: readonly string[] },
): Promise<string> {
  const id = segmentFor(start.fields.id);
  const existing = await orUndefined(call.core.call("getSegment", { path: { id } }));
  if (!existing)
    await steps.take(() =>
      call.core.call("createSegment", {
        body: { id, type: "user", name: `Audience of ${start.fields.id}`.slice(0, 128) },
      }),
    );
  const now = existing ? await idsOfTargets(call, id) : [];
  const change = differenceOf(now, start.people);
  await changeTargetsOf(call, id, change, {
    steps,
    ...(start.chunk === undefined ? {} : { chunk: start.chunk }),
    done: (n, of, ids) => start.writeJournal({ kind: "chunk", n, of, count: ids.length }),
  });
  if (!call.dry) await verifyTargets(call, id, start.people);
  return id;
}

/** Creates the campaign, or updates it if it was made for this file and has not been sent. */
async function makeCampaign(
  call: CampaignCall,
  steps: PlannedSteps,
  { fields, writeJournal, isNewId = false }: Pick<CampaignStart, "fields" | "writeJournal" | "isNewId">,
): Promise<void> {
  const { id, ...rest } = fields;
  const existing = isNewId ? undefined : await campaignNow(call, id);
  if (!existing) {
    const created = await steps.take(() =>
      unlessTaken(call.core.call("createCampaign", { body: fields }), () => campaignNow(call, id), {
        message: `Campaign ${id} was just made by another run.`,
        hint: `parley campaign watch ${id}`,
      }),
    );
    if (created) writeJournal({ kind: "created", created_at: created.campaign.created_at }, true);
    return;
  }
  const isOurs =
    existing.segment_ids?.includes(segmentFor(id)) ||
    existing.segment_ids?.join() === fields.segment_ids?.join();
  const canChange = isOpen(existing);
  if (!isOurs || !canChange)
    throw new CommandError(
      "conflict",
      `Campaign ${id} is there already and is ${existing.status}.`,
      canChange ? "Choose another id in the file." : `parley campaign watch ${id}`,
    );
  await steps.take(() =>
    withConflicts(call.core.call("updateCampaign", { path: { id }, body: rest }), {
      status: wrongStatus(id),
    }),
  );
}

/** Starts the campaign once; the journal has an entry before the request, and one if it is refused. */
async function startOnce(
  call: CampaignCall,
  id: string,
  { start, writeJournal }: Pick<CampaignStart, "start" | "writeJournal">,
): Promise<Campaign> {
  writeJournal(
    {
      kind: "starting",
      ...(start.scheduled_for === undefined ? {} : { scheduled_for: start.scheduled_for }),
    },
    true,
  );
  const request = call.core.call("startCampaign", { path: { id }, body: start });
  try {
    const { campaign } = await orUnknownOutcome(
      withConflicts(request, { status: wrongStatus(id) }),
      `parley campaign get ${id}`,
    );
    writeJournal({ kind: "started" }, true);
    return campaign;
  } catch (error) {
    const { name, kind, status = 0 } = error as { name?: string; kind?: string; status?: number };
    const refused = (name === "CommandError" && kind === "conflict") || (name === "ApiError" && status < 500);
    if (refused || name === "Plan") writeJournal({ kind: "refused" }, true);
    throw error;
  }
}

/** Fills the segment, creates the campaign and starts it; a dry run ends with its plan. */
export async function makeAndStart(call: CampaignCall, start: CampaignStart): Promise<Campaign> {
  const steps = new PlannedSteps(call.dry);
  const { people } = start;
  const { user_ids: _ids, ...fields } = start.fields;
  const body =
    people === undefined
      ? start.fields
      : { ...fields, segment_ids: [await fillSegment(call, steps, { ...start, people })] };
  await makeCampaign(call, steps, { ...start, fields: body });
  const campaign = await steps.take(() => startOnce(call, start.fields.id, start));
  steps.end();
  return campaign!;
}
