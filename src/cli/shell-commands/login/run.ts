/** `parley login`: adds a profile with its token or secret; no flag takes a secret's value. */
import { readFileSync } from "node:fs";
import type { ArgValues } from "../../../commands/base/define-command.ts";
import type { AuthKind } from "../../../config/profiles.ts";
import { ExitError } from "../../base/exit.ts";
import { promptLine, promptSecret, canPrompt } from "../../base/prompts.ts";
import { type Shell, printNotice } from "../../base/shell.ts";
import type { LOGIN_ARGS } from "./args.ts";
import type { ShellRun } from "../../base/shell-command.ts";

type Given = ArgValues<typeof LOGIN_ARGS>;

async function need(shell: Shell, question: string, flag: string): Promise<string> {
  const answer = canPrompt(shell) ? (await promptLine(shell, question)).trim() : "";
  if (answer === "") throw new ExitError(2, `${flag} is missing.`);
  return answer;
}

async function secretText(shell: Shell, values: Given, kind: AuthKind): Promise<string> {
  const { env } = shell;
  const word = kind === "secret" ? "secret" : "token";
  if (values.secretFile !== undefined) return readFileSync(values.secretFile, "utf8");
  if (values.withToken || values.secretStdin) return promptSecret(shell, `${word}: `);
  const given = kind === "secret" ? env.PARLEY_API_SECRET : env.PARLEY_TOKEN;
  if (given) return given;
  if (!canPrompt(shell))
    throw new ExitError(
      2,
      `There is no ${word}.`,
      `Pipe it in with ${kind === "secret" ? "--secret-stdin" : "--with-token"}.`,
    );
  return promptSecret(shell, `${word} (not shown): `);
}

const login: ShellRun<typeof LOGIN_ARGS> = async (shell, values) => {
  const kind =
    (values.kind as AuthKind | undefined) ??
    (values.command ? "command" : values.secretStdin ? "secret" : "token");
  const { profile, store, tried, before } = await shell.host.signIn({
    ...values,
    kind,
    askKey: () => need(shell, "API key: ", "--key"),
    askSecret: () => secretText(shell, values, kind),
    askUser: () => need(shell, "User id: ", "--user"),
    untried: values.noTest,
    signal: shell.signal,
  });
  if (store !== undefined)
    printNotice(
      shell,
      store === "keyring"
        ? "the secret is in the OS keyring"
        : "no keyring answers: the secret is in a file only you can read",
    );
  // A sign-in with nothing but the app's secret names no user.
  if (tried)
    printNotice(shell, `signed in ${tried.user ? `as ${tried.user}` : "for the app"}, ${tried.ms} ms`);
  if (before !== undefined)
    printNotice(
      shell,
      `${profile} is the profile used from now on; parley profile use ${before} goes back to ${before}`,
    );
  return 0;
};
export default login;
