/** Export files: the content and order of their lines (specification/admin.md §9). */
import type { Channel, Member, Read } from "./channel.ts";
import type { Message, Reaction } from "./message.ts";
import type { User } from "./user.ts";

/** A message of an export with every reaction of it; personal keys are empty. */
export type ExportedMessage = Message & { reactions?: Reaction[] };

/** One entry of the JSON array of version v1. */
export interface ExportedV1 {
  channel: Channel;
  members: Member[];
  reads: Read[];
  messages: ExportedMessage[];
}

/**
 * One line of version v2: for each channel its own line, then its members, then each message followed by its reactions;
 * users, when they were asked for, come last.
 */
export type ExportLine =
  | { type: "channel"; data: Channel }
  | { type: "member"; data: Member & { cid: string; last_read?: string } }
  | { type: "message"; data: Message }
  | { type: "reaction"; data: Reaction & { cid: string } }
  | { type: "user"; data: User };
