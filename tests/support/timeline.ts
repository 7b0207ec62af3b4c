/** Timelines for tests. */
import { NO_MESSAGES, TimelineEdit } from "../../src/core/state/timeline.ts";
import type { ClientMessage, Timeline } from "../../src/model/state.ts";

/** A timeline of these messages, given in any order; with duplicate ids the later one in the list wins. */
export function timelineOf(messages: Iterable<ClientMessage>): Timeline {
  const edit = new TimelineEdit(NO_MESSAGES);
  for (const message of messages) edit.put(message);
  return edit.finish();
}
