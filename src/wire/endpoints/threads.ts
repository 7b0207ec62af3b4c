/** Endpoints of threads. */
import type { Filter, Sort } from "../query.ts";
import type { Thread } from "../thread.ts";
import { row } from "./row.ts";
import type { Acting, PartialBody } from "./row.ts";

type ThreadPath = { message_id: string };

/** How much of each thread comes back, and whether its channel is watched. */
interface ThreadLimits {
  participant_limit?: number;
  reply_limit?: number;
  member_limit?: number;
  watch?: boolean;
}

export interface QueryThreadsBody extends Acting, ThreadLimits {
  filter?: Filter | null;
  sort?: Sort | null;
  limit?: number;
  next?: string;
  prev?: string;
}

export const threadsEndpoints = {
  queryThreads: row<object, object, QueryThreadsBody, { threads: Thread[]; next?: string; prev?: string }>(
    "QueryThreads",
    "POST",
    "/threads",
    { safe: true },
  ),
  getThread: row<ThreadPath, ThreadLimits & { user_id?: string }, undefined, { thread: Thread }>(
    "GetThread",
    "GET",
    "/threads/{message_id}",
  ),
  /** The answer holds no replies and no read state. */
  updateThreadPartial: row<ThreadPath, object, PartialBody, { thread: Thread }>(
    "UpdateThread",
    "PATCH",
    "/threads/{message_id}",
  ),
} as const;
