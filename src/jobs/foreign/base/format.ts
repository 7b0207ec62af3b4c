/** What the format of another program's export is: a folder beside this one whose `format.ts` exports a `ForeignFormat`. */
import type { Tally } from "../../tally.ts";
import type { Channels } from "./channels.ts";
import type { ExportFiles } from "./foreign-files.ts";
import type { MediaFiles } from "./media-files.ts";
import type { ImportedPeople } from "./people.ts";

export interface ForeignFormat {
  /** As people call the service: `Slack`. */
  title: string;
  /** What of it is read, after the title: `: the zip or folder of an export`. */
  reads: string;
  /** A paragraph for `parley help importing`. */
  help: string;
  /** By the content of the files; a name may at most choose which are looked into. */
  detect(files: ExportFiles): Promise<boolean>;
  /** Throws `BadExport` for what cannot be read as this format. */
  open(files: ExportFiles, scope: ForeignScope): Promise<ForeignReader>;
}

/** What a reader fills, and what it may use. ImportedPeople and channels that messages name may be added while messages are read. */
export interface ForeignScope {
  people: ImportedPeople;
  channels: Channels;
  media: MediaFiles;
  /** What is not used of lists and files is counted here; of messages where `messages` says. */
  tally: Tally;
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  now: number;
}

export interface ForeignReader {
  /** Authors become members of the channels they wrote in: the export does not list members. */
  joinsAuthors: boolean;
  /**
   * All messages, in any order; several times, each time the same. Every message of the export is yielded or counted once in `tally`,
   * and so is every part of it that is not in what is yielded.
   */
  messages(tally: Tally): AsyncIterable<ForeignMessage>;
  /** Counts what was not used of the files, after all messages. */
  finish?(): void;
  close?(): void;
}

export interface ForeignMessage {
  /** The id in the import. */
  id: string;
  /** The key of a channel that was added. */
  channel: string;
  /** The id of a person; somebody unknown is added. */
  user: string;
  /** Microseconds since 1970; undefined for a message without a valid time. */
  at: number | undefined;
  /** Markdown of any length. */
  text: string;
  /** Written by the service itself, or deleted there. */
  kind?: "system" | "deleted" | undefined;
  /** The first message of the thread that this one replies to. */
  parent?: string | undefined;
  /** A reply that is shown in the channel, too. */
  shown?: boolean;
  quoted?: string | undefined;
  attachments?: object[];
  mentioned?: readonly string[];
  /** Microseconds since 1970. */
  edited?: number | undefined;
  pinned?: { at?: number | undefined; by?: string | undefined } | undefined;
  /** Replies that the service counted. */
  replies?: number | undefined;
  /** Custom fields. */
  custom?: object;
  /** Custom fields of a reply whose first message is not in the export. */
  orphan?: object;
  reactions?: readonly ForeignReaction[];
}

export interface ForeignReaction {
  /** A short name, perhaps with a skin tone; or the emoji itself. */
  name: string;
  /** Who gave it; undefined for somebody without a valid id. */
  users: readonly (string | undefined)[];
  /** How often it was given, if it is more than the export names people. */
  count?: number | undefined;
  /** When each of the people gave it, microseconds since 1970; by default with the message. */
  at?: readonly (number | undefined)[];
}
