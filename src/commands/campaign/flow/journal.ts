/** The journal of a campaign on this machine: each step is written down before it is made, so that a killed run can go on. */
import { closeSync, fsyncSync, renameSync, writeSync } from "node:fs";
import { userInfo } from "node:os";
import { appendOwn, readOwn } from "../../../model/files/own-files.ts";
import { takeLock } from "../../../model/files/lock-file.ts";
import { CommandError, type Machine } from "../../base/define-command.ts";
import { journalFile, makeFolder } from "./campaign-folder.ts";

interface Begun {
  kind: "begun";
  mode: "campaign" | "messages";
  /** SHA-256 of the file. */
  hash: string;
  file: string;
  /** The user of this machine. */
  by: string;
  sender: string;
  /** When the provider made the sender: another provider, or one that was emptied, has another moment. */
  sender_since: string;
  /** Who gets it. */
  audience: string[];
  /** Who is left out, by why. */
  left: Record<string, string[]>;
  /** Records that named nobody, and ids that stood there twice. */
  counts: { wrong: number; duplicates: number };
  guards: object;
}

export type JournalEntry = { at?: string } & (
  | Begun
  | { kind: "chunk"; n: number; of: number; count: number }
  | { kind: "created"; created_at: string }
  | { kind: "starting"; scheduled_for?: string }
  | { kind: "started" }
  | { kind: "refused" }
  | { kind: "sent"; user: string; message: string; cid: string }
  | { kind: "failed"; user: string; reason: string }
  | { kind: "ended" }
);

/** How far a campaign came. */
interface Progress {
  begun?: Begun & { at: string };
  chunks: number;
  created?: string;
  starting?: string;
  started?: string;
  ended?: string;
}

/** What the entries come to. */
export interface JournalState extends Progress {
  /** The last result of each person, in the order of the first. */
  sent: Map<string, { message: string; cid: string; at: string }>;
  failed: Map<string, { reason: string; at: string }>;
}

/** A line that a killed run left half is none. */
function entryIn(line: string): (JournalEntry & { at: string }) | undefined {
  try {
    return line === "" ? undefined : (JSON.parse(line) as JournalEntry & { at: string });
  } catch {
    return undefined;
  }
}

function progressAfter(told: Progress, entry: JournalEntry & { at: string }): Progress {
  switch (entry.kind) {
    case "begun":
      return { chunks: 0, begun: entry };
    case "chunk":
      return { ...told, chunks: entry.n };
    case "created":
      return { ...told, created: entry.created_at };
    case "sent":
    case "failed":
      return told;
    case "refused": {
      const { starting: _starting, ...rest } = told;
      return rest;
    }
    default:
      return { ...told, [entry.kind]: entry.at };
  }
}

function addResult(
  { sent, failed }: Pick<JournalState, "sent" | "failed">,
  entry: JournalEntry & { at: string },
): void {
  if (entry.kind === "sent") {
    failed.delete(entry.user);
    sent.set(entry.user, { message: entry.message, cid: entry.cid, at: entry.at });
  }
  if (entry.kind === "failed") failed.set(entry.user, { reason: entry.reason, at: entry.at });
}

/** One at a time: a list of a hundred thousand lines is as big as the text. */
function* linesIn(text: string): Iterable<string> {
  let begin = 0;
  for (let end: number; (end = text.indexOf("\n", begin)) >= 0; begin = end + 1) yield text.slice(begin, end);
  yield text.slice(begin);
}

/** `each` is given every entry, too. */
function progressOf(text: string, each: (entry: JournalEntry & { at: string }) => void = () => {}): Progress {
  let told: Progress = { chunks: 0 };
  for (const line of linesIn(text)) {
    const entry = entryIn(line);
    if (!entry) continue;
    told = progressAfter(told, entry);
    each(entry);
  }
  return told;
}

const journalText = (machine: Pick<Machine, "folder"> | undefined, id: string): string =>
  (machine && readOwn(journalFile(machine, id))) ?? "";

/** What is known of a campaign; nothing where there is no journal. */
export function readJournal(machine: Pick<Machine, "folder"> | undefined, id: string): JournalState {
  const results = { sent: new Map(), failed: new Map() };
  return { ...progressOf(journalText(machine, id), (entry) => addResult(results, entry)), ...results };
}

/** The same without what is told of each: a run that goes on behind a hundred thousand needs only to know who they are. */
export function readReceived(
  machine: Pick<Machine, "folder"> | undefined,
  id: string,
): Progress & { received: Set<string> } {
  const received = new Set<string>();
  const progress = progressOf(journalText(machine, id), (entry) => {
    if (entry.kind === "sent") received.add(entry.user);
  });
  return { ...progress, received };
}

/** One run at a time writes to a journal. */
export class Journal {
  readonly #file: string;
  readonly #release: () => void;
  readonly #now: () => number;
  #descriptor: number;
  /** Without the people, who may be a hundred thousand. */
  told: Progress;

  /** Throws `CommandError` (conflict) where another run has it. */
  constructor(machine: Pick<Machine, "folder">, id: string, now: () => number) {
    makeFolder(machine);
    this.#file = journalFile(machine, id);
    this.#now = now;
    const release = takeLock(`${this.#file}.lock`);
    if (!release) throw new CommandError("conflict", `Another run is at work on campaign ${id}.`);
    this.#release = release;
    const text = readOwn(this.#file) ?? "";
    this.told = progressOf(text);
    this.#descriptor = appendOwn(this.#file);
    // Behind half a line of a killed run a new one begins.
    if (text !== "" && !text.endsWith("\n")) writeSync(this.#descriptor, "\n");
  }

  /** `safe`: it must not be lost with the power either. */
  write(entry: JournalEntry, safe = false): void {
    const whole = { at: new Date(this.#now()).toISOString(), ...entry };
    writeSync(this.#descriptor, `${JSON.stringify(whole)}\n`);
    if (safe) fsyncSync(this.#descriptor);
    this.told = progressAfter(this.told, whole);
  }

  /** What stood there belongs to another campaign of this id: it is kept beside. */
  begin(entry: Begun): void {
    if (this.told.begun) {
      closeSync(this.#descriptor);
      renameSync(this.#file, `${this.#file}.${this.#now().toString(36)}.old`);
      this.#descriptor = appendOwn(this.#file);
      this.told = { chunks: 0 };
    }
    this.write(entry, true);
  }

  close(): void {
    closeSync(this.#descriptor);
    this.#release();
  }
}

export const whoStarts = (): string => userInfo().username;
