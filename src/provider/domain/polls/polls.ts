/** Polls: creating, reading, changing, closing and voting (polls.md §1–5). */
import { CUSTOM_DATA_LIMIT, POLL_MAX_OPTIONS, POLL_MAX_VOTES_ALLOWED } from "../../../wire/constants.ts";
import type { PollOption } from "../../../wire/poll.ts";
import { Refusal, type Call, type Reply } from "../../handler.ts";
import { actor } from "../asked/acting.ts";
import { channelRow } from "../channels/rows.ts";
import { Check, checkCustom, isObject, wrong, type Fields } from "../asked/check.ts";
import { messageFor } from "../messages/read.ts";
import type { MessageRow } from "../messages/rows.ts";
import { looking, messageView } from "../messages/view.ts";
import { applyPartial, firstStep, readPartial } from "../asked/paths.ts";
import { allow, can, canInType, isBanned, needFeature, notAllowed, standingOf } from "../access/policy.ts";
import { pollView, voteView, type PollData, type PollRow, type VoteRow } from "./view.ts";
import type { UserRow } from "../users/view.ts";

/** Keys of a poll that are kept by the provider, not written by callers. */
const MANAGED = new Set(
  `id user user_id created_by created_by_id created_at updated_at vote_count vote_counts_by_option latest_votes_by_option
  answers_count latest_answers own_votes cid`.split(/\s+/),
);
const WRITTEN = new Set(
  `name description options voting_visibility enforce_unique_vote max_votes_allowed allow_user_suggested_options
  allow_answers is_closed`.split(/\s+/),
);

const same = (text: string): string => text.trim().toLowerCase();

function readOptions(call: Call, check: Check): PollOption[] {
  const list = check.list("options", POLL_MAX_OPTIONS) ?? [];
  const seen = new Set<string>();
  const ids = new Set<string>();
  return list.map((one, i) => {
    const at = `options.${i}`;
    const source: Fields = isObject(one) ? one : {};
    const { text } = source;
    const id = typeof source.id === "string" && source.id !== "" ? source.id : call.uuid();
    if (typeof text !== "string" || text.trim() === "") check.fail(`${at}.text`, "must not be blank");
    else if (seen.has(same(text))) check.fail(`${at}.text`, "is there already");
    else seen.add(same(text));
    if (id.length > 255 || ids.has(id)) check.fail(`${at}.id`, "must be a text of its own");
    ids.add(id);
    return { ...source, id, text: typeof text === "string" ? text : "" };
  });
}

function readPoll(call: Call, source: Fields, prefix = ""): { data: PollData; closed: boolean } {
  const check = new Check(source, prefix);
  const name = check.need("name", 500);
  const visibility = check.id("voting_visibility") ?? "public";
  if (visibility !== "public" && visibility !== "anonymous")
    check.fail("voting_visibility", "must be public or anonymous");
  const unique = check.flag("enforce_unique_vote") ?? false;
  const max = check.whole("max_votes_allowed", 1, POLL_MAX_VOTES_ALLOWED);
  if (unique && max !== undefined)
    check.fail("max_votes_allowed", "cannot be given together with enforce_unique_vote");
  const custom = Object.fromEntries(
    Object.entries(source).filter(([key]) => !MANAGED.has(key) && !WRITTEN.has(key)),
  );
  checkCustom(check, custom, CUSTOM_DATA_LIMIT);
  const data: PollData & Fields = {
    ...custom,
    name,
    description: check.text("description") ?? "",
    options: readOptions(call, check),
    voting_visibility: visibility as PollData["voting_visibility"],
    enforce_unique_vote: unique,
    ...(max === undefined ? {} : { max_votes_allowed: max }),
    allow_user_suggested_options: check.flag("allow_user_suggested_options") ?? false,
    allow_answers: check.flag("allow_answers") ?? false,
  };
  const closed = check.flag("is_closed") ?? false;
  check.done();
  return { data, closed };
}

export function createPoll(call: Call): Reply {
  const { db } = call;
  const me = actor(call);
  if (!canInType(call, ".app", "create-poll")) throw notAllowed("You are not allowed to create polls");
  const { data, closed } = readPoll(call, call.body);
  const check = new Check(call.body);
  const id = check.id("id") ?? call.uuid();
  check.done();
  if (db.get("SELECT 1 FROM polls WHERE id = ?", id))
    throw wrong("id", `names a poll that exists already: ${id}`);
  const now = call.now();
  db.run(
    "INSERT INTO polls (id, created_by, created_at, updated_at, closed, data) VALUES (?, ?, ?, ?, ?, ?)",
    id,
    me.id,
    now,
    now,
    Number(closed),
    JSON.stringify(data),
  );
  return { poll: pollView(looking(db, call.emit, now, me.id), pollRow(call, id)) };
}

function pollRow(call: Call, id: string): PollRow {
  const row = call.db.get<PollRow>("SELECT * FROM polls WHERE id = ?", id);
  if (!row) throw new Refusal(16, `Poll ${id.slice(0, 255)} does not exist`);
  return row;
}

/** The messages that hold the poll; votes are shared by all of them (V-11). */
function holders(call: Call, pollId: string): MessageRow[] {
  return call.db.all<MessageRow>(
    "SELECT * FROM messages WHERE poll_id = ? AND type <> 'deleted' ORDER BY created_at",
    pollId,
  );
}

/** Visible to its creator and to readers of a channel holding it. */
function mayReadPoll(call: Call, row: PollRow, userId: string | undefined): void {
  if (call.caller.kind === "server" || row.created_by === userId) return;
  const readable = [...new Set(holders(call, row.id).map(({ cid }) => cid))].some((cid) =>
    can(standingOf(call, channelRow(call.db, cid)), "read-channel"),
  );
  if (!readable) throw notAllowed("You are not allowed to read this poll");
}

export function getPoll(call: Call): Reply {
  const me = call.caller.kind === "server" && !call.caller.userId ? undefined : actor(call, call.query);
  const row = pollRow(call, call.path.poll_id ?? "");
  mayReadPoll(call, row, me?.id);
  return { poll: pollView(looking(call.db, call.emit, call.now(), me?.id), row) };
}

/** One event for every channel that holds the poll. */
function tell(call: Call, type: string, poll: PollRow, extra: Fields, me: UserRow): void {
  const at = looking(call.db, call.emit, call.now());
  const told = new Set<string>();
  for (const row of holders(call, poll.id)) {
    if (told.has(row.cid)) continue;
    told.add(row.cid);
    call.emit.watchers(row.cid, {
      type,
      user: at.people.get(me.id),
      poll: pollView(at, poll),
      message: messageView(at, row),
      message_id: row.id,
      ...extra,
    });
  }
}

/** `set.is_closed: true` closes; closed polls can be opened again by their creator. */
export function updatePollPartial(call: Call): Reply {
  const { db } = call;
  const me = actor(call);
  const row = pollRow(call, call.path.poll_id ?? "");
  if (call.caller.kind === "user" && row.created_by !== me.id)
    throw notAllowed("Only the creator may change a poll");
  const check = new Check(call.body);
  const partial = readPartial(check);
  for (const path of [...Object.keys(partial.set), ...partial.unset])
    if (MANAGED.has(firstStep(path))) check.fail(path, "cannot be changed");
  check.done();
  const before: Fields = { ...(JSON.parse(row.data) as Fields), is_closed: row.closed === 1 };
  const { data, closed } = readPoll(call, applyPartial(before, partial), "set.");
  const now = call.now();
  const kept = JSON.stringify(data.options.map(({ id }) => id));
  db.run(
    `DELETE FROM poll_votes WHERE poll_id = ? AND option_id IS NOT NULL AND option_id NOT IN
     (SELECT value FROM json_each(?))`,
    row.id,
    kept,
  );
  db.run(
    "UPDATE polls SET data = ?, closed = ?, updated_at = ? WHERE id = ?",
    JSON.stringify(data),
    Number(closed),
    now,
    row.id,
  );
  const after = pollRow(call, row.id);
  tell(call, closed && !row.closed ? "poll.closed" : "poll.updated", after, {}, me);
  return { poll: pollView(looking(db, call.emit, now, me.id), after) };
}

/** The poll of the message in the path, open and votable by the caller (V-1). */
function voting(call: Call): { poll: PollRow; data: PollData } {
  const { row: message, s } = messageFor(call, call.path.message_id ?? "");
  const poll = pollRow(call, call.path.poll_id ?? "");
  needFeature(s, "polls", "polls");
  allow(s, "cast-vote", "vote");
  if (isBanned(s, call.now())) throw notAllowed(`You are banned from channel ${s.channel.cid}`);
  if (message.poll_id !== poll.id || message.type === "deleted")
    throw wrong("poll_id", `is not the poll of message ${message.id}`);
  if (poll.closed) throw new Refusal(4, "The poll is closed", { fields: { poll_id: "is closed" } });
  return { poll, data: JSON.parse(poll.data) as PollData };
}

function answer(call: Call, me: UserRow, poll: PollRow, vote: VoteRow, anonymous: boolean): Reply {
  const at = looking(call.db, call.emit, call.now(), me.id);
  return { poll: pollView(at, poll), vote: voteView(at, vote, anonymous) };
}

const INSERT = `INSERT INTO poll_votes (id, poll_id, user_id, option_id, answer_text, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const MINE = "SELECT * FROM poll_votes WHERE poll_id = ? AND user_id = ?";

export function castPollVote(call: Call): Reply {
  const { db } = call;
  const me = actor(call);
  const { poll, data } = voting(call);
  const top = new Check(call.body);
  const source = top.object("vote");
  if (!source) top.fail("vote", "is required");
  const check = top.inside("vote");
  const optionId = check.id("option_id");
  const text = check.text("answer_text", 1000);
  if ((optionId === undefined) === (text === undefined))
    check.fail("option_id", "or answer_text must be given, exactly one");
  if (optionId !== undefined && !data.options.some(({ id }) => id === optionId))
    check.fail("option_id", "is not an option of the poll");
  if (text !== undefined && text.trim() === "") check.fail("answer_text", "must not be blank");
  if (text !== undefined && !data.allow_answers)
    check.fail("answer_text", "is not possible: the poll takes no answers");
  top.done();
  const mine = db.all<VoteRow>(MINE, poll.id, me.id);
  const anonymous = data.voting_visibility === "anonymous";
  const options = mine.filter((vote) => vote.option_id !== null);
  const same = optionId === undefined ? undefined : options.find((vote) => vote.option_id === optionId);
  if (same) return answer(call, me, poll, same, anonymous);
  let type = "poll.vote_casted";
  if (optionId === undefined) {
    // V-6: one answer per user
    const had = db.run(
      "DELETE FROM poll_votes WHERE poll_id = ? AND user_id = ? AND option_id IS NULL",
      poll.id,
      me.id,
    );
    if (Number(had.changes) > 0) type = "poll.vote_changed";
  } else if (data.enforce_unique_vote) {
    db.run(
      "DELETE FROM poll_votes WHERE poll_id = ? AND user_id = ? AND option_id IS NOT NULL",
      poll.id,
      me.id,
    );
    type = "poll.vote_changed";
  } else if (data.max_votes_allowed !== undefined && options.length >= data.max_votes_allowed)
    throw new Refusal(4, "Max votes reached", { fields: { "vote.option_id": "Max votes reached" } });
  const now = call.now();
  const vote: VoteRow = {
    id: call.uuid(),
    poll_id: poll.id,
    user_id: me.id,
    option_id: optionId ?? null,
    answer_text: text ?? null,
    created_at: now,
    updated_at: now,
  };
  db.run(INSERT, vote.id, vote.poll_id, vote.user_id, vote.option_id, vote.answer_text, now, now);
  tellVote(call, type, poll, vote, anonymous, me);
  return answer(call, me, poll, vote, anonymous);
}

function tellVote(
  call: Call,
  type: string,
  poll: PollRow,
  vote: VoteRow,
  anonymous: boolean,
  me: UserRow,
): void {
  const at = looking(call.db, call.emit, call.now());
  const hidden = anonymous ? { user: undefined } : {};
  tell(call, type, poll, { poll_vote: voteView(at, vote, anonymous), ...hidden }, me);
}

/** V-7: only the voter removes a vote. */
export function removePollVote(call: Call): Reply {
  const { db } = call;
  const me = actor(call, call.query);
  const { poll, data } = voting(call);
  const id = call.path.vote_id ?? "";
  const vote = db.get<VoteRow>("SELECT * FROM poll_votes WHERE id = ? AND poll_id = ?", id, poll.id);
  if (!vote) throw new Refusal(16, `Vote ${id.slice(0, 255)} does not exist`);
  if (vote.user_id !== me.id) throw notAllowed("Only the voter may remove a vote");
  db.run("DELETE FROM poll_votes WHERE id = ?", id);
  const anonymous = data.voting_visibility === "anonymous";
  tellVote(call, "poll.vote_removed", poll, vote, anonymous, me);
  return answer(call, me, poll, vote, anonymous);
}
