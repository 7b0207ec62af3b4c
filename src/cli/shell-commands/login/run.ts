/** `parley login`: adds a profile with its token or secret; no flag takes a secret's value. */
import { readFileSync } from "node:fs";
import type { Values } from "../../../commands/base/define-command.ts";
import { findProfile, removeProfile, saveProfile } from "../../../config/profiles.ts";
import type { AuthKind } from "../../../config/profiles.ts";
import { removeSecret, saveSecret } from "../../../config/secrets.ts";
import { readToken } from "../../../wire/token.ts";
import { ExitError } from "../../base/exit.ts";
import { ask, askSecret, mayAsk } from "../../base/prompts.ts";
import type { Shell } from "../../base/shell.ts";
import { say } from "../../base/shell.ts";
import { profileFrom, tryProfile } from "../profile/profile.ts";
import type { LOGIN_ARGS } from "./index.ts";
import type { ShellRun } from "../../base/shell-command.ts";

type Given = Values<typeof LOGIN_ARGS>;

async function need(
  shell: Shell,
  given: string | undefined,
  question: string,
  flag: string,
): Promise<string> {
  if (given) return given;
  if (!mayAsk(shell)) throw new ExitError(2, `${flag} is missing.`);
  const answer = (await ask(shell, question)).trim();
  if (answer === "") throw new ExitError(2, `${flag} is missing.`);
  return answer;
}

async function secretText(shell: Shell, values: Given, kind: AuthKind): Promise<string> {
  const { env } = shell;
  const word = kind === "secret" ? "secret" : "token";
  let text: string | undefined;
  if (values.secretFile !== undefined) text = readFileSync(values.secretFile, "utf8");
  else if (values.withToken || values.secretStdin) text = await askSecret(shell, `${word}: `);
  else text = (kind === "secret" ? env.PARLEY_API_SECRET : env.PARLEY_TOKEN) || undefined;
  if (text === undefined) {
    if (!mayAsk(shell))
      throw new ExitError(
        2,
        `There is no ${word}.`,
        `Pipe it in with ${kind === "secret" ? "--secret-stdin" : "--with-token"}.`,
      );
    text = await askSecret(shell, `${word} (not shown): `);
  }
  const trimmed = text.trim();
  if (trimmed === "") throw new ExitError(2, `The ${word} is empty.`);
  return trimmed;
}

const login: ShellRun<typeof LOGIN_ARGS> = async (shell, values) => {
  const kind =
    (values.kind as AuthKind | undefined) ??
    (values.command ? "command" : values.secretStdin ? "secret" : "token");
  const { name } = values;
  if (name === "local") throw new ExitError(2, "'local' is the embedded provider; choose another name.");
  const key = await need(shell, values.key, "API key: ", "--key");
  const secret = kind === "command" ? undefined : await secretText(shell, values, kind);
  // A token names its user: nobody has to type it twice.
  const claimed = kind === "token" ? readToken(secret!)?.claims.user_id : undefined;
  if (kind === "token" && !readToken(secret!))
    throw new ExitError(7, "That is not a token: it must have three parts with dots between.");
  const user =
    kind === "secret" ? values.user : await need(shell, values.user ?? claimed, "User id: ", "--user");
  if (claimed !== undefined && user !== claimed)
    throw new ExitError(2, `The token is for ${claimed}, not for ${user}.`, "Leave --user out.");
  const existed = findProfile(shell.env, name) !== undefined;
  const profile = profileFrom({ ...values, key, ...(user === undefined ? {} : { user }) }, kind);
  await saveProfile(shell.env, profile);
  if (secret !== undefined) {
    const store = await saveSecret(shell.env, name, secret);
    await saveProfile(shell.env, { ...profile, store });
    say(
      shell,
      store === "keyring"
        ? "the secret is in the OS keyring"
        : "no keyring answers: the secret is in a file only you can read",
    );
  }
  if (!values.noTest) {
    try {
      const { user: who, ms } = await tryProfile(shell, name);
      say(shell, `signed in as ${who}, ${ms} ms`);
    } catch (error) {
      if (!existed) {
        await removeSecret(shell.env, { ...profile, store: "file" });
        await removeProfile(shell.env, name);
      }
      throw error;
    }
  }
  const before = shell.settings.profile;
  await shell.host.saveSetting("profile", name);
  if (before !== name)
    say(
      shell,
      `${name} is the profile used from now on; parley profile use ${before} goes back to ${before}`,
    );
  return 0;
};
export default login;
