/** Runs the built-in commands in the text of a message, and answers only to their author (specification/messages.md §5). */
import type { Message, MessageType } from "../../../../wire/entities/message.ts";
import type { RouteCall } from "../../../base/handler.ts";
import { can, canInType, requireFeature, type Permissions } from "../../access/view/policy.ts";
import { newMessageRow, type NewMessage } from "../../messages/storage/new-message.ts";
import { messageView } from "../../messages/view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { muteAll, unmuteAll } from "../../users/rules/mutes.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { banIn } from "../../moderation/storage/bans.ts";
import { liftBan, putBan } from "../../moderation/rules/bans.ts";
import { addFlag } from "../../flags/rules/flags.ts";
import { GIPHY } from "../../query/giphy.ts";
import { createPreview } from "./previews.ts";
import { parseTarget } from "./parse-target.ts";

interface CommandContext {
  call: RouteCall;
  permissions: Permissions;
  me: UserRow;
  target: UserRow;
  /** The arguments after the user. */
  remainingText: string;
  now: number;
}

interface ModerationCommand {
  isAllowed(call: RouteCall, permissions: Permissions): boolean;
  /** "ban", "mute": used in the error for a command against oneself. */
  verb: string;
  run(context: CommandContext): void;
}

const mayBan = (_call: RouteCall, permissions: Permissions): boolean =>
  can(permissions, "ban-channel-member");
const mayMute = (call: RouteCall): boolean => canInType(call, ".app", "mute-user");

const MODERATION: Record<string, ModerationCommand> = {
  ban: {
    isAllowed: mayBan,
    verb: "ban",
    run: ({ call, permissions, me, target, remainingText, now }) =>
      putBan(call, {
        target_id: target.id,
        cid: permissions.channel.cid,
        banned_by: me.id,
        reason: remainingText || null,
        shadow: 0,
        created_at: now,
        expires: null,
      }),
  },
  unban: {
    isAllowed: mayBan,
    verb: "unban",
    run({ call, permissions, me, target, now }) {
      const ban = banIn(call.db, target.id, permissions.channel.cid, now);
      if (ban) liftBan(call, ban, me.id, now);
    },
  },
  mute: {
    isAllowed: mayMute,
    verb: "mute",
    run({ call, permissions, me, target }) {
      requireFeature(permissions, "mutes", "mutes");
      muteAll(call, me.id, [target.id], 0, call.now());
    },
  },
  unmute: {
    isAllowed: mayMute,
    verb: "unmute",
    run({ call, permissions, me, target }) {
      requireFeature(permissions, "mutes", "mutes");
      unmuteAll(call, me.id, [target.id]);
    },
  },
  flag: {
    isAllowed: (call) => canInType(call, ".app", "flag-user"),
    verb: "flag",
    run({ call, me, target, remainingText, now }) {
      const context = viewContext(call.db, call.emit, now);
      addFlag(call, context, {
        by: me,
        message: undefined,
        targetId: target.id,
        reason: remainingText || undefined,
      });
    },
  },
};

/** Built-in commands run here; messages with other commands are stored. */
export const isBuiltInCommand = (command: string): boolean =>
  command === GIPHY || Object.hasOwn(MODERATION, command);

/** Commands that store no message, so frozen channels and slow mode do not block them. */
export const storesNoMessage = (command: string): boolean => Object.hasOwn(MODERATION, command);

/** The view of a message that is not stored, with another type and optionally an error text. */
export function unstoredMessage(
  call: RouteCall,
  permissions: Permissions,
  author: UserRow,
  message: NewMessage,
  type: MessageType,
  text = message.content.text,
): Message {
  const now = call.now();
  const row = { ...newMessageRow(permissions, author, message, now), type, text };
  return messageView(viewContext(call.db, call.emit, now, author.id), row);
}

/** Runs a built-in command and returns the answer for its author; no message is stored. */
export function runBuiltInCommand(
  call: RouteCall,
  permissions: Permissions,
  author: UserRow,
  message: NewMessage,
): Message {
  const { command, args } = message.command!;
  const errorMessage = (text: string): Message =>
    unstoredMessage(call, permissions, author, message, "error", text);
  if (command === GIPHY) {
    if (args === "") return errorMessage("Missing arguments for /giphy");
    return createPreview(call, permissions, author, message);
  }
  const definition = MODERATION[command]!;
  if (!definition.isAllowed(call, permissions)) return errorMessage(`You are not allowed to run /${command}`);
  if (args.replace(/^@/, "").trim() === "") return errorMessage(`Missing arguments for /${command}`);
  const found = parseTarget(call.db, permissions.channel.cid, args);
  if ("unknown" in found) return errorMessage(`User "${found.unknown}" not found`);
  if (found.target.id === author.id) return errorMessage(`You cannot ${definition.verb} yourself`);
  definition.run({ call, permissions, me: author, ...found, now: call.now() });
  return unstoredMessage(call, permissions, author, message, "system");
}
