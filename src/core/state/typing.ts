/** Who is typing: foreign entries with the moment of their last sign of life (R-TYPE-3…7). */
import { TYPING_EXPIRY } from "../../wire/constants.ts";
import type { User } from "../../wire/user.ts";
import type { Work } from "./work.ts";

export function startTyping(work: Work, cid: string, user: User, parentId?: string): void {
  if (user.id === work.facts.me) return;
  const entry = work.entry(cid);
  if (!entry) return;
  const since = work.facts.monotonic;
  const rest = entry.typing.filter((each) => each.user.id !== user.id || each.parentId !== parentId);
  entry.typing = [...rest, { user: work.user(user), ...(parentId !== undefined && { parentId }), since }];
}

export function stopTyping(work: Work, cid: string, userId: string, parentId?: string): void {
  const held = work.peek(cid);
  if (!held?.typing.some((each) => each.user.id === userId && each.parentId === parentId)) return;
  work.entry(cid)!.typing = held.typing.filter(
    (each) => each.user.id !== userId || each.parentId !== parentId,
  );
}

/** R-TYPE-5: entries older than TYPING_EXPIRY go, each with a local `typing.stop`. */
export function expireTyping(work: Work, cid: string): void {
  const held = work.peek(cid);
  if (!held?.typing.length) return;
  const gone = held.typing.filter((each) => work.facts.monotonic - each.since > TYPING_EXPIRY);
  if (gone.length === 0) return;
  work.entry(cid)!.typing = held.typing.filter((each) => !gone.includes(each));
  for (const { user, parentId } of gone)
    work.emitted.push({
      type: "typing.stop",
      cid,
      channel_type: held.channel.type,
      channel_id: held.channel.id,
      user,
      created_at: new Date(work.facts.now).toISOString(),
      ...(parentId !== undefined && { parent_id: parentId }),
    });
}
