/** A workspace with entries in Inbox, Threads, Later and Drafts, for tests of the screen. */
import type { ListState } from "../../src/tui/components/list-pane.tsx";
import { topPanel, type Panel } from "../../src/tui/screen/screen.ts";
import type { Model } from "../../src/tui/screen/store.ts";
import type { ListEntry } from "../../src/tui/views/lists/entry.ts";
import { userLists, type ListName } from "../../src/tui/views/lists/lists.ts";
import { EPOCH, FakeCore, channel, message, stateOf, user } from "./fake-core.ts";

const at = (minutes: number): string => new Date(EPOCH + minutes * 60_000).toISOString();
/** In these tests the screen's clock is a day after the messages. */
const DAY = 24 * 60;

const read = (unread: number) => [{ user: user("me"), last_read: at(0), unread_messages: unread }];

export const threadOf = (id: string, unread: number, minute: number) => ({
  parent_message_id: id,
  parent_message: message(id, "ana", `what about **${id}**?\nand more`, { reply_count: 2 }),
  channel_cid: "messaging:general",
  created_at: at(0),
  updated_at: at(0),
  last_message_at: at(minute),
  reply_count: 2,
  participant_count: 2,
  latest_replies: [message(`${id}-r`, "bo", `an answer to ${id}`, { minute, parent_id: id, type: "reply" })],
  read: read(unread),
});

const reminderOf = (id: string, minute: number | undefined) => ({
  channel_cid: "messaging:general",
  message_id: id,
  message: message(id, "cy", `keep ${id}`, { minute: 3 }),
  user_id: "me",
  remind_at: minute === undefined ? null : at(minute),
  created_at: at(1),
  updated_at: at(1),
});

/** `more`: the thread list has a second page. */
export function listWorkspace({ more = false } = {}): FakeCore {
  const core = new FakeCore(
    stateOf([
      channel("general", { messages: [message("m1", "ana", "deploy at **ten**?")] }),
      channel("ops", {
        unread: 5,
        mentions: 1,
        firstUnreadId: "o1",
        messages: [
          message("o1", "cy", "look @me", { minute: 30, mentioned_users: [user("me")] }),
          message("o2", "cy", "never mind", { minute: 31 }),
        ],
      }),
      channel("design", { unread: 3, messages: [message("d1", "bo", "a new colour", { minute: 40 })] }),
    ]),
  );
  core.answers.set("queryThreads", ({ body }: { body: { next?: string } }) =>
    body.next === undefined
      ? {
          threads: [threadOf("t1", 2, 60), threadOf("t2", 1, 50), threadOf("t3", 0, 55)],
          ...(more && { next: "page2" }),
        }
      : { threads: [threadOf("t4", 0, 10)] },
  );
  core.answers.set("queryReminders", () => ({
    reminders: [reminderOf("m1", DAY - 30), reminderOf("k2", DAY + 12), reminderOf("k3", undefined)],
  }));
  core.answers.set(
    "createReminder",
    ({ path, body }: { path: { id: string }; body: { remind_at?: string } }) => ({
      reminder: { ...reminderOf(path.id, undefined), remind_at: body.remind_at ?? null },
    }),
  );
  core.saveDraft({ cid: "messaging:ops", text: "for\nops" });
  core.saveDraft({ cid: "messaging:general", parentId: "m1", text: "a reply" });
  core.saveDraft({ cid: "messaging:gone", text: "nowhere to go" });
  return core;
}

/** The entry under the cursor of the focused list. */
export function selectedEntry({ model }: { model: Model }): ListEntry | undefined {
  const panel = topPanel(model.screen) as Panel | undefined;
  const list = model.screen.focus === "panel" && panel && userLists[panel.name as ListName];
  return list ? list.selected(model, panel as ListState) : undefined;
}
