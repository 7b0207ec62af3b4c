/** `parley local fault list`: the simulated faults of the embedded provider. */
import { rowView } from "../../../../commands/base/define-command.ts";
import type { ShellRun } from "../../../base/shell-command.ts";
import { showList } from "../../../output/results.ts";
import { effectOf, type ShownFault } from "./fault.ts";

const list: ShellRun<{}> = async (shell) => {
  const { faults } = (await shell.host.local.control("fault", { do: "list" })) as unknown as {
    faults: ShownFault[];
  };
  return showList(shell, faults, (one) =>
    rowView({ id: one.id, request: one.match, what: effectOf(one), times: one.times ?? "until cleared" }),
  );
};
export default list;
