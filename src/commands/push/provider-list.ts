/** Lists the push services of the app. */
import { command, rowView } from "../base/define-command.ts";

export default command({
  summary: "List push providers",
  examples: ["push provider list", "push provider list --json=type,name"],
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
