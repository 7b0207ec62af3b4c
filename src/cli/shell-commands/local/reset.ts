/** `parley local reset`: erases everything in the embedded provider and starts over. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { count } from "../../../text/words.ts";
import { confirm } from "../../base/prompts.ts";
import { showOne } from "../../output/results.ts";

export default command({
  shell: true,
  asks: true,
  summary: "Erase everything in the embedded provider and start over",
  examples: ["local reset --confirm reset", "local reset --seed none"],
  args: {
    seed: { kind: "choice", choices: ["demo", "none"], help: "Initial content: demo or none" },
  },
  confirmWord: { word: "reset" },
  async run(shell: Shell, { seed }) {
    const { local } = shell.host;
    const data = await shell.host.localData("local");
    const waiting = data?.unsent ? `, ${count(data.unsent, "unsent message")} among them` : "";
    await confirm(shell, {
      level: "severe",
      question: `Everything in ${local.folder} will be erased, and the drafts, journals and cache of this machine for it${waiting}.`,
      word: "reset",
    });
    await local.reset(seed === undefined ? undefined : seed === "demo");
    return showOne(shell, { reset: true }, "erased everything");
  },
});
