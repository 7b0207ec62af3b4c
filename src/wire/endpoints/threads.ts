/** Endpoints of threads. */
import type { Thread } from "../entities/thread.ts";
import type { threadBodies } from "../bodies/threads.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row } from "./row.ts";

type ThreadPath = { message_id: string };

/** How much of each thread is returned, and whether its channel is watched. */
export interface ThreadLimits {
  participant_limit?: number;
  reply_limit?: number;
  member_limit?: number;
  watch?: boolean;
}

type Body<K extends keyof typeof threadBodies> = Infer<(typeof threadBodies)[K]>;

export const threadsEndpoints = withOperations({
  queryThreads: row<{ threads: Thread[]; next?: string; prev?: string }, Body<"queryThreads">>(
    "POST /threads",
    { safe: true },
  ),
  getThread: row<{ thread: Thread }, undefined, ThreadPath, ThreadLimits & { user_id?: string }>(
    "GET /threads/{message_id}",
  ),
  /** The answer holds no replies and no read state. */
  updateThreadPartial: row<{ thread: Thread }, Body<"updateThreadPartial">, ThreadPath>(
    "PATCH /threads/{message_id}",
    { op: "UpdateThread" },
  ),
});
