/** The interface of every output format of an export. */
import type { Channel, Member, Read } from "../../wire/entities/channel.ts";
import type { Reaction } from "../../wire/entities/message.ts";
import type { User } from "../../wire/entities/user.ts";
import type { ArchivedMessage } from "../archive/read.ts";

/** A message with its replies, where threads are nested. */
export interface Exported extends ArchivedMessage {
  replies: Exported[];
  /** The path of each file below the export, by its place among the attachments. */
  paths: ReadonlyMap<number, string>;
}

export interface ExportedChannel {
  channel: Channel;
  /** How it is called: its name, else who is in it. */
  title: string;
  members: () => Iterable<Member>;
  reads: () => Iterable<Read>;
}

/** The whole of what is exported, for forms that want another order than time. */
export interface ExportedAll {
  users(): Iterable<User>;
  channels(): Iterable<ExportedChannel>;
  /** Of the messages that were exported. */
  reactions(): Iterable<Reaction>;
}

/** Pieces of text; each is written as it comes. */
export interface ExportForm {
  begin?(): Iterable<string> | string;
  channel?(channel: ExportedChannel): string;
  message(message: Exported, channel: ExportedChannel): string;
  endChannel?(channel: ExportedChannel): string;
  end?(): Iterable<string> | string;
}
