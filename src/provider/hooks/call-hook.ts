/** Calls a hook and parses its answer, before a message is stored (specification/admin.md §12). */
import { HOOK_ANSWER_LIMIT } from "../../wire/constants.ts";
import type { CallHook } from "../base/handler.ts";
import { parseJson } from "../base/json.ts";
import type { Post } from "./post.ts";

/** Signed like a webhook, but sent only once; succeeds with a 2xx answer and a JSON object. */
export function createCallHook(post: Post, uuid: () => string): CallHook {
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
