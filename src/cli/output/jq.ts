/** Runs jq filters over results, with jq compiled to wasm, loaded on first use. */
import { createRequire } from "node:module";
import { wellFormedJson } from "../../text/well-formed.ts";
import { ExitError } from "../base/exit.ts";
import { plainCell } from "./controls.ts";
import { escapeControls } from "./json.ts";

interface Jq {
  raw(json: string, filter: string, flags: string[]): Promise<string> | string;
}

let loaded: Promise<Jq> | undefined;

/** A result of jq as a line: a string as its text, anything else as JSON. */
const lineOf = (json: string, cleanText: (text: string) => string): string =>
  `${json.startsWith('"') ? cleanText(JSON.parse(json) as string) : escapeControls(json)}\n`;

/**
 * Prints strings raw (like `-r`), one result per line; `cleanText` is applied to each of them, since other people's control
 * characters would be printed as they are (specification/security.md §2). An undefined value only checks the filter. Throws `ExitError` 2 for an invalid filter, 1 for one that fails on the value.
 */
export async function runJq(
  filter: string,
  value: unknown,
  cleanText: (text: string) => string = plainCell,
): Promise<string> {
  // A CommonJS module without types; it exports a promise.
  loaded ??= createRequire(import.meta.url)("jq-web") as Promise<Jq>;
  const jq = await loaded;
  try {
    const input = value === undefined ? "" : wellFormedJson(value);
    // The flag `-r` of jq cannot be used: the package trims the last newline, which would lose an empty last string.
    // After a blank, jq does not read a filter such as `-length` as an option.
    const output = (await jq.raw(input, ` ${filter}`, ["-c"])) ?? "";
    return output
      .split("\n")
      .filter(Boolean)
      .map((json) => lineOf(json, cleanText))
      .join("");
  } catch (error) {
    const { stderr, message, exitCode } = error as { stderr?: string; message: string; exitCode?: number };
    const line = (stderr || message).split("\n").find((part) => part.startsWith("jq:")) ?? message;
    const why = line.replace(/^jq: error( \([^)]*\))?:? /, "").replace(/ \(Unix shell.*$| at <.*$/, "");
    if (exitCode === 3)
      throw new ExitError(2, `The jq filter '${filter}' is invalid: ${why}`, "parley help formatting");
    throw new ExitError(1, `The jq filter '${filter}' failed: ${why}`, "--fields lists the available fields");
  }
}
