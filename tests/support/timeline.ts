/** Timelines for tests. */
import { NO_MESSAGES, TimelineEdit } from "../../src/core/state/timeline.ts";
import type { HeldMessage, Timeline } from "../../src/model/state.ts";

/** A timeline of these messages in any order; of two with one id the later in the list stays. */
export function timelineOf(messages: Iterable<HeldMessage>): Timeline {
  const edit = new TimelineEdit(NO_MESSAGES);
  for (const message of messages) edit.put(message);
  return edit.finish();
}
