/** Runs jq filters over results: the real jq as wasm, loaded on first use. */
import { createRequire } from "node:module";
import { wellFormedJson } from "../../text/well-formed.ts";
import { ExitError } from "../base/exit.ts";

interface Jq {
  raw(json: string, filter: string, flags: string[]): Promise<string> | string;
}

let loaded: Promise<Jq> | undefined;

const rawLine = (json: string): string => `${json.startsWith('"') ? (JSON.parse(json) as string) : json}\n`;

/**
 * Raw strings (`-r`), one result a line; empty output is "". Nothing to run it over: it is only read.
 * Throws `ExitError` 2 for a filter that cannot be read, 1 for one that does not fit the value.
 */
export async function runJq(filter: string, value: unknown): Promise<string> {
  // CommonJS without types, whose export is a promise.
  loaded ??= createRequire(import.meta.url)("jq-web") as Promise<Jq>;
  const jq = await loaded;
  try {
    const input = value === undefined ? "" : wellFormedJson(value);
    // Not its own `-r`: the package takes the last newline away, and with it a last text that is empty.
    const found = (await jq.raw(input, filter, ["-c"])) ?? "";
    return found.split("\n").filter(Boolean).map(rawLine).join("");
  } catch (error) {
    const { stderr, message, exitCode } = error as { stderr?: string; message: string; exitCode?: number };
    const line = (stderr || message).split("\n").find((part) => part.startsWith("jq:")) ?? message;
    const why = line.replace(/^jq: error( \([^)]*\))?:? /, "").replace(/ \(Unix shell.*$| at <.*$/, "");
    if (exitCode === 3)
      throw new ExitError(2, `The jq filter '${filter}' cannot be read: ${why}`, "parley help formatting");
    throw new ExitError(1, `The jq filter '${filter}' failed: ${why}`, "--fields lists what there is");
  }
}
