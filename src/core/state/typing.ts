/** Other users who are typing, with the time of their last signal (R-TYPE-3…7). */
import { TYPING_EXPIRY } from "../../wire/constants.ts";
import type { User } from "../../wire/entities/user.ts";
import type { StateDraft } from "./state-draft.ts";

export function startTyping(draft: StateDraft, cid: string, user: User, parentId?: string): void {
  if (user.id === draft.context.me) return;
  const entry = draft.entry(cid);
  if (!entry) return;
  const since = draft.context.monotonic;
  const rest = entry.typing.filter((each) => each.user.id !== user.id || each.parentId !== parentId);
  entry.typing = [...rest, { user: draft.user(user), ...(parentId !== undefined && { parentId }), since }];
}

export function stopTyping(draft: StateDraft, cid: string, userId: string, parentId?: string): void {
  const held = draft.peek(cid);
  if (!held?.typing.some((each) => each.user.id === userId && each.parentId === parentId)) return;
  draft.entry(cid)!.typing = held.typing.filter(
    (each) => each.user.id !== userId || each.parentId !== parentId,
  );
}

/** R-TYPE-5: removes entries older than TYPING_EXPIRY, each with a local `typing.stop`. */
export function expireTyping(draft: StateDraft, cid: string): void {
  const held = draft.peek(cid);
  if (!held?.typing.length) return;
  const expired = held.typing.filter((each) => draft.context.monotonic - each.since > TYPING_EXPIRY);
  if (expired.length === 0) return;
  draft.entry(cid)!.typing = held.typing.filter((each) => !expired.includes(each));
  for (const { user, parentId } of expired)
    draft.emitted.push({
      type: "typing.stop",
      cid,
      channel_type: held.channel.type,
      channel_id: held.channel.id,
      user,
      created_at: new Date(draft.context.now).toISOString(),
      ...(parentId !== undefined && { parent_id: parentId }),
    });
}
