/** Cycling through unread channels, and what muted channels add to their group's sum. */
import { afterEach, expect, test } from "vitest";
import { openChannelActions } from "../../../../src/tui/navigation/open-channel.ts";
import { sidebarLines } from "../../../../src/tui/views/sidebar/lines.ts";
import { NO_COUNTS, channel, EPOCH, FakeCore, stateOf } from "../../../support/fake-core.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

test("goes from one unread channel to the next, never to the open one, and back to the start", async () => {
  const state = stateOf([channel("general", { unread: 2 }), channel("ops", { unread: 1 }), channel("tea")]);
  const m = await mount(new FakeCore(state), { readOn: "manual" });
  open.push(m);
  openChannelActions.nextUnread(m.ports);
  expect(m.screen.cid).toBe("messaging:ops");
  m.core.changeChannel("messaging:ops", (entry) => ({ ...entry, unread: 0 }));
  m.core.changeChannel("messaging:general", (entry) => ({ ...entry, unread: 0 }));
  await m.settle();
  openChannelActions.nextUnread(m.ports);
  expect(m.screen.cid).toBe("messaging:general");
  openChannelActions.nextUnread(m.ports);
  expect(m.screen.cid).toBe("messaging:general");
});

test("a muted channel adds its mentions but not its unread messages to its group's sum", () => {
  const channels = [channel("loud", { unread: 3 }), channel("muted", { unread: 5, mentions: 1 })];
  const plain = stateOf(channels);
  const mute = { user: plain.me!, channel: channels[1]!.channel, created_at: "", updated_at: "" };
  const state = { ...plain, me: { ...plain.me!, channel_mutes: [mute] as never } };
  const group = sidebarLines({
    state,
    open: undefined,
    folded: new Set(),
    drafts: new Set(),
    counts: NO_COUNTS,
    now: EPOCH,
  }).find(({ kind }) => kind === "group");
  expect(group).toMatchObject({ unread: 3, mentions: 1 });
});
