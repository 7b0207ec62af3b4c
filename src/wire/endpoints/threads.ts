/** Endpoints of threads. */
import { entity, flag, list, need, whole } from "../entities/fields.ts";
import { actAs, cursors, row, withOperations } from "./row.ts";

/** How much of each thread is returned, and whether its channel is watched. */
const threadLimits = {
  participant_limit: whole(),
  reply_limit: whole(),
  member_limit: whole(),
  watch: flag(),
};

export const threadsEndpoints = withOperations({
  queryThreads: row("POST /threads", {
    safe: true,
    answer: () => ({ threads: need(list(entity("Thread"))), ...cursors }),
  }),
  getThread: row("GET /threads/{message_id}", {
    query: { ...threadLimits, ...actAs },
    answer: () => ({ thread: need(entity("Thread")) }),
  }),
  /** The answer holds no replies and no read state. */
  updateThreadPartial: row("PATCH /threads/{message_id}", {
    op: "UpdateThread",
    answer: () => ({ thread: need(entity("Thread")) }),
  }),
});
