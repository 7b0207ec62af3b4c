/** Lists the push providers of the app. */
import { command, rowOf } from "../../base/define-command.ts";

export default command({
  summary: "List push providers",
  changes: "nothing",
  examples: ["push provider list", "push provider list --json=type,name"],
  aliases: ["ls"],
  needs: "secret",
  async *run({ core }) {
    yield* (await core.call("listPushProviders")).push_providers;
  },
  show: (one) =>
    rowOf(one, {
      type: "type",
      name: "name",
      description: "description",
      changed: "updated_at",
    }),
});
