/** Deleting for everyone, only for the user, and permanently: how it is chosen and how the message looks afterwards. */
import { afterEach, expect, test } from "vitest";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";

let m: Mounted;
afterEach(() => m.unmount());

test("the menu offers to delete for everyone, for me only without asking, and permanently after a confirmation", async () => {
  const messages = [message("m1", "ana", "hello"), message("m2", "me", "a slip", { minute: 6 })];
  m = await mount(new FakeCore(stateOf([channel("general", { messages })])), { columns: 80, rows: 20 });
  await m.press("esc", "m");
  await m.type("delete");
  expect(m.text().replace(/ +$/gm, "")).toMatchInlineSnapshot(`
    " #g                                                                          rk
     In ╭─ me: a slip ──────────────────────────────────────────────── 1 of 3 ─╮
     Th │  › delete                                                            │
     La ├──────────────────────────────────────────────────────────────────────┤
     Dr │▌ Delete the message; can be undone for ten seconds                d  │
        │  Delete for me only                                                  │
     ▾  │  Delete the message for good (asks)                                  │
    ▌   ╰──────────────────────────────────────────────────────────────────────╯

                        │ the beginning of this channel
                        │
                        │ ── Tue 17 Nov ───────────────────────────────────────────
                        │ ana  09:00
                        │   hello
                        │▌me  09:06
                        │▌  a slip ✓
                        │
    ────────────────────┴───────────────────────────────────────────────────────────
     › message #general
     CHOOSE  ⏎ choose  Esc close  ↑↓ move  type to search"
  `);
  await m.type(" for good");
  await m.press("enter");
  expect(m.text()).toContain("Delete “a slip” permanently? This cannot be undone.");
  await m.press("esc");
  m.core.changeChannel("messaging:general", (entry) => ({
    ...entry,
    sets: channel("general", {
      messages: [
        messages[0]!,
        message("m2", "me", "", { minute: 6, type: "deleted", deleted_for_me: true }),
        message("m3", "me", "", { minute: 12, type: "deleted" }),
      ],
    }).sets,
  }));
  m.change((s) => ({ ...s }));
  await m.settle();
  expect(m.text()).toContain("message deleted for you");
  expect(m.text()).toMatch(/message deleted *\n/);
});
