/** `parley config path`: prints where the program stores its files. */
import * as places from "../../../config/paths.ts";
import { themesFolder } from "../../../config/themes.ts";
import { showFields } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";

const path: ShellRun<{}> = (shell) => {
  const { env } = shell;
  const where = {
    config: places.configFile(env),
    credentials: places.credentialsFile(env),
    keys: places.keysFile(env),
    themes: themesFolder(env),
    state: places.stateDir(env),
    cache: places.cacheDir(env),
    local: places.providerDir(env),
    log: places.logFile(env),
  };
  return showFields(shell, where);
};
export default path;
