/** Fields as people write them: `name=value`. */
import { CommandError } from "./define-command.ts";

/** `k=v` pairs; a value that is JSON is taken as JSON, anything else as text. */
export function readPairs(pairs: readonly string[], flag: string): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const pair of pairs) {
    const cut = pair.indexOf("=");
    if (cut < 1) throw new CommandError("usage", `${flag} must be name=value, not '${pair}'.`);
    const text = pair.slice(cut + 1);
    const looksJson = /^(true|false|null|-?\d+(\.\d+)?|[[{"][\s\S]*)$/.test(text);
    try {
      out[pair.slice(0, cut)] = looksJson ? JSON.parse(text) : text;
    } catch {
      out[pair.slice(0, cut)] = text;
    }
  }
  return out;
}
