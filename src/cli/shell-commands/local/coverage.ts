/** `parley local coverage`: lists the routes of the protocol that the embedded provider has. */
import { command, rowOf } from "../../../commands/base/define-command.ts";
import { showList } from "../../output/results.ts";
import type { Shell } from "../../base/shell.ts";

interface Covered {
  method: string;
  path: string;
  op: string;
}

export default command({
  shell: true,
  summary: "List the routes that the embedded provider answers",
  examples: ["local coverage", "local coverage --json=op,path"],
  allowsDryRun: true,
  async run(shell: Shell) {
    const { routes } = (await shell.host.local.control("coverage", {})) as unknown as { routes: Covered[] };
    return showList(shell, routes, (route) =>
      rowOf(route, { method: "method", path: "path", operation: "op" }),
    );
  },
});
