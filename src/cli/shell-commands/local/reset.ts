/** `parley local reset`: erases everything in the embedded provider and starts over. */
import { count } from "../../../text/words.ts";
import { confirm } from "../../base/prompts.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { showOne } from "../../output/results.ts";
import type { RESET_ARGS } from "./args.ts";

const reset: ShellRun<typeof RESET_ARGS> = async (shell, { seed }) => {
  const { local } = shell.host;
  const data = await shell.host.localData("local");
  const waiting = data?.unsent ? `, ${count(data.unsent, "unsent message")} among them` : "";
  await confirm(shell, {
    level: "severe",
    question: `Everything in ${local.folder} will be erased, and the drafts, journals and cache of this machine for it${waiting}.`,
    word: "reset",
  });
  await local.reset(seed !== "none");
  return showOne(shell, { reset: true }, "erased everything");
};
export default reset;
