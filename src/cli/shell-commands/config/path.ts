/** `parley config path`: prints where the program stores its files. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import * as places from "../../../config/paths.ts";
import { themesFolder } from "../../../config/themes.ts";
import { showFields } from "../../output/results.ts";

export default command({
  shell: true,
  summary: "Show where files are stored",
  examples: ["config path", "config path --json"],
  skipsConfig: true,
  allowsDryRun: true,
  run(shell: Shell) {
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
  },
});
