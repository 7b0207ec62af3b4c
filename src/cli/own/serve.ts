/** `parley serve`: the embedded provider in the foreground, until Ctrl-C. */
import type { OwnRun } from "./kit.ts";
import { say } from "../shell.ts";

const serve: OwnRun = async (shell, values) => {
  await shell.host.local.serve({
    ...(typeof values.port === "number" ? { port: values.port } : {}),
    ...(typeof values.data === "string" ? { data: values.data } : {}),
    memory: values.memory === true,
    seed: (values.seed ?? shell.env.PARLEY_LOCAL_SEED) !== "none",
    stay: shell.env.PARLEY_BACKGROUND !== "1",
    signal: shell.signal,
    say: (line) => say(shell, line),
    debug: shell.flags.verbose === true,
  });
  return 0;
};
export default serve;
