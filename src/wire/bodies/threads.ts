/** Bodies of threads. */
import {
  THREAD_MEMBERS_LIMIT,
  THREAD_PARTICIPANTS_LIMIT,
  THREAD_REPLIES_LIMIT,
  THREADS_LIMIT,
} from "../constants.ts";
import { flag, limit, text } from "../entities/fields.ts";
import { listing, partial } from "./frame.ts";

export const threadBodies = {
  queryThreads: {
    ...listing(THREADS_LIMIT),
    participant_limit: limit(THREAD_PARTICIPANTS_LIMIT),
    reply_limit: limit(THREAD_REPLIES_LIMIT),
    member_limit: limit(THREAD_MEMBERS_LIMIT),
    watch: flag(),
  },
  updateThreadPartial: partial({ title: text(255) }),
};
