/** The interface of every output format of an export. */
import type { Channel, Member, Read } from "../../wire/entities/channel.ts";
import type { Reaction } from "../../wire/entities/message.ts";
import type { User } from "../../wire/entities/user.ts";
import type { ArchivedMessage } from "../archive/read.ts";
import type { Tally } from "../tally.ts";

/** When a new file begins; days and months are those of UTC. */
export type Partition = { kind: "messages" | "bytes"; limit: number } | { kind: "month" | "day" };

/** A message with its replies, where threads are nested. */
export interface Exported extends ArchivedMessage {
  replies: Exported[];
  /** Attachment index → path of its copied file. */
  paths: ReadonlyMap<number, string>;
}

export interface ExportedChannel {
  /** Its cid in the archive, also when people are replaced. */
  realCid: string;
  channel: Channel;
  /** Its name, else the names of its members. */
  title: string;
  members: () => Iterable<Member>;
  reads: () => Iterable<Read>;
}

/** The whole selection, for formats that need another order than by time. */
export interface ExportedAll {
  users(): Iterable<User>;
  channels(): Iterable<ExportedChannel>;
  /** Reactions of the exported messages. */
  reactions(): Iterable<Reaction>;
}

/** Counts what a format has no place for (specification/command-line.md §10). */
export type OnUnused = Tally["add"];

/** Turns an export into pieces of text, which are written at once. */
export interface ExportForm {
  begin?(): Iterable<string> | string;
  channel?(channel: ExportedChannel): string;
  message(message: Exported, channel: ExportedChannel): string;
  /** What `message` leaves out of a message and its replies. */
  countUnused?(message: Exported, add: OnUnused): void;
  endChannel?(channel: ExportedChannel): string;
  end?(): Iterable<string> | string;
}
