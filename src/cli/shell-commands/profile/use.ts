/** `parley profile use`: makes a profile the current one. */
import { saveSetting } from "../../../config/save.ts";
import { printNotice } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { NAMED_PROFILE } from "./args.ts";
import { profileOf } from "./profile.ts";

const use: ShellRun<typeof NAMED_PROFILE> = async (shell, args) => {
  const { name } = profileOf(shell, args.name);
  await saveSetting(shell.env, "profile", name);
  printNotice(shell, `switched to profile ${name}`);
  return 0;
};
export default use;
