/** Extensions: the user's programs called `parley-NAME` in the folders of PATH, and what they are told. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { withoutSecrets } from "./child-env.ts";
import type { Env } from "./paths.ts";
import { findProgram, isProgram, PROGRAM_ENDINGS, programFolders } from "./programs.ts";

export interface Extension {
  name: string;
  path: string;
}

/** What an extension is told of the place it was started from; never a token or a secret. */
export interface ExtensionContext {
  extension: string;
  args: readonly string[];
  caller: "shell" | "screen";
  profile: string;
  user_id?: string | undefined;
  /** The open channel, or the setting `channel`. */
  cid?: string | undefined;
  /** The open thread. */
  parent_id?: string | undefined;
  /** The selected message, else the newest one. */
  message?: ExtensionMessage | undefined;
}

interface ExtensionMessage {
  id: string;
  user: { id: string; name: string };
  text: string;
  created_at: string;
}

const PREFIX = "parley-";
const NAME = /^[a-z][\w-]{0,30}$/i;
/** The extension of this name; undefined if no folder of PATH has it. */
export function findExtension(env: Env, name: string): Extension | undefined {
  const file = NAME.test(name) ? findProgram(env, PREFIX + name) : undefined;
  return file === undefined ? undefined : { name, path: file };
}

function programsIn(folder: string): Extension[] {
  let files: string[];
  try {
    files = readdirSync(folder).filter((file) => file.startsWith(PREFIX));
  } catch {
    return [];
  }
  return files.toSorted().flatMap((file) => {
    const ending = PROGRAM_ENDINGS.find((one) => file.toLowerCase().endsWith(one));
    const name = ending === undefined ? "" : file.slice(PREFIX.length, file.length - ending.length);
    const full = path.join(folder, file);
    return NAME.test(name) && isProgram(full) ? [{ name, path: full }] : [];
  });
}

/** All programs that are called like extensions, in the order of PATH; of several with one name the first runs. */
export const listExtensions = (env: Env): Extension[] => programFolders(env).flatMap(programsIn);

/** The names of extensions, each once. */
export const extensionNames = (env: Env): string[] => [
  ...new Set(listExtensions(env).map(({ name }) => name)),
];

/** The environment of an extension (docs/extensions.md); what does not apply is absent. */
export function extensionEnv(env: Env, context: ExtensionContext): NodeJS.ProcessEnv {
  const { extension, caller, profile, user_id: user, cid, parent_id: thread, message } = context;
  return {
    ...withoutSecrets(env),
    PARLEY_EXTENSION: extension,
    PARLEY_CALLER: caller,
    PARLEY_PROFILE: profile,
    PARLEY_USER: user,
    PARLEY_CHANNEL: cid,
    PARLEY_THREAD: thread,
    PARLEY_MESSAGE: message?.id,
  };
}

/** The context as one line of JSON; what does not apply is null. */
export function extensionInput(context: ExtensionContext): string {
  const { extension, args, caller, profile, user_id = null, cid = null, parent_id = null } = context;
  const { message = null } = context;
  const facts = { extension, args, caller, profile, user_id, cid, parent_id, message };
  return `${JSON.stringify({ schema_version: 1, ...facts })}\n`;
}
