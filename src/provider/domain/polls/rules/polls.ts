/** Creates, reads, changes, closes and deletes polls (specification/polls.md §1–3). */
import { poll, pollBodies } from "../../../../wire/bodies/polls.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { canInType } from "../../access/view/policy.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader, readBody, invalidField, type Fields } from "../../validation/check.ts";
import { applyPartial, firstStep, readPartial } from "../../validation/paths.ts";
import { removePollFromDrafts } from "../../drafts/rules/removal.ts";
import { viewContext } from "../../users/view/view-context.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { requireReadPoll, publishPoll } from "./poll-messages.ts";
import { isManaged, newPoll } from "./input.ts";
import { polls, pollVotes, storePoll, type PollData, type PollRow } from "../storage/rows.ts";
import { pollView } from "../view/polls.ts";
import { APP_SCOPE } from "../../access/storage/grants.ts";

export function createPoll(call: RouteCall): Reply<"createPoll"> {
  const { db } = call;
  const me = actor(call);
  if (!canInType(call, APP_SCOPE, "create-poll"))
    throw ApiProblem.notAllowed("You are not allowed to create polls");
  const check = new BodyReader(call.body);
  const input = check.read(pollBodies.createPoll);
  const id = input.id ?? call.uuid();
  if (id.trim() === "") check.fail("id", "must not be blank");
  const { data, closed } = newPoll(call, check, input);
  if (polls.has(db, { id })) throw invalidField("id", `names a poll that exists already: ${id}`);
  const now = call.now();
  const row = {
    id,
    created_by: me.id,
    created_at: now,
    updated_at: now,
    closed: Number(closed),
    data: JSON.stringify(data),
  };
  polls.insert(db, row);
  return { poll: pollView(viewContext(db, call.emit, now, me.id), row) };
}

/** The user who reads; undefined for anonymous callers and for a server that names no user. */
export function reader(call: RouteCall): UserRow | undefined {
  const { kind, userId } = call.caller;
  if (kind === "anonymous" || (kind === "server" && !userId)) return undefined;
  return actor(call);
}

export function getPoll(call: RouteCall): Reply<"getPoll"> {
  const row = polls.need(call.db, { id: call.path.poll_id ?? "" });
  const me = reader(call);
  requireReadPoll(call, row, me?.id);
  return { poll: pollView(viewContext(call.db, call.emit, call.now(), me?.id), row) };
}

type Right = "update-poll" | "close-poll" | "delete-poll";
const WORDS: Record<Right, string> = {
  "update-poll": "change",
  "close-poll": "close",
  "delete-poll": "delete",
};

/** Requires the right to change any poll, or to be the creator, who has it for own polls. */
export function requireChange(
  call: RouteCall,
  row: PollRow,
  me: UserRow | undefined,
  ...rights: Right[]
): void {
  if (rights.some((right) => canInType(call, APP_SCOPE, right, row.created_by === me?.id))) return;
  throw ApiProblem.notAllowed(`Only the creator may ${WORDS[rights[0]!]} a poll`);
}

function change(
  call: RouteCall,
  row: PollRow,
  me: UserRow,
  to: { data: PollData; closed: boolean },
): Reply<"updatePoll"> {
  const now = call.now();
  const after = storePoll(call.db, row, to.data, to.closed, now);
  publishPoll(call, to.closed && !row.closed ? "poll.closed" : "poll.updated", after, { me });
  return { poll: pollView(viewContext(call.db, call.emit, now, me.id), after) };
}

/** PUT: omitted fields get their defaults. */
export function updatePoll(call: RouteCall): Reply<"updatePoll"> {
  const { id } = readBody(call.body, { id: pollBodies.updatePoll.id });
  const row = polls.need(call.db, { id });
  const me = actor(call);
  requireChange(call, row, me, "update-poll");
  const check = new BodyReader(call.body);
  return change(call, row, me, newPoll(call, check, check.read(poll)));
}

/** PATCH: for `set.is_closed: true` alone the right to close is enough. Closed polls can be opened again. */
export function updatePollPartial(call: RouteCall): Reply<"updatePollPartial"> {
  const row = polls.need(call.db, { id: call.path.poll_id ?? "" });
  const me = actor(call);
  const check = new BodyReader(call.body);
  const partial = readPartial(check);
  const names = [...Object.keys(partial.set), ...partial.unset];
  const closing = names.length === 1 && partial.set.is_closed === true;
  requireChange(call, row, me, "update-poll", ...(closing ? (["close-poll"] as const) : []));
  for (const path of names) if (isManaged(firstStep(path))) check.fail(path, "cannot be changed");
  check.done();
  const before: Fields = { ...(JSON.parse(row.data) as Fields), is_closed: row.closed === 1 };
  const inner = new BodyReader(applyPartial(before, partial), "set.");
  return change(call, row, me, newPoll(call, inner, inner.read(poll)));
}

/** Erases a poll with its options and votes; messages keep `poll_id` and show no poll (V-10). */
export function deletePoll(call: RouteCall): Reply<"deletePoll"> {
  const { db } = call;
  const row = polls.need(db, { id: call.path.poll_id ?? "" });
  const me = reader(call);
  requireChange(call, row, me, "delete-poll");
  publishPoll(call, "poll.deleted", row, {
    me,
    after() {
      pollVotes.remove(db, { poll_id: row.id });
      polls.remove(db, { id: row.id });
    },
  });
  removePollFromDrafts(call, row.id);
  return {};
}
