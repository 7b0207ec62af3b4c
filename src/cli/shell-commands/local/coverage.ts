/** `parley local coverage`: lists the routes of the protocol that the embedded provider has. */
import { rowOf } from "../../../commands/base/define-command.ts";
import { showList } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";

interface Covered {
  method: string;
  path: string;
  op: string;
}

const coverage: ShellRun<Record<never, never>> = async (shell) => {
  const { routes } = (await shell.host.local.control("coverage", {})) as unknown as { routes: Covered[] };
  return showList(shell, routes, (route) =>
    rowOf(route, { method: "method", path: "path", operation: "op" }),
  );
};
export default coverage;
