/** Votes in Zulip's polls: what people sent after the message, put together. */
import { isObject, parseObject } from "../../../wire/json-object.ts";
import { textsOf } from "../base/shapes.ts";

/** The options and votes of one poll. */
export class ZulipPoll {
  /** Key of an option → its text. */
  readonly #options = new Map<string, string>();
  readonly #voters = new Map<string, Set<string>>();

  /** What `sender` sent: the poll itself, an option or a vote. */
  add(sender: string, content: string): void {
    const sent = parseObject(content);
    if (!sent) return;
    const { type, key, vote, idx, option, extra_data: extra } = sent;
    if (isObject(extra))
      for (const [n, text] of textsOf(extra.options).entries()) this.#options.set(`canned,${n}`, text);
    if (type === "new_option" && typeof option === "string")
      this.#options.set(`${sender},${String(idx)}`, option);
    if (type !== "vote" || typeof key !== "string") return;
    const voters = this.#voters.get(key) ?? new Set();
    this.#voters.set(key, voters);
    if (vote === 1) voters.add(sender);
    else voters.delete(sender);
  }

  /** Option → number of its votes. */
  get votes(): Map<string, number> {
    return new Map([...this.#options].map(([key, text]) => [text, this.#voters.get(key)?.size ?? 0]));
  }
}
