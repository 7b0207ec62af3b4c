/** Starts a campaign from its file: checks it, asks for confirmation, writes the journal, and sends once. */
import { createHash } from "node:crypto";
import { count } from "../../../text/words.ts";
import { isUnbegun, type Campaign } from "../../../wire/entities/campaign.ts";
import {
  CommandError,
  type Args,
  type Call,
  type Machine,
  type Question,
  type ArgValues,
} from "../../base/define-command.ts";
import { objectsFor, renderFor } from "../audience/render.ts";
import { audienceSource } from "../audience/source.ts";
import { withoutColumns, type Person } from "../audience/exclusions.ts";
import type { GUARD_ARGS } from "../args/guards.ts";
import type { PlanValues } from "../args/plan.ts";
import { isSamePlan, keptPlan, planOf, planWords, requireZones, unknownZones } from "../plan/read-plan.ts";
import type { SendPlan } from "../plan/send-plan.ts";
import { timeProblem } from "../file/guards.ts";
import { modeOf, type SendMode } from "../args/flow.ts";
import { momentIn } from "../file/moment.ts";
import { requireValidCampaign, readCampaignFile, type CampaignFile } from "../file/read.ts";
import { campaignNow } from "../receipts/family.ts";
import { inspect, type Inspection } from "./check.ts";
import { checkError } from "./check-view.ts";
import { Journal, readProgress, journalAuthor, type JournalEntry } from "../receipts/journal.ts";
import { withMarks } from "../receipts/marks.ts";
import { makeAndStart } from "./make-campaign.ts";

/** Commands for hints, with the flags that were used. */
export interface StartLines {
  /** The command itself. */
  again: string;
  check: string;
  /** Sends it at another time. */
  later: string;
  /** Starts the campaign by its id. */
  byId(id: string): string;
}

export interface StartOptions {
  mode: SendMode;
  lines: StartLines;
  flags: ArgValues<typeof GUARD_ARGS>;
  /** Start time; absent = now. */
  at?: { at: string; ms: number };
  stopAt?: string;
  skipWrong: boolean;
  chunk?: number;
  rate?: number;
  /** With `--mode messages`: when each person may be sent to. */
  plan?: PlanValues;
}

export type StartCall = Omit<Call<Args>, "args">;

function requireMachine({ machine }: Pick<StartCall, "machine">): Machine {
  if (machine) return machine;
  throw new CommandError("notAllowed", "A campaign file is started from a shell.");
}

/** What a start was checked for, with the plan of its messages. */
type PlannedInspection = Inspection & {
  plan?: SendPlan;
  /** The run with this plan that goes on: when it began and last sent, in milliseconds since the epoch, and for how many; absent for a new one. */
  run?: { since: number; all: number; last?: number };
};

/** Errors about single records, which --skip-wrong ignores. */
const RECORD_ERRORS = new Set(["wrong_record", "unknown_user"]);

function requireReady({ checked, standing }: Inspection, { skipWrong, lines }: StartOptions): void {
  if (standing?.conflict) throw standing.conflict;
  const remaining = checked.findings.filter(
    ({ level, code }) => level === "error" && !(skipWrong && RECORD_ERRORS.has(code)),
  );
  const fault = checkError({ ...checked, errors: remaining.length, findings: remaining });
  if (!fault) return;
  const onlyRecords = remaining.every(({ code }) => RECORD_ERRORS.has(code));
  const hint = onlyRecords ? "--skip-wrong leaves them out" : `${lines.check} lists all of them`;
  throw new CommandError(fault.kind, fault.message, hint);
}

function requireTime(
  file: CampaignFile,
  inspection: Inspection,
  at: number,
  { mode, lines }: StartOptions,
): void {
  const timeFault = timeProblem(inspection.guards, at);
  if (timeFault === undefined) return;
  throw new CommandError(
    "conflict",
    `Campaign ${file.fields.id} is not sent at this time: ${timeFault}.`,
    mode === "messages" ? `${lines.again} sends it later` : `${lines.later} sends it later`,
  );
}

/** The confirmation question with a summary of the campaign. */
function questionOf(
  call: StartCall,
  file: CampaignFile,
  inspection: PlannedInspection,
  options: StartOptions,
): Question {
  const { fields } = file;
  const { sender, receivers, checked, kind, plan } = inspection;
  const first = receivers[0];
  const shown = (person: Person): string =>
    renderFor(fields, objectsFor(sender, options.mode === "messages" ? person : withoutColumns(person))).text;
  const { channels, named, receivers: reached } = checked.audience;
  const leftOut = named - reached;
  const lines = [
    `campaign  ${fields.id}${fields.name && fields.name !== fields.id ? ` (${fields.name})` : ""}, profile ${call.machine!.profile}`,
    `sender    ${fields.sender_id}${sender?.name ? ` (${sender.name})` : ""}`,
    kind === "channel"
      ? `audience  ${channels === undefined ? "the channels" : count(channels, "channel")} of ${audienceSource(file).label}`
      : `audience  ${reached} of ${audienceSource(file).label}${leftOut ? `, ${leftOut} left out` : ""}`,
    `push      ${fields.skip_push ? "no" : "yes"}`,
    ...(plan ? [`when      ${planWords(plan)}`] : []),
    ...(first === undefined ? [] : [`message   to ${first.id}: ${shown(first)}`]),
    options.at === undefined
      ? plan
        ? "Send it so?"
        : "Send it now?"
      : `Send it at ${momentIn(options.at.at, inspection.guards.zone)}?`,
  ];
  return { level: "severe", question: lines.join("\n"), word: fields.id! };
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The campaign if an earlier run started it; undefined if none did, it was unscheduled, or the journal is of another provider. */
async function startedBefore(
  call: StartCall,
  id: string,
  progress: Journal["progress"],
  { byId }: StartLines,
): Promise<Campaign | undefined> {
  if (progress.starting === undefined || progress.begun?.mode === "messages") return undefined;
  const campaign = await campaignNow(call, id);
  if (campaign === undefined || (progress.created !== undefined && progress.created !== campaign.created_at))
    return undefined;
  if (isUnbegun(campaign)) return undefined;
  if (campaign.status === "scheduled" && progress.started !== undefined)
    throw new CommandError(
      "conflict",
      `Campaign ${id} is scheduled for ${campaign.scheduled_for} already.`,
      `parley campaign unschedule ${id} takes that back`,
    );
  if (progress.started !== undefined)
    throw new CommandError(
      "conflict",
      `Campaign ${id} was started at ${progress.started}.`,
      ["completed", "stopped"].includes(campaign.status)
        ? `parley campaign continue ${id} sends it to those who are left`
        : `parley campaign watch ${id}`,
    );
  if (campaign.status !== "draft") return campaign;
  throw new CommandError(
    "unknown",
    `A start of campaign ${id} was sent at ${progress.starting} and got no answer; the campaign is still a draft.`,
    `parley campaign get ${id}; when it stays a draft, ${byId(id)} sends it`,
  );
}

export function beginJournal(
  journal: Journal,
  file: CampaignFile,
  inspection: PlannedInspection,
  { mode, lines }: StartOptions,
  salt: string,
): void {
  const { begun } = journal.progress;
  const audience = inspection.receivers.map(({ id }) => id);
  const hash = hashOf(file.text);
  const since = inspection.sender?.created_at ?? "";
  const isSameProvider = inspection.standing?.isSameProvider ?? false;
  // People who got the message are no longer receivers: when resuming, the audience can only shrink.
  const same = begun?.hash === hash && begun.sender_since === since && begun.mode === mode;
  const before = new Set(begun?.audience);
  const { checked, guards, plan, run } = inspection;
  if (same && isSamePlan(plan, begun.plan) && audience.every((id) => before.has(id))) return;
  const exclusions: Record<string, string[]> = {};
  for (const { id, exclusion } of inspection.people) if (exclusion) (exclusions[exclusion] ??= []).push(id);
  const { wrong, duplicates } = checked.audience;
  journal.begin(
    {
      kind: "begun",
      mode,
      hash,
      file: file.name,
      by: journalAuthor(),
      sender: file.fields.sender_id,
      sender_since: since,
      audience,
      left: exclusions,
      counts: { wrong, duplicates },
      guards,
      ...(plan && { plan }),
      ...(run === undefined ? {} : { since: new Date(run.since).toISOString() }),
      ...(mode === "messages" ? { again: lines.again, salt } : {}),
    },
    isSameProvider,
  );
}

/** The plan that the flags ask for, or that of the journal of this provider, and since when it runs. */
function planFor(
  call: StartCall,
  { fields }: CampaignFile,
  { guards, standing }: Inspection,
  { plan: flags, lines }: StartOptions,
): Pick<PlannedInspection, "plan" | "run"> {
  const asked = flags && planOf(flags, guards);
  const journal = standing?.isSameProvider ? readProgress(call.machine, fields.id!) : {};
  const { begun, ended, last } = journal;
  const plan = keptPlan(fields.id!, asked, journal, begun?.again ?? lines.again);
  if (plan === undefined) return {};
  if (begun === undefined || ended !== undefined) return { plan };
  const sent = last === undefined ? {} : { last: Date.parse(last) };
  return { plan, run: { since: Date.parse(begun.since ?? begun.at), all: begun.audience.length, ...sent } };
}

/** Opens the journal; a dry run has none. */
export async function withJournal<T>(
  call: StartCall,
  id: string,
  use: (journal: Journal | undefined) => Promise<T>,
): Promise<T> {
  if (call.dry) return use(undefined);
  const journal = new Journal(requireMachine(call), id, call.now);
  try {
    return await use(journal);
  } finally {
    journal.close();
  }
}

/** Checks everything and asks for confirmation; throws `CommandError` if the campaign must not start. */
export async function checkAndConfirm(
  call: StartCall,
  file: CampaignFile,
  options: StartOptions,
): Promise<PlannedInspection> {
  const { mode, flags, rate } = options;
  const at = call.now() + (options.at?.ms ?? 0);
  const inspected = await inspect(call, file, { mode, flags, ...(rate === undefined ? {} : { rate }) });
  requireReady(inspected, options);
  const planned = mode === "messages" ? planFor(call, file, inspected, options) : {};
  const inspection = { ...inspected, ...planned };
  const { plan } = inspection;
  if (plan) checkZones(call, plan, inspection.receivers);
  if (!plan?.hours && !plan?.local) requireTime(file, inspection, at, options);
  const { receivers, kind } = inspection;
  if (kind !== "channel" && receivers.length === 0) {
    // Sending by message is repeated until nobody is left; there is nothing to ask then.
    if (mode === "messages") return inspection;
    throw nobodyLeft(file, inspection);
  }
  await requireMachine(call).ask(questionOf(call, file, inspection, options));
  return inspection;
}

/** Throws `CommandError` for people without a time of day; says of whom it is that of others. */
function checkZones({ dry, note }: StartCall, plan: SendPlan, people: readonly Person[]): void {
  requireZones(plan, people);
  const unknown = unknownZones(plan, people, { named: dry });
  if (unknown !== undefined) note?.(unknown);
}

function nobodyLeft({ name, fields }: CampaignFile, { checked }: Inspection): CommandError {
  const { unproved } = checked.audience;
  const message =
    unproved > 0
      ? `Campaign ${fields.id} was started before, and who has received it cannot be proved of ${count(unproved, "person", "people")}.`
      : `Everybody whom ${name} names has got campaign ${fields.id} already.`;
  return new CommandError("conflict", message, "Give it another id to send it once more.");
}

/** Reads a valid file, and throws early when nobody can confirm the start. `flag`: the mode of the command line; `of`: the id in the file. */
export async function fileToStart(
  call: StartCall,
  name: string,
  flag: string | undefined,
  idFor: (id: string) => string = (id) => id,
): Promise<{ file: CampaignFile; mode: SendMode; of: string }> {
  const read = requireValidCampaign(await readCampaignFile(call, name));
  const mode = modeOf(read, flag);
  const of = read.fields.id!;
  const word = idFor(of);
  const file = { ...read, fields: { ...read.fields, id: word } };
  requireMachine(call).requireAnswer({
    level: "severe",
    question: `Send campaign ${word} to everybody it names?`,
    word,
  });
  return { file, mode, of };
}

export async function startFile(
  call: StartCall,
  file: CampaignFile,
  options: StartOptions,
): Promise<Campaign> {
  const id = file.fields.id!;
  return withJournal(call, id, async (journal) => {
    const before = await startedBefore(
      call,
      id,
      journal?.progress ?? readProgress(call.machine, id),
      options.lines,
    );
    if (before) {
      journal?.write({ kind: "started" }, true);
      return before;
    }
    const inspection = await checkAndConfirm(call, file, options);
    if (journal) beginJournal(journal, file, inspection, options, call.random());
    const toChannels = inspection.kind === "channel";
    const fields = { ...file.fields, id };
    return makeAndStart(call, {
      fields: toChannels ? fields : withMarks(fields),
      people: toChannels ? undefined : inspection.receivers.map((one) => one.id),
      ...(options.chunk === undefined ? {} : { chunk: options.chunk }),
      start: {
        ...(options.at === undefined ? {} : { scheduled_for: options.at.at }),
        ...(options.stopAt === undefined ? {} : { stop_at: options.stopAt }),
      },
      writeJournal: (entry: JournalEntry, safe) => journal?.write(entry, safe),
    });
  });
}
