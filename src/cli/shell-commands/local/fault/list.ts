/** `parley local fault list`: the simulated faults of the embedded provider. */
import type { Shell } from "../../../base/shell.ts";
import { rowView, command } from "../../../../commands/base/define-command.ts";
import { showList } from "../../../output/results.ts";
import { effectOf, type ShownFault } from "./fault.ts";

export default command({
  shell: true,
  summary: "List active faults",
  examples: ["local fault list", "local fault list --json"],
  allowsDryRun: true,
  async run(shell: Shell) {
    const { faults } = (await shell.host.local.control("fault", { do: "list" })) as unknown as {
      faults: ShownFault[];
    };
    return showList(shell, faults, (one) =>
      rowView({ id: one.id, request: one.match, what: effectOf(one), times: one.times ?? "until cleared" }),
    );
  },
});
