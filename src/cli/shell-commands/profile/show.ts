/** `parley profile show`: prints a profile without its secret. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { readSecret } from "../../../config/secrets.ts";
import { showOne } from "../../output/results.ts";
import { profileOf, ONE_PROFILE } from "./profile.ts";

export default command({
  shell: true,
  summary: "Show a profile, never its secret",
  examples: ["profile show work", "profile show --json=kind"],
  allowsDryRun: true,
  args: ONE_PROFILE,
  async run(shell: Shell, { name }) {
    const row = profileOf(shell, name);
    const stored =
      row.kind === "token" || row.kind === "secret"
        ? (await readSecret(shell.env, row, shell.flags.insecure)) !== undefined
        : undefined;
    const shown = { ...row, stored };
    const { command, tools, ...plain } = shown;
    return showOne(shell, shown, {
      kind: "fields",
      fields: [
        ...Object.entries(plain),
        ["command", Array.isArray(command) ? command.join(" ") : command],
        ...(tools ? [["tools", tools.join(", ")] as [string, string]] : []),
      ],
    });
  },
});
