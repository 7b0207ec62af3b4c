/** Previews the message of a campaign file for people of its audience. */
import { command } from "../base/define-command.ts";
import { CAMPAIGN_FILE_ARG, MODE } from "./args/flow.ts";
import type { Preview } from "./flow/preview.ts";

export default command({
  summary: "Preview a campaign's message as recipients would see it",
  changes: "nothing",
  examples: ["campaign preview spring.yaml --user bo", "campaign preview spring.yaml --samples 3 --json"],
  args: {
    file: CAMPAIGN_FILE_ARG,
    user: { kind: "list", value: "user", help: "Preview as this user (repeatable)" },
    ...MODE,
    samples: {
      kind: "number",
      from: 1,
      value: "n",
      help: "Preview for this many of its audience (default: 1)",
    },
  },
  needs: "secret",
  async *run(call): AsyncIterable<Preview> {
    const { previews } = await import("./flow/preview.ts");
    const { file, user, samples = 1, mode } = call.args;
    const users = user.map((id) => id.replace(/^@/, ""));
    yield* previews(call, { name: file, users, samples, mode });
  },
  show: ({ user, name, channel, text, plain, empty, campaign }) => ({
    kind: "text",
    lines: [
      `${campaign} to ${user}${name === undefined ? "" : ` (${name})`} in ${channel}`,
      ...text.split("\n").map((line) => `  ${line}`),
      ...(plain === text ? [] : [`  plain: ${plain}`]),
      ...(empty.length === 0 ? [] : [`  empty: ${empty.join(", ")}`]),
    ],
  }),
});
