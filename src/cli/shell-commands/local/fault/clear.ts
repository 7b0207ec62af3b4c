/** `parley local fault clear`: ends simulated faults. */
import { count } from "../../../../text/words.ts";
import { ExitError } from "../../../base/exit.ts";
import type { ShellRun } from "../../../base/shell-command.ts";
import { showOne } from "../../../output/results.ts";
import type { CLEAR_ARGS } from "./args.ts";

const clear: ShellRun<typeof CLEAR_ARGS> = async (shell, { id }) => {
  const { cleared } = await shell.host.local.control("fault", {
    do: "clear",
    ...(id === undefined ? {} : { id }),
  });
  if (id !== undefined && cleared === 0) throw new ExitError(3, `There is no fault ${id}.`);
  return showOne(shell, { cleared }, `${count(Number(cleared), "fault")} cleared`);
};
export default clear;
