/** Deletes a blocklist; channel types and channels that used it no longer check messages against it. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Delete a blocklist",
  changes: "provider",
  examples: ["blocklist delete sweet", "blocklist delete sweet --yes"],
  aliases: ["rm"],
  args: { blocklist: { kind: "text", value: "name", positional: true, help: "The blocklist" } },
  needs: "secret",
  confirm: (args) => ({
    level: "moderate",
    question: `Delete blocklist ${args.blocklist}? Whatever names it checks nothing any more.`,
  }),
  async run({ args, core }) {
    await core.call("deleteBlocklist", { path: { name: args.blocklist } });
    return { blocklist: args.blocklist, deleted: true };
  },
  show: (one) => `${one.blocklist} deleted`,
});
