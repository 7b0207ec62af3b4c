/** `parley local seed`: fills the embedded provider with the demo workspace or with an import file. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { statSync } from "node:fs";
import { ExitError } from "../../base/exit.ts";
import { showOne } from "../../output/results.ts";
import { importItems, onLocal } from "./on-local.ts";

export default command({
  shell: true,
  summary: "Fill the embedded provider with the demo workspace or an import file",
  examples: ["local seed", "local seed people.jsonl"],
  args: {
    what: {
      kind: "text",
      value: "file",
      positional: true,
      optional: true,
      default: "demo",
      help: "demo, or an import file",
    },
  },
  async run(shell: Shell, { what }) {
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
  },
});
