/** Runs the command of a profile that prints a token. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { oneSecret } from "./secrets.ts";
import { ConfigError } from "./settings.ts";

const TIMEOUT = 30_000;

/** Without a shell when the command is a list. Throws `ConfigError` when it fails, is silent or hangs for 30 s. */
export async function runTokenCommand(
  command: string | readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const [program, ...args] = typeof command === "string" ? [command] : command;
  const child = spawn(program!, args, {
    shell: typeof command === "string",
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...env },
    timeout: TIMEOUT,
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  const failed = new Promise<never>((_, reject) =>
    child.once("error", (error) =>
      reject(new ConfigError(`The token command cannot be run: ${error.message}`)),
    ),
  );
  const [code] = (await Promise.race([once(child, "close"), failed])) as [number | null];
  if (code !== 0) throw new ConfigError(`The token command exited with ${code ?? "a signal"}.`);
  const token = oneSecret(text, "What the token command printed");
  if (token === "") throw new ConfigError("The token command printed nothing.");
  return token;
}
