/** Lists the push services of the app. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "List the push services",
  examples: ["push provider list"],
  aliases: ["ls"],
  args: {},
  needs: "secret",
  async *run({ core }) {
    yield* (await core.call("listPushProviders")).push_providers;
  },
  show: (one) => ({
    kind: "table",
    columns: ["type", "name", "description", "changed"],
    rows: [[one.type, one.name, one.description, one.updated_at]],
  }),
});
