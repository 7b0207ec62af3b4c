/** The number on the new-messages line. */
import { expect, test } from "vitest";
import { timelineOf } from "../../../support/timeline.ts";
import type { ClientMessage, MessageSet } from "../../../../src/model/state.ts";
import { countFromOthers } from "../../../../src/tui/views/messages/feed/feeds.ts";

function messageBy(n: number, by: string, type: ClientMessage["type"] = "regular"): ClientMessage {
  const at = `2026-11-21T10:0${n}:00.000000Z`;
  return {
    id: `m${n}`,
    cid: "messaging:a",
    type,
    text: "hi",
    user: { id: by },
    attachments: [],
    mentioned_users: [],
    reply_count: 0,
    reaction_groups: {},
    latest_reactions: [],
    own_reactions: [],
    created_at: at,
    updated_at: at,
  };
}

test("counts the messages of others below the line, without my own and deleted ones", () => {
  const set: MessageSet = {
    messages: timelineOf([
      messageBy(1, "bo"),
      messageBy(2, "bo"),
      messageBy(3, "me"),
      messageBy(4, "cy", "deleted"),
      messageBy(5, "cy"),
    ]),
    hasPrev: false,
    hasNext: false,
    isLatest: true,
    isCurrent: true,
  };
  expect(countFromOthers(set, 1, "me")).toBe(2);
});
