/** Runs jq filters over results: the real jq as wasm, loaded on first use. */
import { createRequire } from "node:module";
import { wellFormedJson } from "../../text/well-formed.ts";
import { ExitError } from "../base/exit.ts";

interface Jq {
  raw(json: string, filter: string, flags: string[]): Promise<string> | string;
}

let loaded: Promise<Jq> | undefined;

/** Raw strings (`-r`), one result a line; empty output is "". Throws `ExitError` 2 for a filter that does not compile. */
export async function runJq(filter: string, value: unknown): Promise<string> {
  // CommonJS without types, whose export is a promise.
  loaded ??= createRequire(import.meta.url)("jq-web") as Promise<Jq>;
  const jq = await loaded;
  try {
    const text = (await jq.raw(wellFormedJson(value), filter, ["-r", "-c"])) ?? "";
    return text === "" || text.endsWith("\n") ? text : `${text}\n`;
  } catch (error) {
    const { stderr, message, exitCode } = error as { stderr?: string; message: string; exitCode?: number };
    const line = (stderr || message).split("\n").find((part) => part.startsWith("jq:")) ?? message;
    throw new ExitError(exitCode === 3 ? 2 : 1, line.replace(/^jq: /, "jq "));
  }
}
