/** How `set --file` reads and writes threads: a page in a request. */
import type { Core } from "../../core/core.ts";
import { THREADS_LIMIT } from "../../wire/constants.ts";
import { reservedThreadProblem, type Thread } from "../../wire/entities/thread.ts";
import { isMessageId } from "../../wire/ids.ts";
import { oneByOne, type Settable } from "../base/bulk/set-from-file.ts";

/** Fields that stay text even if they look like numbers. */
export const TEXTS_OF_THREADS: readonly string[] = ["title"];

/** What `thread list` has besides the fields of a thread. */
const OF_THE_LIST = "unread";

export const settableThreads = ({ call, threads }: Pick<Core, "call" | "threads">): Settable<Thread> => ({
  noun: "thread",
  form: {
    ids: ["parent_message_id", "message_id", "id"],
    known: ["parent_message_id", "title"],
    texts: TEXTS_OF_THREADS,
    readId: (text) => (isMessageId(text) ? text : undefined),
  },
  isSettable: (name) => name !== OF_THE_LIST && reservedThreadProblem([name]) === undefined,
  pageSize: THREADS_LIMIT[1],
  async now(ids) {
    const body = { filter: { parent_message_id: { $in: [...ids] } }, limit: ids.length };
    const reply = await call("queryThreads", { body });
    return new Map(reply.threads.map((thread) => [thread.parent_message_id, thread]));
  },
  ...oneByOne((parentId, change) => threads.update(parentId, change)),
});
