/** `parley login`: adds a profile; its token or secret comes from a prompt, standard input, a file or the environment. */
import { PROFILE_FLAGS } from "./profile/profile.ts";
import { type ArgValues, command, type Args } from "../../commands/base/define-command.ts";
import type { LocalData } from "../../open.ts";
import { count } from "../../text/words.ts";
import type { AuthKind } from "../../config/profiles.ts";
import { ExitError } from "../base/exit.ts";
import { promptLine, promptSecret, canPrompt } from "../base/prompts.ts";
import { type Shell, printNotice } from "../base/shell.ts";
import { readSmallFile } from "../../model/files/small-file.ts";

type LoginValues = ArgValues<typeof LOGIN_ARGS>;

async function promptRequired(shell: Shell, question: string, flag: string): Promise<string> {
  const answer = canPrompt(shell) ? (await promptLine(shell, question)).trim() : "";
  if (answer === "") throw new ExitError(2, `${flag} is missing.`);
  return answer;
}

async function secretText(shell: Shell, values: LoginValues, kind: AuthKind): Promise<string> {
  const { env } = shell;
  const word = kind === "secret" ? "secret" : "token";
  if (values.secretFile !== undefined) return readSmallFile(values.secretFile);
  if (values.withToken || values.secretStdin) return promptSecret(shell, `${word}: `);
  const fromEnv = kind === "secret" ? env.PARLEY_API_SECRET : env.PARLEY_TOKEN;
  if (fromEnv) return fromEnv;
  if (!canPrompt(shell))
    throw new ExitError(
      2,
      `There is no ${word}.`,
      `Pipe it in with ${kind === "secret" ? "--secret-stdin" : "--with-token"}.`,
    );
  return promptSecret(shell, `${word} (not shown): `);
}

/** Says whose messages wait here that the profile no longer reaches. */
async function noticeLeft(shell: Shell, before: LocalData | undefined, profile: string): Promise<void> {
  const now = await shell.host.localData(profile);
  if (!before || before.unsent === 0 || before.state === now?.state) return;
  printNotice(
    shell,
    `kept on this machine: ${count(before.unsent, "unsent message")} for ${before.app}; sign in there again to send ${before.unsent === 1 ? "it" : "them"}`,
  );
}

const FIRST_CHANNEL =
  "you are in no channel yet: parley channel create messaging:hello --name Hello makes one, parley channel invite messaging:hello bo invites somebody";

const { protected: PROTECTED, ...KNOWN } = PROFILE_FLAGS;

const LOGIN_ARGS = {
  name: {
    kind: "text",
    positional: true,
    optional: true,
    default: "default",
    help: "The profile's name",
  },
  ...KNOWN,
  withToken: { kind: "flag", help: "Read the token from standard input" },
  secretStdin: { kind: "flag", help: "Read the secret from standard input" },
  secretFile: { kind: "file", help: "Read the token or secret from this file" },
  protected: PROTECTED,
  noTest: { kind: "flag", help: "Do not test the profile now" },
} as const satisfies Args;

export default command({
  shell: true,
  group: "Setup",
  summary: "Sign in: add a profile with its key and a token or secret",
  examples: [
    "login work --key k3y --user ana",
    "login work --key k3y --user ana --with-token < token.txt",
    "login ops --key k3y --kind secret --secret-stdin < secret.txt",
  ],
  args: LOGIN_ARGS,
  async run(shell: Shell, values) {
    const before = shell.host.profileOf(values.name) && (await shell.host.localData(values.name));
    const kind =
      (values.kind as AuthKind | undefined) ??
      (values.command ? "command" : values.secretStdin ? "secret" : "token");
    const { profile, store, test, previousProfile } = await shell.host.signIn({
      ...values,
      kind,
      askKey: () => promptRequired(shell, "API key: ", "--key"),
      askSecret: () => secretText(shell, values, kind),
      askUser: () => promptRequired(shell, "User id: ", "--user"),
      skipTest: values.noTest,
      signal: shell.signal,
    });
    if (store !== undefined)
      printNotice(
        shell,
        store === "keyring"
          ? "stored the secret in the OS keyring"
          : "no keyring available: stored the secret in a file only you can read",
      );
    await noticeLeft(shell, before, profile);
    // A sign-in with the app's secret has no user.
    if (test) printNotice(shell, `signed in ${test.user ? `as ${test.user}` : "for the app"}, ${test.ms} ms`);
    if (test?.inChannel === false) printNotice(shell, FIRST_CHANNEL);
    if (previousProfile !== undefined)
      printNotice(
        shell,
        `switched to profile ${profile}; parley profile use ${previousProfile} switches back`,
      );
    return 0;
  },
});
