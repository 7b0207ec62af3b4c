/** The screen without colours and with sixteen: selected, unread, own and mentioning rows carry a sign. */
import { afterEach, expect, test } from "vitest";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { FakeCore, channel, message, stateOf, user } from "../../support/fake-core.ts";
import { mount, picture, type MountOptions, type Mounted } from "../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const workspace = (): FakeCore =>
  new FakeCore(
    stateOf([
      channel("general", {
        messages: [
          message("m1", "ana", "deploy at **ten**?"),
          message("m2", "bo", "ask @me", { minute: 12, mentioned_users: [user("me")] }),
          message("m3", "me", "ok", { minute: 20 }),
        ],
      }),
      channel("ops", { unread: 5, mentions: 2 }),
      channel("design", { unread: 3 }),
    ]),
  );
async function show(options: MountOptions): Promise<Mounted> {
  const m = await mount(workspace(), { columns: 80, rows: 16, ...options });
  open.push(m);
  return m;
}

/** All SGR numbers that were written. */
const stylesOf = (m: Mounted): Set<number> =>
  new Set(
    // oxlint-disable-next-line no-control-regex
    [...m.writes.join("").matchAll(/\x1b\[([\d;]*)m/g)].flatMap(([, codes]) => codes!.split(";").map(Number)),
  );
/** Reset, bold, dim, italic, underline, inverse, strikethrough, and their ends. */
const NO_COLOURS = [0, 1, 2, 3, 4, 7, 9, 22, 23, 24, 27, 29];

test("without colours completions have a frame, and a marker at the one that Tab takes", async () => {
  const m = await show({ theme: makeTheme(0, "dark", { styled: true }) });
  await m.type("/th");
  await m.press("down");
  expect(picture(m)).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching                              ● online   work

     ╭───────────────────────────────────────────────────────────────── 2 of 9 ─╮
     │ /theme  [NAME] · Choose the theme of the screen, or set the one you name ▐
     │▌/thread get  Get a thread with its first message and newest replies      ▐
     │ /thread list  List your threads, unread ones first                       ▐ ─
     │ /thread mark-unread  Mark a thread unread from its newest reply on       ▐
     │ /thread read  Mark a thread read                                         ▐
     │ /thread reply  Reply in a thread                                         ▐
     │ /thread set  Set the title or custom fields of a thread                  ▐
     │ /thread unset  Remove the title or custom fields of a thread             │
     ╰──────────────────────────────────────────────────────────────────────────╯

    ────────────────────┴───────────────────────────────────────────────────────────
     › /th                                                              draft saved
     WRITE  Tab complete  ↓ next  Esc close  F1 help"
  `);
});

test("without colours markers, bold and inverse remain, and no colour is written", async () => {
  const m = await show({ theme: makeTheme(0, "dark", { styled: true }) });
  await m.press("esc", "k");
  expect(picture(m)).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching                              ● online   work
     Inbox            2 │
     Threads            │
     Later              │ the beginning of this channel
     Drafts             │
                        │ ── Tue 17 Nov ───────────────────────────────────────────
     ▾ Channels         │ ana  09:00
    ▌  #general         │   deploy at ten?
       #design        3 │▌@bo  09:12
       #ops          @2 │▌  ask @me
                        │ ›me  09:20
                        │   ok ✓
                        │
    ────────────────────┴───────────────────────────────────────────────────────────
     › message #general
     BROWSE  r reply  m more  + react  Esc write  ⏎ thread  q quote  y copy  ? help"
  `);
  await m.press("C-p");
  await m.type("theme");
  expect(m.text()).toMatch(/▌ Theme/);
  const styles = stylesOf(m);
  expect([...styles].filter((code) => !NO_COLOURS.includes(code))).toEqual([]);
  for (const code of [1, 7]) expect(styles).toContain(code);
});

test("with sixteen colours the markers are the same", async () => {
  const m = await show({ theme: makeTheme(1) });
  await m.press("esc", "k");
  const few = picture(m);
  const none = await show({ theme: makeTheme(0, "dark", { styled: true }) });
  await none.press("esc", "k");
  expect(few).toBe(picture(none));
});
