/** Lists the votes and answers of a poll, newest first. */
import type { Filter } from "../../wire/entities/query.ts";
import { POLLS_LIMIT } from "../../wire/constants.ts";
import { byCursor } from "../base/lists/cursor.ts";
import { command } from "../base/define-command.ts";
import { POLL, optionOf, pollOf } from "./find-poll.ts";
import { voteRow } from "./poll-views.ts";
import { itemName } from "../../wire/reading.ts";

export default command({
  summary: "List the votes and answers of a poll",
  changes: "nothing",
  examples: ["poll votes ana-7f3c --answers", "poll votes ana-7f3c --option Noodles --all --json"],
  args: {
    poll: POLL,
    option: { kind: "text", help: "Only votes for this option" },
    answers: { kind: "flag", help: "Only answers" },
    user: { kind: "user", help: "Only votes of this user" },
  },
  async *run(call) {
    const { args, core } = call;
    const poll = await pollOf(call, args.poll);
    const filter: Filter = {
      ...(args.answers ? { is_answer: true } : {}),
      ...(args.option === undefined ? {} : { option_id: optionOf(poll, args.option).id }),
      ...(args.user === undefined ? {} : { user_id: args.user }),
    };
    const names = new Map(poll.options.map(({ id, text }) => [id, text]));
    const votes = byCursor(call.page, POLLS_LIMIT[1], itemName("votes"), async (pageQuery, once) => {
      const reply = await core.call("queryPollVotes", {
        path: { poll_id: poll.id },
        query: {},
        body: { filter, ...pageQuery },
        ...once,
      });
      return { items: reply.votes, next: reply.next };
    });
    for await (const vote of votes) {
      const option = names.get(vote.option_id ?? "");
      yield { ...vote, ...(option === undefined ? {} : { option }) };
    }
  },
  show: voteRow,
});
