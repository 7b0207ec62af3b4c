/** Reads JSON arguments, text files, and objects from JSON or YAML files. */
import { CommandError, type FileReading } from "./define-command.ts";
import { fileProblem } from "./file-problem.ts";
import { textOf } from "./text.ts";
import { isObject, parseObject } from "../../wire/json-object.ts";

/** Throws `CommandError` (usage) naming the argument for text that is not a JSON object. */
export function readJsonObject(text: string, name: string, example: string): Record<string, unknown> {
  const value = parseObject(text);
  if (value) return value;
  throw new CommandError("usage", `${name} must be a JSON object.`, `For example ${name} '${example}'`);
}

/** The text of a file without a byte order mark; `-` is standard input. Throws `CommandError`. */
export async function readTextFile(call: FileReading, file: string): Promise<string> {
  if (file === "-") return textOf(call, "-");
  const { readFile } = await import("node:fs/promises");
  const path = (await call.localFile?.(file)) ?? file;
  try {
    return (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  } catch (error) {
    throw fileProblem(error, file);
  }
}

/** Loads the yaml package; in the bundle only its default export exists. */
export async function loadYaml(): Promise<typeof import("yaml")> {
  return ((await import("yaml")) as unknown as { default: typeof import("yaml") }).default;
}

/** Aliases are rejected: they can expand a small file into a huge object. */
export const NO_ALIASES = { maxAliasCount: 0 } as const;

/** An object from a JSON or YAML file (`-`: standard input). Throws `CommandError`. */
export async function readObjectFile(call: FileReading, file: string): Promise<Record<string, unknown>> {
  const text = await readTextFile(call, file);
  const yaml = await loadYaml();
  let value: unknown;
  try {
    value = yaml.parse(text, { ...NO_ALIASES, prettyErrors: true });
  } catch (error) {
    throw new CommandError(
      "rejected",
      `${file} is neither JSON nor YAML: ${(error as Error).message.split("\n")[0]}`,
    );
  }
  if (!isObject(value)) throw new CommandError("rejected", `${file} does not contain an object.`);
  return value;
}
