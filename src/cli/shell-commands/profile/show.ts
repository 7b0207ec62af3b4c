/** `parley profile show`: prints a profile without its secret. */
import { readSecret } from "../../../config/secrets.ts";
import { showOne } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { ONE_PROFILE } from "./args.ts";
import { profileOf } from "./profile.ts";

const show: ShellRun<typeof ONE_PROFILE> = async (shell, { name }) => {
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
};
export default show;
