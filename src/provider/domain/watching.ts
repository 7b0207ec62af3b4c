/** Watching a channel from the connection of a call: who starts is told to the others. */
import { Refusal, type Call } from "../handler.ts";
import { wrong } from "./check.ts";
import type { Standing } from "./policy.ts";
import { findUser, publicUser } from "./user-view.ts";

/** `watch` and `presence` need a live connection of the caller (channels.md §3): code 4 otherwise. */
export function needConnection(call: Call, watch: boolean | undefined, presence: boolean | undefined): void {
  const asked = watch ? "watch" : presence ? "presence" : undefined;
  if (!asked) return;
  const { caller, connectionId } = call;
  if (caller.kind === "server") throw wrong(asked, "is not possible with server-side auth");
  if (!connectionId) throw wrong(asked, "needs a connection_id");
  if (!call.emit.isOpen(connectionId, caller.userId ?? "!anon"))
    throw new Refusal(4, `The connection ${connectionId} is not open`, {
      fields: { connection_id: "is not an open connection of yours" },
    });
}

export function startWatching(call: Call, s: Standing): void {
  const { cid } = s.channel;
  const first = call.emit.watch(call.connectionId!, cid);
  if (!first || !s.config.connect_events || s.userId === undefined) return;
  const row = findUser(call.db, s.userId);
  if (!row || row.invisible) return;
  call.emit.watchers(cid, {
    type: "user.watching.start",
    user: publicUser(row, true),
    watcher_count: call.emit.watching(cid).count,
  });
}
