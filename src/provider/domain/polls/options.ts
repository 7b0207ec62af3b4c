/** Options of a poll one by one: adding, changing, reading and deleting (V-9, V-10). */
import { pollBodies } from "../../../wire/bodies/polls.ts";
import { POLL_MAX_OPTIONS } from "../../../wire/constants.ts";
import type { PollOption } from "../../../wire/poll.ts";
import { Refusal, type Call, type Reply } from "../../handler.ts";
import { canInType, notAllowed } from "../access/policy.ts";
import { actor } from "../asked/acting.ts";
import { Check, wrong, type Fields } from "../asked/check.ts";
import type { UserRow } from "../users/view.ts";
import { mayReadPoll, mayVoteSomewhere, tellPoll } from "./holders.ts";
import { checkSize, customOfPoll, newOption } from "./input.ts";
import { APP, mayChange, reader } from "./polls.ts";
import { dataOf, pollRow, storePoll, type PollRow } from "./rows.ts";

function find(row: PollRow, id: string): PollOption {
  const option = dataOf(row).options.find((one) => one.id === id);
  if (!option) throw new Refusal(16, `Poll ${row.id} has no option ${id.slice(0, 255)}`);
  return option;
}

/** The poll with other options; `poll.updated`. */
function replace(call: Call, row: PollRow, me: UserRow | undefined, options: PollOption[]): void {
  const data = { ...dataOf(row), options };
  const after = storePoll(call.db, row, data, row.closed === 1, call.now());
  tellPoll(call, "poll.updated", after, { me });
}

/** V-9: who may vote may suggest, where the poll allows it; its creator may add at any time before it is closed. */
function maySuggest(call: Call, row: PollRow, me: UserRow): void {
  if (canInType(call, APP, "update-poll", row.created_by === me.id)) return;
  mayReadPoll(call, row, me.id);
  if (!dataOf(row).allow_user_suggested_options)
    throw notAllowed("Only the creator may add options to this poll");
  if (!mayVoteSomewhere(call, row)) throw notAllowed("You are not allowed to vote in this poll");
}

export function createPollOption(call: Call): Reply {
  const row = pollRow(call.db, call.path.poll_id ?? "");
  const me = actor(call);
  maySuggest(call, row, me);
  const data = dataOf(row);
  const check = new Check(call.body);
  const option = newOption(call, check, check.read(pollBodies.createPollOption), data.options);
  const options = [...data.options, option];
  checkSize(check, customOfPoll(data as unknown as Fields), options);
  check.done();
  if (row.closed) throw new Refusal(4, "The poll is closed", { fields: { poll_id: "is closed" } });
  if (options.length > POLL_MAX_OPTIONS)
    throw wrong("options", `must hold at most ${POLL_MAX_OPTIONS} entries`);
  replace(call, row, me, options);
  return { poll_option: option };
}

/** PUT: text and custom fields are replaced; votes stay. */
export function updatePollOption(call: Call): Reply {
  const row = pollRow(call.db, call.path.poll_id ?? "");
  const me = actor(call);
  mayChange(call, row, me, "update-poll");
  const check = new Check(call.body);
  const given = check.read(pollBodies.updatePollOption);
  check.done();
  const { id } = given;
  find(row, id);
  const data = dataOf(row);
  const others = data.options.filter((one) => one.id !== id);
  const option = newOption(call, check, given, others);
  const options = data.options.map((one) => (one.id === id ? option : one));
  checkSize(check, customOfPoll(data as unknown as Fields), options);
  check.done();
  replace(call, row, me, options);
  return { poll_option: option };
}

export function getPollOption(call: Call): Reply {
  const row = pollRow(call.db, call.path.poll_id ?? "");
  mayReadPoll(call, row, reader(call)?.id);
  return { poll_option: find(row, call.path.option_id ?? "") };
}

export function deletePollOption(call: Call): Reply {
  const row = pollRow(call.db, call.path.poll_id ?? "");
  const me = reader(call);
  mayChange(call, row, me, "update-poll");
  const { id } = find(row, call.path.option_id ?? "");
  replace(
    call,
    row,
    me,
    dataOf(row).options.filter((one) => one.id !== id),
  );
  return {};
}
