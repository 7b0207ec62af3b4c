/** Checks a campaign file before anything is sent: lists all problems and determines the receivers. */
import type { User } from "../../../wire/entities/user.ts";
import { reasonOf } from "../../../wire/errors.ts";
import { SEGMENT_TARGETS_PER_CALL } from "../../../wire/constants.ts";
import { CommandError, type Args, type Call, type ArgValues } from "../../base/define-command.ts";
import { channelsFor } from "../audience/channels.ts";
import { fetchUsers } from "../audience/people.ts";
import { audienceSource } from "../audience/source.ts";
import { columnsOf, surveyOf, withoutColumns, type Exclusion, type Person } from "../audience/exclusions.ts";
import { targetsOf, type TargetList } from "../audience/targets.ts";
import { countProblem, readGuards, timeProblem, type Guards } from "../file/guards.ts";
import type { SendMode } from "../args/flow.ts";
import type { GUARD_ARGS } from "../args/guards.ts";
import { problemLine } from "../../base/files/parsed-file.ts";
import type { CampaignFile } from "../file/read.ts";
import { checkTemplate } from "./check-template.ts";
import { namedIds } from "../../../text/words.ts";
import { Findings, type Finding } from "./findings.ts";
import { standingOf, type Standing } from "../receipts/standing.ts";
import { readOptOuts } from "../receipts/campaign-folder.ts";

export type CheckCall = Pick<
  Call<Args>,
  "core" | "signal" | "progress" | "now" | "input" | "localFile" | "machine"
>;

interface CheckOptions {
  mode: SendMode;
  flags?: ArgValues<typeof GUARD_ARGS>;
  /** Planned start, in milliseconds. */
  at?: number;
  /** Messages per second in `--mode messages`. */
  rate?: number;
}

/** Counts of the audience; every record of the source is counted in exactly one of them. */
interface Numbers {
  /** Records of the source. */
  named: number;
  /** Whether people or channels get the message. */
  kind: TargetList["kind"];
  /** The number of channels; missing for people, and if the provider does not count them. */
  channels?: number;
  receivers: number;
  wrong: number;
  duplicates: number;
  unknown: number;
  deleted: number;
  deactivated: number;
  sender: number;
  opted_out: number;
  /** Nobody makes the channel that it would be sent in. */
  without_channel: number;
  received: number;
  /** A run is about to send it to them. */
  waiting: number;
  /** They may have received it: their messages are gone. */
  unproved: number;
}

export interface CampaignCheck {
  campaign: string;
  file: string;
  errors: number;
  warnings: number;
  findings: Finding[];
  audience: Numbers;
  /** Banned receivers; they still get the message. */
  banned: number;
  /** Estimated number of requests of a start, and their duration in seconds. */
  requests: number;
  seconds: number;
}

/** The full result of a check, for commands that start the campaign. */
export interface Inspection {
  checked: CampaignCheck;
  sender?: User;
  guards: Guards;
  /** Everybody in the source, without duplicates. */
  people: Person[];
  receivers: Person[];
  /** For channels, no people are known. */
  kind: TargetList["kind"];
  /** Missing for channels. */
  standing?: Standing;
}

const NO_TARGETS: TargetList = { kind: "user", targets: [], duplicates: [], invalid: [] };

/** Turns refusals of the provider and problems of files into findings. */
async function attempt<T>(
  findings: Findings,
  code: string,
  request: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    const { name, kind, status = 0, message } = error as Error & { kind?: string; status?: number };
    const isFinding =
      name === "CommandError" ? kind === "rejected" || kind === "notFound" : [400, 404].includes(status);
    if (!isFinding) throw error;
    findings.error(code, reasonOf(message).replace(/\.$/, ""));
    return undefined;
  }
}

async function findSender(call: CheckCall, id: string, findings: Findings): Promise<User | undefined> {
  const sender = (await fetchUsers({ ...call, progress: () => {} }, [id])).get(id);
  if (sender === undefined) findings.error("unknown_sender", `the sender ${id} is not there`);
  else if (sender.deleted_at) findings.error("gone_sender", `the sender ${id} is deleted`);
  else if (sender.deactivated_at) findings.error("gone_sender", `the sender ${id} is deactivated`);
  return sender;
}

/** Checks the channel type; returns its maximum message length. */
async function checkType(
  call: CheckCall,
  { fields }: CampaignFile,
  findings: Findings,
): Promise<number | undefined> {
  const name = fields.channel_template?.type ?? "messaging";
  const type = await attempt(findings, "unknown_channel_type", () =>
    call.core.call("getChannelType", { path: { name } }),
  );
  return type?.max_message_length;
}

/** With `--mode messages` each person gets it in the direct channel with the sender, which surprises whoever named another. */
function checkMode({ fields }: CampaignFile, { mode }: CheckOptions, findings: Findings): void {
  const unused = Object.keys(fields.channel_template ?? {}).filter((name) => name !== "type");
  if (mode === "messages" && unused.length > 0)
    findings.warning(
      "channel_template",
      `channel_template: ${unused.join(", ")} not used: --mode messages sends in the direct channel of sender and receiver`,
    );
}

const NO_CHANNEL = "no_channel";

/** Without `create_channels` people without a channel get nothing. */
async function checkChannels(
  call: CheckCall,
  { fields }: CampaignFile,
  sender: User | undefined,
  receivers: readonly Person[],
  findings: Findings,
): Promise<void> {
  if (fields.create_channels || sender === undefined || receivers.length === 0) return;
  const there = await channelsFor(call, fields, sender, receivers);
  const without = receivers.filter(({ id }) => !there.has(id)).map(({ id }) => id);
  const creates =
    fields.channel_template === undefined ? "a channel_template with create_channels" : "create_channels";
  if (without.length === receivers.length)
    findings.error(
      NO_CHANNEL,
      `no receiver has the channel it would be sent in: ${creates} makes them`,
      without,
    );
  else if (without.length > 0)
    findings.warning(
      NO_CHANNEL,
      `${namedIds(without, "person has no channel and gets nothing", "people have no channel and get nothing")}`,
      without,
    );
}

/** People who become members of each new channel; the provider makes no campaign with one that it does not have. */
async function checkMembers(
  call: CheckCall,
  { fields }: CampaignFile,
  { mode }: CheckOptions,
  findings: Findings,
): Promise<void> {
  const { members = [], members_template: full = [] } = fields.channel_template ?? {};
  const ids = [...members, ...full.map((one) => (typeof one === "string" ? one : one.user_id))];
  if (mode === "messages" || ids.length === 0) return;
  const users = await fetchUsers({ ...call, progress: () => {} }, ids);
  const unknown = ids.filter((id) => !users.has(id));
  if (unknown.length > 0)
    findings.error(
      "unknown_member",
      `channel_template: ${namedIds(unknown, "member is unknown", "members are unknown")}`,
      unknown,
    );
}

async function checkPoll(call: CheckCall, { fields }: CampaignFile, findings: Findings): Promise<void> {
  const id = fields.message_template?.poll_id;
  if (id === undefined) return;
  const reply = await attempt(findings, "unknown_poll", () =>
    call.core.call("getPoll", { path: { poll_id: id }, query: {} }),
  );
  if (reply?.poll.is_closed) findings.error("closed_poll", `the poll ${id} is closed`);
}

/** Reason for leaving somebody out → level and texts of the finding. */
const LEFT_OUT_TEXTS: Readonly<
  Record<Exclusion, readonly [level: "error" | "warning", one: string, many: string]>
> = {
  unknown: ["error", "unknown person", "unknown people"],
  deleted: ["warning", "deleted person is left out", "deleted people are left out"],
  deactivated: ["warning", "deactivated person is left out", "deactivated people are left out"],
  sender: ["warning", "sender is left out", "senders are left out"],
  opted_out: ["warning", "person opted out and is left out", "people opted out and are left out"],
  received: ["warning", "person has received it and is left out", "people have received it and are left out"],
  waiting: [
    "warning",
    "person is about to receive it and is left out",
    "people are about to receive it and are left out",
  ],
  unproved: [
    "warning",
    "person may have received it and is left out",
    "people may have received it and are left out",
  ],
};

function reportAudience(listed: TargetList, people: readonly Person[], findings: Findings): void {
  for (const { reason } of listed.invalid) findings.error("wrong_record", reason);
  for (const [kind, [level, one, many]] of Object.entries(LEFT_OUT_TEXTS)) {
    const ids = people.filter(({ exclusion }) => exclusion === kind).map(({ id }) => id);
    if (ids.length > 0) findings[level](`${kind}_user`, namedIds(ids, one, many), ids);
  }
  const { duplicates } = listed;
  if (duplicates.length > 0)
    findings.warning(
      "duplicate",
      namedIds(duplicates, "duplicate receives it once", "duplicates receive it once"),
      duplicates,
    );
}

function numbersOf(listed: TargetList, people: readonly Person[], { all }: Findings): Numbers {
  const without = all.find(({ code }) => code === NO_CHANNEL)?.ids?.length ?? 0;
  const countOf = (exclusion: Exclusion): number =>
    people.filter((person) => person.exclusion === exclusion).length;
  return {
    named: listed.targets.length + listed.duplicates.length + listed.invalid.length,
    receivers: people.filter((person) => person.exclusion === undefined).length - without,
    wrong: listed.invalid.length,
    duplicates: listed.duplicates.length,
    unknown: countOf("unknown"),
    deleted: countOf("deleted"),
    deactivated: countOf("deactivated"),
    sender: countOf("sender"),
    opted_out: countOf("opted_out"),
    without_channel: without,
    received: countOf("received"),
    waiting: countOf("waiting"),
    unproved: countOf("unproved"),
    kind: listed.kind,
    ...(listed.channels === undefined ? {} : { channels: listed.channels }),
  };
}

/** Assumed requests per second. */
const REQUESTS_PER_SECOND = 50;

function estimateCost(
  receivers: number,
  { mode, rate = 10 }: CheckOptions,
): { requests: number; seconds: number } {
  // One request for the channel and one for the message.
  if (mode === "messages") return { requests: receivers * 2, seconds: Math.ceil(receivers / rate) };
  const chunks = Math.ceil(receivers / SEGMENT_TARGETS_PER_CALL);
  // Segment, targets, their count, campaign, its state, and start.
  const requests = 5 + 2 * chunks;
  return { requests, seconds: Math.ceil(requests / REQUESTS_PER_SECOND) };
}

/** Reads the audience and finds out who gets the message. */
async function readAudience(
  call: CheckCall,
  file: CampaignFile,
  sender: User | undefined,
  mode: SendMode,
  findings: Findings,
): Promise<{ listed: TargetList; people: Person[]; standing?: Standing }> {
  const all =
    (await attempt(findings, "audience", () => targetsOf(call, audienceSource(file)))) ?? NO_TARGETS;
  const { only } = file;
  const listed = only ? { ...all, targets: all.targets.filter(({ id }) => only.has(id)) } : all;
  if (listed.kind === "channel") return { listed, people: [] };
  const ids = listed.targets.map(({ id }) => id);
  const { fields } = file;
  const standing = await standingOf(call, { id: fields.id!, mode, sender, people: ids, fields });
  if (standing.conflict) findings.error("begun", standing.conflict.message.replace(/\.$/, ""));
  const people = await surveyOf(call, listed, {
    sender: file.fields.sender_id,
    optedOut: new Set(readOptOuts(call.machine).map(({ id }) => id)),
    ...standing,
  });
  reportAudience(listed, people, findings);
  return { listed, people, standing };
}

function checkGuards(
  file: CampaignFile,
  count: number | undefined,
  options: CheckOptions,
  findings: Findings,
): Guards {
  try {
    const guards = readGuards(file.guards, options.flags);
    const countFault = countProblem(guards, count);
    if (countFault !== undefined) findings.error("guard", countFault);
    const timeFault = options.at === undefined ? undefined : timeProblem(guards, options.at);
    if (timeFault !== undefined) findings.warning("window", timeFault);
    return guards;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    findings.error("guard", error.message.replace(/\.$/, ""));
    return { quiet: [] };
  }
}

/** Runs all checks. If the file itself has problems, only those are reported. */
export async function inspect(
  call: CheckCall,
  file: CampaignFile,
  options: CheckOptions,
): Promise<Inspection> {
  const findings = new Findings();
  for (const problem of file.problems) findings.error("file", problemLine(file, problem));
  if (file.problems.length > 0)
    return inspectionOf(file, findings, { listed: NO_TARGETS, people: [] }, { quiet: [] }, options);
  const sender = await findSender(call, file.fields.sender_id, findings);
  const maxLength = await checkType(call, file, findings);
  await checkPoll(call, file, findings);
  await checkMembers(call, file, options, findings);
  checkMode(file, options, findings);
  const { listed, people, standing } = await readAudience(call, file, sender, options.mode, findings);
  const receivers = people.filter(({ exclusion }) => exclusion === undefined);
  if (listed.kind === "user") {
    const { fields } = file;
    const fillsColumns = options.mode === "messages";
    const visible = fillsColumns
      ? (all: Person[]): Person[] => all
      : (all: Person[]): Person[] => all.map(withoutColumns);
    checkTemplate(
      {
        fields,
        sender,
        people: visible(receivers),
        everybody: visible(people),
        maxLength,
        ...(fillsColumns ? {} : { unfilled: columnsOf(people) }),
      },
      findings,
    );
    if (!fillsColumns) await checkChannels(call, file, sender, receivers, findings);
    if (receivers.length === 0 && sentTo(people) === 0) findings.error("nobody", "nobody would receive it");
  }
  // Guards of a resumed run apply to the whole audience, not only to the remaining receivers.
  const size = listed.kind === "channel" ? listed.channels : receivers.length + sentTo(people);
  if (listed.channels === 0) findings.error("nobody", "no channel would receive it");
  const guards = checkGuards(file, size, options, findings);
  return {
    ...inspectionOf(file, findings, { listed, people }, guards, options),
    ...(sender && { sender }),
    ...(standing && { standing }),
  };
}

/** How many people runs have sent it to, or are about to. */
const sentTo = (people: readonly Person[]): number =>
  people.filter(({ exclusion }) => ["received", "waiting", "unproved"].includes(exclusion ?? "")).length;

function inspectionOf(
  file: CampaignFile,
  findings: Findings,
  { listed, people }: { listed: TargetList; people: Person[] },
  guards: Guards,
  options: CheckOptions,
): Inspection {
  const receivers = people.filter(({ exclusion }) => exclusion === undefined);
  const banned = receivers.filter(({ user }) => user?.banned).map(({ id }) => id);
  if (banned.length > 0)
    findings.warning("banned_user", namedIds(banned, "receiver is banned", "receivers are banned"), banned);
  const checked: CampaignCheck = {
    campaign: file.fields.id ?? "",
    file: file.name,
    errors: findings.errors,
    warnings: findings.all.length - findings.errors,
    findings: findings.all,
    audience: numbersOf(listed, people, findings),
    banned: banned.length,
    ...estimateCost(receivers.length, options),
  };
  return { checked, guards, people, receivers, kind: listed.kind };
}
