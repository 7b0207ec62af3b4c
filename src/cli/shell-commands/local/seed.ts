/** `parley local seed`: fills the embedded provider with the demo workspace or with an import file. */
import { statSync } from "node:fs";
import { ExitError } from "../../base/exit.ts";
import { showOne } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { SEED_ARGS } from "./args.ts";
import { importItems, onLocal } from "./on-local.ts";

const seed: ShellRun<typeof SEED_ARGS> = async (shell, { what }) => {
  const { local } = shell.host;
  if (what === "demo") {
    const { seeded } = await local.control("seed", {});
    return showOne(
      shell,
      { seeded },
      seeded ? "created the demo workspace" : "the demo workspace already exists",
    );
  }
  if (!statSync(what, { throwIfNoEntry: false })?.isFile())
    throw new ExitError(3, `There is no file ${what}.`, "parley local seed demo, or an import file");
  return onLocal(shell, "local seed", (call) => importItems(shell, call, what));
};
export default seed;
