/** `parley local fault list`: the simulated faults of the embedded provider. */
import type { Shell } from "../../../base/shell.ts";
import { rowOf, command } from "../../../../commands/base/define-command.ts";
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
      rowOf(one, {
        id: "id",
        request: "match",
        what: { cell: effectOf(one) },
        times: { field: "times", cell: one.times ?? "until cleared" },
      }),
    );
  },
});
