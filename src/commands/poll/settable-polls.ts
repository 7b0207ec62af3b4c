/** How `set --file` reads and writes polls: a page in a request. */
import type { Core } from "../../core/core.ts";
import { SETTABLE_OF_POLLS } from "../../wire/bodies/polls.ts";
import { POLLS_LIMIT } from "../../wire/constants.ts";
import { builtInKeys } from "../../wire/entities/fields.ts";
import { Poll } from "../../wire/entities/poll.ts";
import { oneByOne, type Settable } from "../base/bulk/set-from-file.ts";

/** Fields that stay text even if they look like numbers. */
export const TEXTS_OF_POLLS: readonly string[] = ["name", "description"];

/** What `poll list` has besides the fields of a poll. */
const RULES_COLUMN = "rules";

export function settablePolls(core: Pick<Core, "call">): Settable<Poll> {
  const builtIn = new Set(builtInKeys(Poll()));
  return {
    noun: "poll",
    form: {
      ids: ["id", "poll_id"],
      known: ["id", "name", "description"],
      texts: TEXTS_OF_POLLS,
      readId: (text) => text,
    },
    isSettable: (name) => name !== RULES_COLUMN && (!builtIn.has(name) || SETTABLE_OF_POLLS.has(name)),
    pageSize: POLLS_LIMIT[1],
    async now(ids) {
      const body = { filter: { id: { $in: [...ids] } }, limit: ids.length };
      const { polls } = await core.call("queryPolls", { query: {}, body });
      return new Map(polls.map((poll) => [poll.id, poll]));
    },
    ...oneByOne(
      async (poll_id, body) => (await core.call("updatePollPartial", { path: { poll_id }, body })).poll,
    ),
  };
}
