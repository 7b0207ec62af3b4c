/** Lists the push services of the app. */
import { command, rowView } from "../base/define-command.ts";

export default command({
  summary: "List the push services",
  examples: ["push provider list"],
  aliases: ["ls"],
  args: {},
  needs: "secret",
  async *run({ core }) {
    yield* (await core.call("listPushProviders")).push_providers;
  },
  show: (one) =>
    rowView(
      { type: one.type, name: one.name, description: one.description, changed: one.updated_at },
      { changed: "updated_at" },
    ),
});
