/** `parley local fault clear`: ends simulated faults. */
import type { Shell } from "../../../base/shell.ts";
import { command } from "../../../../commands/base/define-command.ts";
import { count } from "../../../../text/words.ts";
import { ExitError } from "../../../base/exit.ts";
import { showOne } from "../../../output/results.ts";

export default command({
  shell: true,
  summary: "Clear one fault or all of them",
  examples: ["local fault clear", "local fault clear 2"],
  args: {
    id: { kind: "text", positional: true, optional: true, help: "Id of the fault (default: all)" },
  },
  async run(shell: Shell, { id }) {
    const { cleared } = await shell.host.local.control("fault", {
      do: "clear",
      ...(id === undefined ? {} : { id }),
    });
    if (id !== undefined && cleared === 0) throw new ExitError(3, `There is no fault ${id}.`);
    return showOne(shell, { cleared }, `${count(Number(cleared), "fault")} cleared`);
  },
});
