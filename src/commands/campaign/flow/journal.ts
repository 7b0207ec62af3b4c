/** The journal of a campaign on this machine: what was begun, what is done, and what nobody knows. It is written before what it tells of. */
import { readOwn } from "../../../model/own-files.ts";
import type { Machine } from "../../base/define-command.ts";
import { keptFile } from "./kept.ts";

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
  guards: object;
}

type Entry = { at?: string } & (
  | Begun
  | { kind: "chunk"; n: number; of: number; count: number }
  | { kind: "created"; created_at: string }
  | { kind: "starting"; scheduled_for?: string }
  | { kind: "started" }
  | { kind: "sent"; user: string; message: string; cid: string }
  | { kind: "failed"; user: string; reason: string }
  | { kind: "ended" }
);

/** What the entries come to. */
interface Told {
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

function tell(told: Told, entry: Entry & { at: string }): Told {
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
    default:
      return { ...told, [entry.kind]: entry.at };
  }
}

const nothing = (): Told => ({ chunks: 0, sent: new Map(), failed: new Map() });

/** What is known of a campaign; nothing where there is no journal. */
export function readJournal(machine: Pick<Machine, "folder"> | undefined, id: string): Told {
  const text = machine === undefined ? undefined : readOwn(keptFile(machine, id, "journal.ndjson"));
  return entriesOf(text ?? "").reduce(tell, nothing());
}
