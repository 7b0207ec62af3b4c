/** PATCH of a thread: changes title and custom fields and notifies the channel's watchers (specification/threads.md §4). */
import { CUSTOM_DATA_LIMIT, THREAD_PARTICIPANTS_LIMIT } from "../../../../wire/constants.ts";
import { NOTHING_TO_UPDATE, reservedThreadProblem } from "../../../../wire/entities/thread.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { can, requireNotBanned } from "../../access/view/policy.ts";
import { maybeActor } from "../../users/rules/acting-user.ts";
import { BodyReader, checkCustom, type Fields, invalidField } from "../../validation/check.ts";
import { applyPartial, MAX_PATHS, readPartial } from "../../validation/paths.ts";
import { visibleTo } from "../../messages/view/audience.ts";
import { messageFor } from "../../messages/view/visibility.ts";
import { viewContext } from "../../users/view/view-context.ts";
import { findHead, headRow, storeHead } from "../storage/rows.ts";
import { bareThread } from "../view/threads.ts";

const TITLE_LIMIT = 255;

export function updateThreadPartial(call: RouteCall): Reply<"updateThreadPartial"> {
  const { db, emit } = call;
  const { row: parent, permissions } = messageFor(call, call.path.message_id ?? "");
  const head = headRow(db, parent.id);
  const me = maybeActor(call);
  requireNotBanned(permissions, call.now());
  if (parent.user_id !== me?.id && !can(permissions, "update-thread"))
    throw ApiProblem.notAllowed("You are not allowed to change this thread");
  const { title, custom } = readChange(call, head.title, JSON.parse(head.data) as Fields);
  const now = call.now();
  const updatedAt = Math.max(now, head.updated_at + 1);
  storeHead(db, { parent_id: parent.id, title, data: JSON.stringify(custom), updated_at: updatedAt });
  const context = viewContext(db, emit, now);
  const thread = bareThread(
    context,
    { head: findHead(db, parent.id)!, parent, permissions },
    THREAD_PARTICIPANTS_LIMIT[0],
  );
  emit.watchers(
    permissions.channel.cid,
    { type: "thread.updated", ...(me ? { user: context.people.get(me.id) } : {}), thread },
    visibleTo(call, parent),
  );
  return { thread };
}

/** Title and custom fields with `set` and `unset` applied (TH-1, TH-2, TH-3). */
function readChange(call: RouteCall, title: string, custom: Fields): { title: string; custom: Fields } {
  const check = new BodyReader(call.body);
  const set = check.object("set") ?? {};
  const unset = check.texts("unset", MAX_PATHS) ?? [];
  if (Object.keys(set).length > MAX_PATHS) readPartial(check);
  check.done();
  const names = [...Object.keys(set), ...unset];
  if (names.length === 0) throw invalidField("set", "and unset must not both be empty", NOTHING_TO_UPDATE);
  const fault = reservedThreadProblem(names);
  if (fault !== undefined) {
    const bad = names.filter((name) => reservedThreadProblem([name]) !== undefined);
    const fields = bad.map((name) => [
      `${Object.hasOwn(set, name) ? "set" : "unset"}.${name}`,
      "is reserved",
    ]);
    throw ApiProblem.input(fault, { fields: Object.fromEntries(fields) as Record<string, string> });
  }
  const applied = applyPartial({ ...custom, title }, readPartial(check));
  const inner = new BodyReader(applied, "set.");
  const newTitle = inner.text("title", TITLE_LIMIT) ?? "";
  delete applied.title;
  checkCustom(inner, applied, CUSTOM_DATA_LIMIT);
  check.done();
  inner.done();
  return { title: newTitle, custom: applied };
}
