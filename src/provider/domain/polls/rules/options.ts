/** Adds, changes, reads and deletes single options of a poll (V-9, V-10). */
import { pollBodies } from "../../../../wire/bodies/polls.ts";
import { POLL_MAX_OPTIONS } from "../../../../wire/constants.ts";
import type { PollOption } from "../../../../wire/entities/poll.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import { canInType } from "../../access/view/policy.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader, invalidField, type Fields } from "../../validation/check.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { requireReadPoll, canVoteSomewhere, publishPoll } from "./poll-messages.ts";
import { checkSize, customOfPoll, newOption } from "./input.ts";
import { APP_SCOPE } from "../../access/storage/grants.ts";
import { requireChange, reader } from "./polls.ts";
import { polls, dataOf, storePoll, type PollRow } from "../storage/rows.ts";

function find(row: PollRow, id: string): PollOption {
  const option = dataOf(row).options.find((candidate) => candidate.id === id);
  if (!option) throw ApiProblem.notFound(`Poll ${row.id} has no option ${id.slice(0, 255)}`);
  return option;
}

/** Stores the poll with these options and emits `poll.updated`. */
function replace(call: RouteCall, row: PollRow, me: UserRow | undefined, options: PollOption[]): void {
  const data = { ...dataOf(row), options };
  const after = storePoll(call.db, row, data, row.closed === 1, call.now());
  publishPoll(call, "poll.updated", after, { me });
}

/** Requires that the user may add an option (V-9): voters may where the poll allows it, its creator always. */
function requireSuggest(call: RouteCall, row: PollRow, me: UserRow): void {
  if (canInType(call, APP_SCOPE, "update-poll", row.created_by === me.id)) return;
  requireReadPoll(call, row, me.id);
  if (!dataOf(row).allow_user_suggested_options)
    throw ApiProblem.notAllowed("Only the creator may add options to this poll");
  if (!canVoteSomewhere(call, row)) throw ApiProblem.notAllowed("You are not allowed to vote in this poll");
}

export function createPollOption(call: RouteCall): Reply<"createPollOption"> {
  const row = polls.need(call.db, { id: call.path.poll_id ?? "" });
  const me = actor(call);
  requireSuggest(call, row, me);
  const data = dataOf(row);
  const check = new BodyReader(call.body);
  const option = newOption(call, check, check.read(pollBodies.createPollOption), data.options);
  const options = [...data.options, option];
  checkSize(check, customOfPoll(data as unknown as Fields), options);
  check.done();
  if (row.closed) throw invalidField("poll_id", "is closed", "The poll is closed");
  if (options.length > POLL_MAX_OPTIONS)
    throw invalidField("options", `must hold at most ${POLL_MAX_OPTIONS} entries`);
  replace(call, row, me, options);
  return { poll_option: option };
}

/** PUT: replaces text and custom fields; votes are kept. */
export function updatePollOption(call: RouteCall): Reply<"updatePollOption"> {
  const row = polls.need(call.db, { id: call.path.poll_id ?? "" });
  const me = actor(call);
  requireChange(call, row, me, "update-poll");
  const check = new BodyReader(call.body);
  const input = check.read(pollBodies.updatePollOption);
  check.done();
  const { id } = input;
  find(row, id);
  const data = dataOf(row);
  const others = data.options.filter((existing) => existing.id !== id);
  const option = newOption(call, check, input, others);
  const options = data.options.map((existing) => (existing.id === id ? option : existing));
  checkSize(check, customOfPoll(data as unknown as Fields), options);
  check.done();
  replace(call, row, me, options);
  return { poll_option: option };
}

export function getPollOption(call: RouteCall): Reply<"getPollOption"> {
  const row = polls.need(call.db, { id: call.path.poll_id ?? "" });
  requireReadPoll(call, row, reader(call)?.id);
  return { poll_option: find(row, call.path.option_id ?? "") };
}

export function deletePollOption(call: RouteCall): Reply<"deletePollOption"> {
  const row = polls.need(call.db, { id: call.path.poll_id ?? "" });
  const me = reader(call);
  requireChange(call, row, me, "update-poll");
  const { id } = find(row, call.path.option_id ?? "");
  replace(
    call,
    row,
    me,
    dataOf(row).options.filter((option) => option.id !== id),
  );
  return {};
}
