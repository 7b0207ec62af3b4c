/** Sends a campaign file to a few people as a test and shows what they received. */
import { CommandError, command, rowView } from "../base/define-command.ts";
import { WITHIN } from "../base/poll-task.ts";
import { CAMPAIGN_FILE_ARG, MODE } from "./args/flow.ts";
import type { TestResult } from "./flow/test-run.ts";

const MAX_PEOPLE = 10;

export default command({
  summary: "Send a test of a campaign to a few people",
  changes: "provider",
  examples: ["campaign test spring.yaml --to ana,bo", "campaign test spring.yaml --to ana --json"],
  args: {
    file: CAMPAIGN_FILE_ARG,
    to: {
      kind: "list",
      value: "user",
      required: true,
      help: "Who receives it, at most 10, for example ana,bo",
    },
    ...MODE,
    within: WITHIN,
  },
  needs: "secret",
  async *run(call): AsyncIterable<TestResult> {
    const { file, to, mode, within } = call.args;
    const ids = [...new Set(to.map((id) => id.replace(/^@/, "")))].filter(Boolean);
    if (ids.length === 0 || ids.length > MAX_PEOPLE)
      throw new CommandError("usage", `--to must name 1 to ${MAX_PEOPLE} people, not ${ids.length}.`);
    const { testRun } = await import("./flow/test-run.ts");
    yield* testRun(call, { name: file, ids, mode, within });
  },
  show: ({ user, result, channel, text }) => rowView({ user, result, channel, text }),
});
