/** JSON given as the text of an argument, and whole objects from JSON or YAML files. */
import { CommandError } from "./define-command.ts";
import type { Args, CommandCall } from "./define-command.ts";
import { textOf } from "./text.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Throws `CommandError` (usage) naming the argument when the text is no JSON object. */
export function readJsonObject(text: string, name: string, example: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // said below
  }
  throw new CommandError("usage", `${name} must be a JSON object.`, `For example ${name} '${example}'`);
}

/** One object from a file (`-`: standard input); YAML holds JSON as well. Throws `CommandError` for no file, no object. */
export async function readObjectFile(
  call: Pick<CommandCall<Args>, "input">,
  file: string,
): Promise<Record<string, unknown>> {
  let text: string;
  if (file === "-") text = await textOf(call, "-");
  else {
    const { readFile } = await import("node:fs/promises");
    try {
      text = await readFile(file, "utf8");
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") throw new CommandError("notFound", `There is no file ${file}.`);
      if (code === "EISDIR" || code === "EACCES")
        throw new CommandError("rejected", `${file} cannot be read.`);
      throw error;
    }
  }
  // the bundle knows the package by its default export only
  const { default: yaml } = (await import("yaml")) as unknown as { default: typeof import("yaml") };
  let value: unknown;
  try {
    // aliases are not followed: a small file must not become a big object
    value = yaml.parse(text, { maxAliasCount: 0, prettyErrors: true });
  } catch (error) {
    throw new CommandError(
      "rejected",
      `${file} is neither JSON nor YAML: ${(error as Error).message.split("\n")[0]}`,
    );
  }
  if (!isObject(value)) throw new CommandError("rejected", `${file} holds no object.`);
  return value;
}
