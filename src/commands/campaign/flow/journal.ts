/** The journal of a campaign on this machine: each step is written down before it is made, so that a killed run can go on. */
import { closeSync, fsyncSync, readFileSync, renameSync, writeSync } from "node:fs";
import { userInfo } from "node:os";
import { appendOwn, readOwn } from "../../../model/own-files.ts";
import { takeLock } from "../../../model/lock-file.ts";
import { CommandError } from "../../base/define-command.ts";
import type { Machine } from "../../base/define-command.ts";
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

export type Entry = { at?: string } & (
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

/** What the entries come to. */
export interface JournalState {
  begun?: Begun & { at: string };
  chunks: number;
  created?: string;
  starting?: string;
  started?: string;
  ended?: string;
  /** The last result of each person, in the order of the first. */
  sent: Map<string, { message: string; cid: string; at: string }>;
  failed: Map<string, { reason: string; at: string }>;
}

/** A line that a killed run left half is none. */
function entriesOf(text: string): (Entry & { at: string })[] {
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Entry & { at: string }];
    } catch {
      return [];
    }
  });
}

function withEntry(told: JournalState, entry: Entry & { at: string }): JournalState {
  switch (entry.kind) {
    case "begun":
      return { chunks: 0, begun: entry, sent: told.sent, failed: told.failed };
    case "chunk":
      return { ...told, chunks: entry.n };
    case "created":
      return { ...told, created: entry.created_at };
    case "sent":
      told.failed.delete(entry.user);
      told.sent.set(entry.user, { message: entry.message, cid: entry.cid, at: entry.at });
      return told;
    case "failed":
      told.failed.set(entry.user, { reason: entry.reason, at: entry.at });
      return told;
    case "refused": {
      const { starting: _starting, ...rest } = told;
      return rest;
    }
    default:
      return { ...told, [entry.kind]: entry.at };
  }
}

const nothing = (): JournalState => ({ chunks: 0, sent: new Map(), failed: new Map() });

/** What is known of a campaign; nothing where there is no journal. */
export function readJournal(machine: Pick<Machine, "folder"> | undefined, id: string): JournalState {
  const text = machine === undefined ? undefined : readOwn(journalFile(machine, id));
  return entriesOf(text ?? "").reduce(withEntry, nothing());
}

/** One run at a time writes to a journal. */
export class Journal {
  readonly #file: string;
  readonly #release: () => void;
  readonly #now: () => number;
  #descriptor: number;
  told: JournalState;

  /** Throws `CommandError` (conflict) where another run has it. */
  constructor(machine: Pick<Machine, "folder">, id: string, now: () => number) {
    makeFolder(machine);
    this.#file = journalFile(machine, id);
    this.#now = now;
    const release = takeLock(`${this.#file}.lock`);
    if (!release) throw new CommandError("conflict", `Another run is at work on campaign ${id}.`);
    this.#release = release;
    this.told = readJournal(machine, id);
    this.#descriptor = appendOwn(this.#file);
    this.#endLine();
  }

  /** Behind half a line of a killed run a new one begins. */
  #endLine(): void {
    const text = readFileSync(this.#file, "utf8");
    if (text !== "" && !text.endsWith("\n")) writeSync(this.#descriptor, "\n");
  }

  /** `safe`: it must not be lost with the power either. */
  write(entry: Entry, safe = false): void {
    const whole = { at: new Date(this.#now()).toISOString(), ...entry };
    writeSync(this.#descriptor, `${JSON.stringify(whole)}\n`);
    if (safe) fsyncSync(this.#descriptor);
    this.told = withEntry(this.told, whole);
  }

  /** What stood there belongs to another campaign of this id: it is kept beside. */
  begin(entry: Begun): void {
    if (this.told.begun) {
      closeSync(this.#descriptor);
      renameSync(this.#file, `${this.#file}.${this.#now().toString(36)}.old`);
      this.#descriptor = appendOwn(this.#file);
      this.told = nothing();
    }
    this.write(entry, true);
  }

  close(): void {
    closeSync(this.#descriptor);
    this.#release();
  }
}

export const whoStarts = (): string => userInfo().username;
