/** `parley local coverage`: every route of the protocol, and which of them the embedded provider has. */
import { openResults } from "../../output/results.ts";
import { say } from "../../base/shell.ts";
import type { OwnRun } from "../kit.ts";

interface Covered {
  method: string;
  path: string;
  op: string;
  implemented: boolean;
}

const coverage: OwnRun = async (shell, values) => {
  const { routes } = (await shell.host.local.control("coverage", {})) as unknown as { routes: Covered[] };
  const missing = routes.filter((route) => !route.implemented);
  const results = openResults(shell, true);
  for (const route of values.missing ? missing : routes)
    await results.item(route, {
      kind: "table",
      columns: ["method", "path", "operation", "state"],
      rows: [[route.method, route.path, route.op, route.implemented ? "implemented" : "501"]],
    });
  await results.end();
  say(shell, `${routes.length - missing.length} of ${routes.length} routes are implemented`);
  return 0;
};
export default coverage;
