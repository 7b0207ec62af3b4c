/** Two channels side by side as people see them: the focus at the left and at the right, a panel, and one half on a narrow screen. */
import { afterEach, describe, expect, test } from "vitest";
import { FakeCore, channel, message, stateOf, thread, user } from "../../support/fake-core.ts";
import { mount, picture, type MountOptions, type Mounted } from "../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const members = (...ids: string[]) =>
  new Map(
    ids.map((id) => [
      id,
      { user_id: id, user: user(id), channel_role: "channel_member", created_at: "", updated_at: "" },
    ]),
  );
const pinned = message("o0", "cy", "the checklist is in the wiki", { cid: "messaging:ops" });
const workspace = (): FakeCore =>
  new FakeCore(
    stateOf([
      channel("general", {
        members: members("me", "ana", "bo"),
        messages: [
          message("m1", "ana", "deploy at **ten**?", { reply_count: 1 }),
          message("m2", "bo", "after the freeze, because what is deployed during a freeze has to be thawed", {
            minute: 12,
          }),
          message("m3", "me", "ok", { minute: 20 }),
        ],
        threads: new Map([["m1", thread("m1", [message("r1", "cy", "ten it is", { minute: 2 })])]]),
      }),
      {
        ...channel("ops", {
          unread: 2,
          members: members("me", "cy"),
          firstUnreadId: "o2",
          messages: [
            pinned,
            message("o2", "cy", "look at 日本語 and 👍", { cid: "messaging:ops", minute: 30 }),
            message("o3", "cy", "and at this", { cid: "messaging:ops", minute: 31 }),
          ],
        }),
        pinned: [pinned],
      },
      channel("design", { unread: 3 }),
    ]),
  );
async function halves(options: MountOptions = {}): Promise<Mounted> {
  const m = await mount(workspace(), { readOn: "manual", ...options });
  open.push(m);
  await m.press("A-\\");
  return m;
}

describe("at 120 × 40", () => {
  test("the second half has its own title, pin, messages and box, and the first one keeps the focus", async () => {
    const m = await halves();
    await m.type("a draft");
    expect(picture(m)).toMatchInlineSnapshot(`
      " #general   3 members · 2 watching                                      │ #ops   3 members · 1 pinned   ● online   work
       Inbox                2 │                                               │ pinned · cy: the checklist is in the wiki
       Threads                │                                               │
       Later                  │                                               │
       Drafts                 │                                               │
                              │                                               │
       ▾ Channels             │                                               │
         #ops               2 │                                               │
      ▌  #general             │                                               │
         #design            3 │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │ the beginning of this channel                 │
                              │                                               │
                              │ ── Tue 17 Nov ─────────────────────────────── │
                              │ ana  09:00                                    │ the beginning of this channel
                              │   deploy at ten?                              │
                              │   1 reply ›                                   │ ── Tue 17 Nov ───────────────────────────────
                              │                                               │ cy  09:00
                              │ bo  09:12                                     │   the checklist is in the wiki
                              │   after the freeze, because what is deployed  │
                              │   during a freeze has to be thawed            │ ──────────────────────────────────── 2 new ──
                              │                                               │ cy  09:30
                              │ me  09:20                                     │   look at 日本語 and 👍
                              │   ok ✓                                        │ · and at this
                              │                                               │
      ────────────────────────┴───────────────────────────────────────────────┼───────────────────────────────────────────────
       › a draft                                                  draft saved │ › message #ops
       WRITE  ⏎ send  Tab other half  Alt-\\ close it  Esc browse  ^K go  Alt-A unread  ^F search  ^J newline  F1 help"
    `);
  });

  test("Tab puts the focus in the right half, and the Inbox opens over the left one until Esc", async () => {
    const m = await halves();
    await m.type("a draft");
    await m.press("tab");
    await m.type("another, long enough that it needs more than one row of the half");
    expect(picture(m)).toMatchInlineSnapshot(`
      " #general   3 members · 2 watching                                      │ #ops   3 members · 1 pinned   ● online   work
       Inbox                2 │                                               │ pinned · cy: the checklist is in the wiki
       Threads                │                                               │
       Later                  │                                               │
       Drafts               1 │                                               │
                              │                                               │
       ▾ Channels             │                                               │
      ▌  #ops               2 │                                               │
         #general           ✎ │                                               │
         #design            3 │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │ the beginning of this channel                 │
                              │                                               │
                              │ ── Tue 17 Nov ─────────────────────────────── │
                              │ ana  09:00                                    │ the beginning of this channel
                              │   deploy at ten?                              │
                              │   1 reply ›                                   │ ── Tue 17 Nov ───────────────────────────────
                              │                                               │ cy  09:00
                              │ bo  09:12                                     │   the checklist is in the wiki
                              │   after the freeze, because what is deployed  │
                              │   during a freeze has to be thawed            │ ──────────────────────────────────── 2 new ──
                              │                                               │ cy  09:30
                              │ me  09:20                                     │   look at 日本語 and 👍
                              │   ok ✓                                        │ · and at this
                              │                                               │
      ────────────────────────┴───────────────────────────────────────────────┼───────────────────────────────────────────────
       › a draft                                                  draft saved │ › another, long enough that it needs more
                                                                              │   than one row of the half
       WRITE  ⏎ send  Tab other half  Alt-\\ close it  Esc browse  ^K go  Alt-A unread  ^F search  ^J newline  F1 help"
    `);
    await m.press("A-i");
    expect(picture(m)).toMatchInlineSnapshot(`
      " Inbox                                                                                                  ● online   work
      ▌Inbox                2 │ Inbox · 2 unread                1 of 2  Esc × │ pinned · cy: the checklist is in the wiki
       Threads                │▌#ops                        2 new · Tue 09:31 │
       Later                  │▌cy: and at this                               │
       Drafts               1 │ #design                                 3 new │
                              │                                               │
       ▾ Channels             │                                               │
      ›  #ops               2 │                                               │
         #general           ✎ │                                               │
         #design            3 │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │
                              │                                               │ the beginning of this channel
                              │                                               │
                              │                                               │ ── Tue 17 Nov ───────────────────────────────
                              │                                               │ cy  09:00
                              │                                               │   the checklist is in the wiki
                              │                                               │
                              │                                               │ ──────────────────────────────────── 2 new ──
                              │                                               │ cy  09:30
                              │                                               │   look at 日本語 and 👍
                              │                                               │ · and at this
                              │                                               │
      ────────────────────────┴───────────────────────────────────────────────┴───────────────────────────────────────────────
       › another, long enough that it needs more than one row of the half                                         draft saved
       VIEW  ⏎ open  x read  A all read  r answer  Esc close  ? help"
    `);
    await m.press("esc");
    expect(m.text()).toContain("› a draft");
  });
});

describe("at 160 × 50", () => {
  test("both halves are as wide, and the cursor is in the list with the focus", async () => {
    const m = await halves({ columns: 160, rows: 50 });
    await m.press("tab", "esc");
    expect(picture(m)).toMatchInlineSnapshot(`
      " #general   3 members · 2 watching                                                            │ #ops   3 members · 2 watching · 1 pinned        ● online   work
       Inbox                    2 │                                                                 │ pinned · cy: the checklist is in the wiki
       Threads                    │                                                                 │
       Later                      │                                                                 │
       Drafts                     │                                                                 │
                                  │                                                                 │
       ▾ Channels                 │                                                                 │
      ▌  #ops                   2 │                                                                 │
         #general                 │                                                                 │
         #design                3 │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │ the beginning of this channel                                   │
                                  │                                                                 │
                                  │ ── Tue 17 Nov ───────────────────────────────────────────────── │
                                  │ ana  09:00                                                      │ the beginning of this channel
                                  │   deploy at ten?                                                │
                                  │   1 reply ›                                                     │ ── Tue 17 Nov ─────────────────────────────────────────────────
                                  │                                                                 │ cy  09:00
                                  │ bo  09:12                                                       │   the checklist is in the wiki
                                  │   after the freeze, because what is deployed during a freeze    │
                                  │   has to be thawed                                              │ ────────────────────────────────────────────────────── 2 new ──
                                  │                                                                 │ cy  09:30
                                  │ me  09:20                                                       │   look at 日本語 and 👍
                                  │   ok ✓                                                          │▌· and at this
                                  │                                                                 │
      ────────────────────────────┴─────────────────────────────────────────────────────────────────┼─────────────────────────────────────────────────────────────────
       › message #general                                                                           │ › message #ops
       BROWSE  r reply  Tab other half  Alt-\\ close it  m more  + react  Esc write  ⏎ thread  q quote  y copy  p pin  ^F search  ? help"
    `);
  });

  test("a thread of the left half covers the right one, with one box for it", async () => {
    const m = await halves({ columns: 160, rows: 50 });
    await m.press("esc", "k", "k", "t");
    expect(picture(m)).toMatchInlineSnapshot(`
      " #general   3 members · 2 watching                                                                                                              ● online   work
       Inbox                    2 │                                                                 │ Thread · 1 reply                                          Esc ×
       Threads                    │                                                                 │ ana  09:00
       Later                      │                                                                 │   deploy at ten?
       Drafts                     │                                                                 │
                                  │                                                                 │ ── 1 reply ────────────────────────────────────────────────────
       ▾ Channels                 │                                                                 │ cy  09:02
         #ops                   2 │                                                                 │   ten it is
      ▌  #general                 │                                                                 │
         #design                3 │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │                                                                 │
                                  │ the beginning of this channel                                   │
                                  │                                                                 │
                                  │ ── Tue 17 Nov ───────────────────────────────────────────────── │
                                  │ ana  09:00                                                      │
                                  │   deploy at ten?                                                │
                                  │   1 reply ›                                                     │
                                  │                                                                 │
                                  │ bo  09:12                                                       │
                                  │   after the freeze, because what is deployed during a freeze    │
                                  │   has to be thawed                                              │
                                  │                                                                 │
                                  │ me  09:20                                                       │
                                  │   ok ✓                                                          │
                                  │                                                                 │
      ────────────────────────────┴─────────────────────────────────────────────────────────────────┴─────────────────────────────────────────────────────────────────
       reply · ☐ also to #general
       › reply
       WRITE  ⏎ send  Esc browse  Alt-C also to the channel  ^K go  Alt-A unread  ^F search  ^J newline  F1 help"
    `);
  });
});

describe("folded", () => {
  test("at 100 columns only the half with the focus is shown, and both when there is room again", async () => {
    const m = await halves({ columns: 160, rows: 24 });
    await m.press("tab");
    const before = picture(m);
    await m.resize(100, 24);
    expect(picture(m)).toMatchInlineSnapshot(`
      " #ops   3 members · 2 watching · 1 pinned                                           ● online   work
       Inbox            2 │ pinned · cy: the checklist is in the wiki
       Threads            │
       Later              │
       Drafts             │
                          │
       ▾ Channels         │
      ▌  #ops           2 │
         #general         │
         #design        3 │
                          │
                          │
                          │
                          │ the beginning of this channel
                          │
                          │ ── Tue 17 Nov ───────────────────────────────────────────────────────────────
                          │ 09:00  cy              the checklist is in the wiki
                          │ ──────────────────────────────────────────────────────────────────── 2 new ──
                          │ 09:30  cy              look at 日本語 and 👍
                          │ 09:31                  and at this
                          │
      ────────────────────┴───────────────────────────────────────────────────────────────────────────────
       › message #ops
       WRITE  ⏎ send  Esc browse  ^K go  Alt-A unread  ^F search  ^J newline  F1 help"
    `);
    await m.resize(160, 24);
    expect(picture(m)).toBe(before);
  });
});
