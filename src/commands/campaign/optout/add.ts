/** Adds people to the opt-out list of this machine and profile; campaigns leave them out. */
import { CommandError, command } from "../../base/define-command.ts";
import { OPT_OUT_ARGS, optOutIds } from "../args/optout.ts";

export default command({
  summary: "Opt people out of all campaigns of this profile",
  changes: "local",
  examples: [
    "campaign optout add bo cy --reason 'asked by mail'",
    "campaign optout add --file unsubscribed.txt",
  ],
  args: { ...OPT_OUT_ARGS, reason: { kind: "text", value: "text", help: "The reason, for the record" } },
  shellOnly: "works on files",
  async run(call) {
    const { readOptOuts, writeOptOuts } = await import("../receipts/campaign-folder.ts");
    const { machine } = call;
    if (!machine) throw new CommandError("notAllowed", "It is noted from a shell.");
    const { reason } = call.args;
    const all = readOptOuts(machine);
    const known = new Set(all.map(({ id }) => id));
    const newIds = (await optOutIds(call)).filter((id) => !known.has(id));
    const since = new Date(call.now()).toISOString();
    const added = newIds.map((id) => ({ id, since, ...(reason === undefined ? {} : { reason }) }));
    const result = { added: added.length, total: all.length + added.length };
    if (call.dry) return { ...result, dry_run: true };
    writeOptOuts(machine, [...all, ...added]);
    return result;
  },
  show: ({ added, total, ...rest }) =>
    "dry_run" in rest
      ? `would add ${added}; ${total} would want no campaigns`
      : `${added} added, ${total} want no campaigns`,
});
