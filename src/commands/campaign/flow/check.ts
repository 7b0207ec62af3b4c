/** Checks everything a campaign needs before anything is sent: one list of problems, and who would get it. */
import type { User } from "../../../wire/entities/user.ts";
import { isUnbegun } from "../../../wire/entities/campaign.ts";
import { reasonOf } from "../../../wire/errors.ts";
import { SEGMENT_TARGETS_PER_CALL } from "../../../wire/constants.ts";
import { CommandError, type Args, type CommandCall, type ArgValues } from "../../base/define-command.ts";
import { fetchUsers } from "../audience/people.ts";
import { audienceSource } from "../audience/source.ts";
import { columnsOf, surveyOf, withoutColumns, type LeftOut, type Person } from "../audience/survey.ts";
import { targetsOf, type TargetList } from "../audience/targets.ts";
import { countProblem, readGuards, timeProblem, type Guards } from "../file/guards.ts";
import type { GUARD_ARGS } from "../args/guards.ts";
import { problemLine } from "../../base/files/parsed-file.ts";
import type { CampaignFile } from "../file/read.ts";
import { checkTemplate } from "./check-template.ts";
import { Findings, namedIds, type Finding } from "./findings.ts";
import { readReceived } from "./journal.ts";
import { campaignNow } from "./own-campaign.ts";
import { readOptOuts } from "./campaign-folder.ts";

export type Checking = Pick<
  CommandCall<Args>,
  "core" | "signal" | "progress" | "now" | "input" | "localFile" | "machine"
>;

interface CheckOptions {
  mode?: "campaign" | "messages";
  flags?: ArgValues<typeof GUARD_ARGS>;
  /** When it is to start; milliseconds. */
  at?: number;
  /** Messages a second of `--mode messages`. */
  rate?: number;
}

/** How many of the audience are what; every record and id of the source is counted in exactly one of them. */
interface Numbers {
  /** Records and ids that the source holds. */
  named: number;
  /** Who gets it. */
  receivers: number;
  wrong: number;
  duplicates: number;
  unknown: number;
  deleted: number;
  deactivated: number;
  sender: number;
  opted_out: number;
  received: number;
}

export interface Checked {
  campaign: string;
  file: string;
  errors: number;
  warnings: number;
  findings: Finding[];
  audience: Numbers;
  /** Of receivers: they get it all the same. */
  banned: number;
  /** Requests that the start makes, and how long they take; seconds. */
  requests: number;
  seconds: number;
}

/** All of it, for the commands that go on with it. */
export interface Inspection {
  checked: Checked;
  sender?: User;
  guards: Guards;
  /** Everybody the source names, once. */
  people: Person[];
  receivers: Person[];
  /** Of channels nobody is known. */
  kind: TargetList["kind"];
}

const NOBODY: TargetList = { kind: "user", targets: [], duplicates: [], wrong: [] };

/** Whatever one part throws, because the provider or a file says no, is one more thing that is wrong. */
async function attempt<T>(found: Findings, code: string, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    const { name, kind, status = 0, message } = error as Error & { kind?: string; status?: number };
    const said =
      name === "CommandError" ? kind === "rejected" || kind === "notFound" : [400, 404].includes(status);
    if (!said) throw error;
    found.error(code, reasonOf(message).replace(/\.$/, ""));
    return undefined;
  }
}

async function findSender(call: Checking, id: string, found: Findings): Promise<User | undefined> {
  const sender = (await fetchUsers({ ...call, progress: () => {} }, [id])).get(id);
  if (sender === undefined) found.error("unknown_sender", `the sender ${id} is not there`);
  else if (sender.deleted_at) found.error("gone_sender", `the sender ${id} is deleted`);
  else if (sender.deactivated_at) found.error("gone_sender", `the sender ${id} is deactivated`);
  return sender;
}

/** Characters a message of the channel type may have. */
async function checkType(
  call: Checking,
  { fields }: CampaignFile,
  found: Findings,
): Promise<number | undefined> {
  const name = fields.channel_template?.type ?? "messaging";
  const type = await attempt(found, "unknown_channel_type", () =>
    call.core.call("getChannelType", { path: { name } }),
  );
  return type?.max_message_length;
}

async function checkPoll(call: Checking, { fields }: CampaignFile, found: Findings): Promise<void> {
  const id = fields.message_template?.poll_id;
  if (id === undefined) return;
  const reply = await attempt(found, "unknown_poll", () =>
    call.core.call("getPoll", { path: { poll_id: id }, query: {} }),
  );
  if (reply?.poll.is_closed) found.error("closed_poll", `the poll ${id} is closed`);
}

/** Why → how it is told, and whether it stops the campaign. */
const LEFT: Readonly<Record<LeftOut, readonly [level: "error" | "warning", one: string, many: string]>> = {
  unknown: ["error", "unknown person", "unknown people"],
  deleted: ["warning", "deleted person is left out", "deleted people are left out"],
  deactivated: ["warning", "deactivated person is left out", "deactivated people are left out"],
  sender: ["warning", "sender is left out", "senders are left out"],
  opted_out: ["warning", "person opted out and is left out", "people opted out and are left out"],
  received: ["warning", "person has it already and is left out", "people have it already and are left out"],
};

function reportAudience(listed: TargetList, people: readonly Person[], found: Findings): void {
  for (const { why } of listed.wrong) found.error("wrong_record", why);
  for (const [why, [level, one, many]] of Object.entries(LEFT)) {
    const ids = people.filter(({ left }) => left === why).map(({ id }) => id);
    if (ids.length > 0) found[level](`${why}_user`, namedIds(ids, one, many), ids);
  }
  const { duplicates } = listed;
  if (duplicates.length > 0)
    found.warning(
      "duplicate",
      namedIds(duplicates, "duplicate gets it once", "duplicates get it once"),
      duplicates,
    );
}

function numbersOf(listed: TargetList, people: readonly Person[]): Numbers {
  const left = (why: LeftOut): number => people.filter((person) => person.left === why).length;
  return {
    named: listed.targets.length + listed.duplicates.length + listed.wrong.length,
    receivers: people.filter((person) => person.left === undefined).length,
    wrong: listed.wrong.length,
    duplicates: listed.duplicates.length,
    unknown: left("unknown"),
    deleted: left("deleted"),
    deactivated: left("deactivated"),
    sender: left("sender"),
    opted_out: left("opted_out"),
    received: left("received"),
  };
}

/** Who has the messages of the campaign by the journal of this provider; nobody where its schedule was taken back. */
async function receivedBy(
  call: Checking,
  id: string,
  sender: User | undefined,
): Promise<ReadonlySet<string>> {
  const { begun, received, started } = readReceived(call.machine, id);
  if (begun?.sender_since !== sender?.created_at) return new Set();
  if (started === undefined) return received;
  const campaign = await campaignNow(call, id);
  return new Set(campaign && isUnbegun(campaign) ? [] : begun?.audience);
}

/** As many requests a second are made one after the other, where nothing else is known. */
const A_SECOND = 50;

function costOf(receivers: number, { mode, rate = 10 }: CheckOptions): { requests: number; seconds: number } {
  // A message has its channel, and the journal its beginning and end.
  if (mode === "messages") return { requests: receivers * 2, seconds: Math.ceil(receivers / rate) };
  const chunks = Math.ceil(receivers / SEGMENT_TARGETS_PER_CALL);
  // The segment, its targets, their count, the campaign, a look at it, and the start.
  const requests = 5 + 2 * chunks;
  return { requests, seconds: Math.ceil(requests / A_SECOND) };
}

/** Who is there is asked only where the file says whom. */
async function lookAtAudience(
  call: Checking,
  file: CampaignFile,
  sender: User | undefined,
  found: Findings,
): Promise<{ listed: TargetList; people: Person[] }> {
  const listed = (await attempt(found, "audience", () => targetsOf(call, audienceSource(file)))) ?? NOBODY;
  if (listed.kind === "channel") return { listed, people: [] };
  const people = await surveyOf(call, listed, {
    sender: file.fields.sender_id,
    optedOut: new Set(readOptOuts(call.machine).map(({ id }) => id)),
    received: await receivedBy(call, file.fields.id!, sender),
  });
  reportAudience(listed, people, found);
  return { listed, people };
}

function checkGuards(file: CampaignFile, count: number, how: CheckOptions, found: Findings): Guards {
  try {
    const guards = readGuards(file.guards, how.flags);
    const wrong = countProblem(guards, count);
    if (wrong !== undefined) found.error("guard", wrong);
    const off = how.at === undefined ? undefined : timeProblem(guards, how.at);
    if (off !== undefined) found.warning("window", off);
    return guards;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    found.error("guard", error.message.replace(/\.$/, ""));
    return { quiet: [] };
  }
}

/** Everything that can be known without sending anything. A file whose own faults hide the rest is looked at no further. */
export async function inspect(
  call: Checking,
  file: CampaignFile,
  how: CheckOptions = {},
): Promise<Inspection> {
  const found = new Findings();
  for (const problem of file.problems) found.error("file", problemLine(file, problem));
  if (file.problems.length > 0)
    return lookOf(file, found, { listed: NOBODY, people: [] }, { quiet: [] }, how);
  const sender = await findSender(call, file.fields.sender_id, found);
  const most = await checkType(call, file, found);
  await checkPoll(call, file, found);
  const { listed, people } = await lookAtAudience(call, file, sender, found);
  const receivers = people.filter(({ left }) => left === undefined);
  if (listed.kind === "user") {
    const { fields } = file;
    const own = how.mode === "messages";
    const seen = own
      ? (all: Person[]): Person[] => all
      : (all: Person[]): Person[] => all.map(withoutColumns);
    checkTemplate(
      {
        fields,
        sender,
        people: seen(receivers),
        everybody: seen(people),
        most,
        ...(own ? {} : { unfilled: columnsOf(people) }),
      },
      found,
    );
    const served = people.some(({ left }) => left === "received");
    if (receivers.length === 0 && !served) found.error("nobody", "nobody would get it");
  }
  // A run that goes on is held to the whole audience, not to what is left of it.
  const received = people.filter(({ left }) => left === "received").length;
  const guards = checkGuards(file, receivers.length + received, how, found);
  return { ...lookOf(file, found, { listed, people }, guards, how), ...(sender && { sender }) };
}

function lookOf(
  file: CampaignFile,
  found: Findings,
  { listed, people }: { listed: TargetList; people: Person[] },
  guards: Guards,
  how: CheckOptions,
): Inspection {
  const receivers = people.filter(({ left }) => left === undefined);
  const banned = receivers.filter(({ user }) => user?.banned).map(({ id }) => id);
  if (banned.length > 0)
    found.warning("banned_user", namedIds(banned, "receiver is banned", "receivers are banned"), banned);
  const checked: Checked = {
    campaign: file.fields.id ?? "",
    file: file.name,
    errors: found.errors,
    warnings: found.all.length - found.errors,
    findings: found.all,
    audience: numbersOf(listed, people),
    banned: banned.length,
    ...costOf(receivers.length, how),
  };
  return { checked, guards, people, receivers, kind: listed.kind };
}
