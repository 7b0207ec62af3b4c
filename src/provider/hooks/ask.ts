/** Asks a hook before a message is stored, and reads what it says about it (specification/admin.md §12). */
import { HOOK_ANSWER_LIMIT } from "../../wire/constants.ts";
import type { Ask } from "../base/handler.ts";
import { parseJson } from "../base/json.ts";
import type { Post } from "./post.ts";

/** Signed like a webhook, asked once; without an answer of 2xx with a JSON object it has failed. */
export function createAsk(post: Post, uuid: () => string): Ask {
  return async (url, body) => {
    const answer = await post({
      url,
      id: uuid(),
      attempt: 1,
      body: JSON.stringify(body),
      timeout: HOOK_ANSWER_LIMIT,
    });
    if (!answer) return { status: undefined, json: undefined };
    try {
      return { status: answer.status, json: answer.status < 300 ? parseJson(answer.text) : undefined };
    } catch {
      return { status: answer.status, json: undefined };
    }
  };
}
