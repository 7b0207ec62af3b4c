/** Reads JSON arguments, text files, and objects from JSON or YAML files. */
import type { FileKind } from "../../model/files/spreadsheet.ts";
import { CommandError, type FileReading } from "./define-command.ts";
import { fileProblem } from "./file-problem.ts";
import { textOf } from "./text.ts";
import { EXCESSIVE, isExcessiveYaml, type BoundsName } from "../../wire/bounded-json.ts";
import { parseGiven, settled, UnusableValue } from "../../wire/given-json.ts";
import { isObject } from "../../wire/json-object.ts";

/** Throws `CommandError` (usage) naming the argument for text that is not a JSON object. */
export function readJsonObject(text: string, name: string, example: string): Record<string, unknown> {
  const value = parsed(text, (why) => new CommandError("usage", `${name} ${why}.`));
  if (isObject(value)) return value;
  throw new CommandError("usage", `${name} must be a JSON object.`, `For example ${name} '${example}'`);
}

/** The value of a JSON text that a person wrote; undefined for no JSON. `refusal` makes the error for what could not be kept as it is. */
export function parsed(text: string, refusal: (why: string) => Error, of?: BoundsName): unknown {
  try {
    return parseGiven(text, of);
  } catch (error) {
    if (error instanceof UnusableValue) throw refusal(error.message);
    return undefined;
  }
}

/** Throws `CommandError` (rejected) for a spreadsheet: `kind` is that of its first bytes. */
export function requireNoSpreadsheet(kind: FileKind | undefined, file: string, expected = "CSV"): void {
  if (kind !== undefined)
    throw new CommandError(
      "rejected",
      `${file === "-" ? "Standard input" : file} is ${kind.name}, not ${expected}.`,
      kind.isZip
        ? "Unpack it, and use the file that is in it."
        : "Save it as CSV in the program that made it, and use that file.",
    );
}

/** The text of a file without a byte order mark; `-` is standard input. Throws `CommandError`. */
export async function readTextFile(call: FileReading, file: string): Promise<string> {
  if (file === "-") return textOf(call, "-");
  const { readSmallFile } = await import("../../model/files/small-file.ts");
  const { spreadsheetIn } = await import("../../model/files/spreadsheet.ts");
  const path = (await call.localFile?.(file)) ?? file;
  try {
    requireNoSpreadsheet(await spreadsheetIn(path), file, "text");
    return readSmallFile(path);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw fileProblem(error, file);
  }
}

/** Loads the yaml package; in the bundle only its default export exists. */
export async function loadYaml(): Promise<typeof import("yaml")> {
  return ((await import("yaml")) as unknown as { default: typeof import("yaml") }).default;
}

/** Aliases are rejected: they can expand a small file into a huge object. */
export const NO_ALIASES = { maxAliasCount: 0 } as const;
/** Integers are read with all their digits, for `settled` to refuse those that a number does not keep. */
export const EXACT_NUMBERS = { intAsBigInt: true } as const;

/** An object from a JSON or YAML file (`-`: standard input). Throws `CommandError`. */
export async function readObjectFile(call: FileReading, file: string): Promise<Record<string, unknown>> {
  const text = await readTextFile(call, file);
  const yaml = await loadYaml();
  if (isExcessiveYaml(text)) throw new CommandError("rejected", `${file} ${EXCESSIVE}.`);
  let value: unknown;
  try {
    value = settled(yaml.parse(text, { ...NO_ALIASES, ...EXACT_NUMBERS, prettyErrors: true }));
  } catch (error) {
    if (error instanceof UnusableValue) throw new CommandError("rejected", `${file} ${error.message}.`);
    throw new CommandError(
      "rejected",
      `${file} is neither JSON nor YAML: ${(error as Error).message.split("\n")[0]}`,
    );
  }
  if (!isObject(value)) throw new CommandError("rejected", `${file} does not contain an object.`);
  return value;
}
