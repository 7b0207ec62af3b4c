/** `parley local coverage`: every route of the protocol, and which of them the embedded provider has. */
import { rowView } from "../../../commands/base/define-command.ts";
import { showList } from "../../output/results.ts";
import { say } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { COVERAGE_ARGS } from "./index.ts";

interface Covered {
  method: string;
  path: string;
  op: string;
  implemented: boolean;
}

const coverage: ShellRun<typeof COVERAGE_ARGS> = async (shell, args) => {
  const { routes } = (await shell.host.local.control("coverage", {})) as unknown as { routes: Covered[] };
  const missing = routes.filter((route) => !route.implemented);
  const code = await showList(shell, args.missing ? missing : routes, (route) =>
    rowView({
      method: route.method,
      path: route.path,
      operation: route.op,
      state: route.implemented ? "implemented" : "501",
    }),
  );
  say(shell, `${routes.length - missing.length} of ${routes.length} routes are implemented`);
  return code;
};
export default coverage;
