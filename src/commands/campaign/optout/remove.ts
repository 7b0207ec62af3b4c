/** Removes people from the opt-out list of campaigns. */
import { CommandError, command } from "../../base/define-command.ts";
import { OPT_OUT_ARGS, optOutIds } from "../args/optout.ts";

export default command({
  summary: "Opt people back in to campaigns",
  changes: "local",
  examples: ["campaign optout remove bo", "campaign optout remove --file back.txt"],
  args: OPT_OUT_ARGS,
  shellOnly: "works on files",
  async run(call) {
    const { readOptOuts, writeOptOuts } = await import("../receipts/campaign-folder.ts");
    const { machine } = call;
    if (!machine) throw new CommandError("notAllowed", "It is noted from a shell.");
    const removed = new Set(await optOutIds(call));
    const all = readOptOuts(machine);
    const remaining = all.filter(({ id }) => !removed.has(id));
    const result = { removed: all.length - remaining.length, total: remaining.length };
    if (call.dry) return { ...result, dry_run: true };
    writeOptOuts(machine, remaining);
    return result;
  },
  show: ({ removed, total, ...rest }) =>
    "dry_run" in rest
      ? `would remove ${removed}; ${total} would want no campaigns`
      : `${removed} removed, ${total} want no campaigns`,
});
