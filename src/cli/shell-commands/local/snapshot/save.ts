/** `parley local snapshot save`: saves the data of the embedded provider under a name. */
import type { Shell } from "../../../base/shell.ts";
import { command } from "../../../../commands/base/define-command.ts";
import { showOne } from "../../../output/results.ts";
import { megabytes } from "./snapshot.ts";

export default command({
  shell: true,
  summary: "Save a snapshot of the embedded provider",
  examples: ["local snapshot save before", "local snapshot save monday --json"],
  args: {
    name: { kind: "text", positional: true, help: "Letters, digits, _ and -" },
  },
  async run(shell: Shell, { name }) {
    const { snapshot } = (await shell.host.local.control("snapshot", { name })) as {
      snapshot: { name: string; saved_at: string; size: number };
    };
    return showOne(shell, snapshot, `saved ${name}, ${megabytes(snapshot.size)}`);
  },
});
