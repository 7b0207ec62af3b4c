/** The journal of a campaign on this machine: each step is recorded before it is taken, so that a killed run can resume. */
import { closeSync, copyFileSync, fsyncSync, writeSync } from "node:fs";
import { userInfo } from "node:os";
import { appendOwn, readOwn, replaceOwn } from "../../../model/files/own-files.ts";
import { acquireLock, isLocked } from "../../../model/files/lock-file.ts";
import { CommandError, type Machine } from "../../base/define-command.ts";
import type { SendPlan } from "../plan/send-plan.ts";
import { journalFile, makeFolder } from "./campaign-folder.ts";

export interface JournalStart {
  kind: "begun";
  mode: "campaign" | "messages";
  /** SHA-256 of the file. */
  hash: string;
  file: string;
  /** OS user. */
  by: string;
  sender: string;
  /** Creation time of the sender: differs at another provider, or after a reset. */
  sender_since: string;
  /** Receivers. */
  audience: string[];
  /** Reason → ids left out. */
  left: Record<string, string[]>;
  /** Invalid records and duplicates. */
  counts: { wrong: number; duplicates: number };
  guards: object;
  /** Of a follow-up: the campaign that it continues. */
  of?: string;
  /** The command that continues the run, with the flags that were used. */
  again?: string;
  /** When each person may be sent to; absent for a run that sends at once. */
  plan?: SendPlan;
  /** RFC 3339: when the run with this plan began, if an earlier line of it did. */
  since?: string;
  /** With `--mode messages`: makes the ids of its messages unpredictable; older journals have none. */
  salt?: string;
}

export type JournalEntry = { at?: string } & (
  | JournalStart
  | { kind: "chunk"; n: number; of: number; count: number }
  | { kind: "created"; created_at: string }
  | { kind: "starting"; scheduled_for?: string }
  | { kind: "started" }
  | { kind: "refused" }
  | { kind: "sent"; user: string; message: string; cid: string }
  | { kind: "failed"; user: string; reason: string }
  /** Not sent: the person was deactivated, or has opted out, since the run began. */
  | { kind: "left"; user: string; reason: string }
  /** The run waits until this time, RFC 3339. */
  | { kind: "waiting"; until: string }
  | { kind: "ended" }
);

/** The progress recorded in a journal. */
export interface JournalProgress {
  begun?: JournalStart & { at: string };
  created?: string;
  starting?: string;
  started?: string;
  ended?: string;
  /** Until when the run has said that it waits; a message that was on its way then is written after it. */
  waiting?: string;
  /** With a plan that spreads the messages: when the last one was sent, or refused. */
  last?: string;
}

/** The progress, with the results of each person. */
export interface JournalState extends JournalProgress {
  /** The last result of each person. */
  sent: Map<string, { message: string; cid: string; at: string }>;
  failed: Map<string, { reason: string; at: string }>;
  left: Map<string, { reason: string; at: string }>;
}

/** Undefined for an incomplete line of a killed run. */
function parseEntry(line: string): (JournalEntry & { at: string }) | undefined {
  try {
    return line === "" ? undefined : (JSON.parse(line) as JournalEntry & { at: string });
  } catch {
    return undefined;
  }
}

/** Whether the run that spreads its messages has sent this one: a journal that was begun again keeps what was sent before. */
function isOfSpread({ begun }: JournalProgress, { at }: { at: string }): boolean {
  return begun?.plan?.spread !== undefined && at >= (begun.since ?? begun.at);
}

function progressAfter(progress: JournalProgress, entry: JournalEntry & { at: string }): JournalProgress {
  switch (entry.kind) {
    case "begun":
      return { begun: entry };
    case "created":
      return { ...progress, created: entry.created_at };
    case "chunk":
    case "left":
      return progress;
    case "sent":
    case "failed":
      return isOfSpread(progress, entry) ? { ...progress, last: entry.at } : progress;
    case "refused": {
      const { starting: _starting, ...rest } = progress;
      return rest;
    }
    case "waiting":
      return { ...progress, waiting: entry.until };
    default:
      return { ...progress, [entry.kind]: entry.at };
  }
}

function addResult(
  { sent, failed, left }: Omit<JournalState, "sent"> & { sent: Pick<JournalState["sent"], "set"> },
  entry: JournalEntry & { at: string },
): void {
  if (entry.kind === "sent") {
    failed.delete(entry.user);
    sent.set(entry.user, { message: entry.message, cid: entry.cid, at: entry.at });
  }
  if (entry.kind === "failed") failed.set(entry.user, { reason: entry.reason, at: entry.at });
  if (entry.kind === "left") left.set(entry.user, { reason: entry.reason, at: entry.at });
}

/** Yields lines one by one, as splitting a large journal would double its memory. */
function* linesIn(text: string): Iterable<string> {
  let begin = 0;
  for (let end: number; (end = text.indexOf("\n", begin)) >= 0; begin = end + 1) yield text.slice(begin, end);
  yield text.slice(begin);
}

/** Also calls `each` with every entry. */
function progressOf(
  text: string,
  each: (entry: JournalEntry & { at: string }) => void = () => {},
): JournalProgress {
  let progress: JournalProgress = {};
  for (const line of linesIn(text)) {
    const entry = parseEntry(line);
    if (!entry) continue;
    progress = progressAfter(progress, entry);
    each(entry);
  }
  return progress;
}

const journalText = (machine: Pick<Machine, "folder"> | undefined, id: string): string =>
  (machine && readOwn(journalFile(machine, id))) ?? "";

/** The progress of a campaign, without the results of each person. */
export const readProgress = (machine: Pick<Machine, "folder"> | undefined, id: string): JournalProgress =>
  progressOf(journalText(machine, id));

/** The state of a campaign; empty without a journal. */
export function readJournal(machine: Pick<Machine, "folder"> | undefined, id: string): JournalState {
  const results = { sent: new Map(), failed: new Map(), left: new Map() };
  return { ...progressOf(journalText(machine, id), (entry) => addResult(results, entry)), ...results };
}

/** Like `readJournal`, but with only the ids of people who received the message, to save memory. */
export function readReceived(
  machine: Pick<Machine, "folder"> | undefined,
  id: string,
): Omit<JournalState, "sent"> & { received: Set<string> } {
  const received = new Set<string>();
  const sent = { set: (user: string) => received.add(user) as never };
  const results = { failed: new Map(), left: new Map() };
  const progress = progressOf(journalText(machine, id), (entry) => addResult({ sent, ...results }, entry));
  // Those who had received it from another machine when the journal began.
  for (const user of progress.begun?.left.received ?? []) received.add(user);
  return { ...progress, ...results, received };
}

/** How many get nothing, by reason: the people, the invalid records and the duplicates of the file. */
export function reasonCounts(
  reasons: Iterable<string>,
  { wrong = 0, duplicates = 0 }: Partial<JournalStart["counts"]> = {},
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return {
    ...counts,
    ...(wrong ? { wrong_record: wrong } : {}),
    ...(duplicates ? { duplicate: duplicates } : {}),
  };
}

/** A journal open for writing, locked for one run. */
export class Journal {
  readonly #file: string;
  readonly #release: () => void;
  readonly #now: () => number;
  #descriptor: number;
  /** The progress so far, without results of people. */
  progress: JournalProgress;

  /** Throws `CommandError` (conflict) when another run holds the lock. */
  constructor(machine: Pick<Machine, "folder">, id: string, now: () => number) {
    makeFolder(machine);
    this.#file = journalFile(machine, id);
    this.#now = now;
    const release = acquireLock(`${this.#file}.lock`);
    if (!release) throw new CommandError("conflict", `Another run is at work on campaign ${id}.`);
    this.#release = release;
    const text = readOwn(this.#file) ?? "";
    this.progress = progressOf(text);
    this.#descriptor = appendOwn(this.#file);
    // Ends an incomplete line of a killed run.
    if (text !== "" && !text.endsWith("\n")) writeSync(this.#descriptor, "\n");
  }

  /** `safe`: flushed to disk before returning. */
  write(entry: JournalEntry, safe = false): void {
    const line = this.#line(entry);
    writeSync(this.#descriptor, line);
    if (safe) fsyncSync(this.#descriptor);
    this.progress = progressAfter(this.progress, parseEntry(line.trimEnd())!);
  }

  /**
   * Starts a new journal in one step; an existing one is kept as `.old`. At the same provider it still knows who received the message, and goes on
   * with the ids of its messages.
   */
  begin(
    entry: JournalStart,
    isSameProvider = this.progress.begun?.sender_since === entry.sender_since,
  ): void {
    const { begun } = this.progress;
    const continues = begun !== undefined && isSameProvider && begun.mode === entry.mode;
    const { salt, ...start } = entry;
    const ownSalt = continues ? begun.salt : salt;
    const first: JournalEntry = { ...start, ...(ownSalt === undefined ? {} : { salt: ownSalt }) };
    const sent = isSameProvider ? this.#sentEntries() : [];
    closeSync(this.#descriptor);
    if (begun) copyFileSync(this.#file, `${this.#file}.${this.#now().toString(36)}.old`);
    const text = [first, ...sent].map((one) => this.#line(one)).join("");
    replaceOwn(this.#file, text);
    this.#descriptor = appendOwn(this.#file);
    this.progress = progressOf(text);
  }

  #line(entry: JournalEntry): string {
    return `${JSON.stringify({ at: new Date(this.#now()).toISOString(), ...entry })}\n`;
  }

  #sentEntries(): JournalEntry[] {
    const sent: JournalEntry[] = [];
    progressOf(readOwn(this.#file) ?? "", (entry) => {
      if (entry.kind === "sent") sent.push(entry);
    });
    return sent;
  }

  close(): void {
    closeSync(this.#descriptor);
    this.#release();
  }
}

/** Whether a run is at work on a campaign on this machine. */
export const isAtWork = (machine: Pick<Machine, "folder"> | undefined, id: string): boolean =>
  machine !== undefined && isLocked(`${journalFile(machine, id)}.lock`);

export const journalAuthor = (): string => userInfo().username;
