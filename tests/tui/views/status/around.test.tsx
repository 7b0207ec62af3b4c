/** Around the messages: the title with the channel's state, complete notices, a last line that keeps its help, a dimmed background behind popups. */
import { afterEach, describe, expect, test } from "vitest";
import type { Notice } from "../../../../src/model/state.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { KEY_TABLES } from "../../../../src/tui/bindings/key-tables.ts";
import { drawNotices } from "../../../../src/tui/views/status/notice-rows.ts";
import { headerRow } from "../../../../src/tui/views/status/header-row.ts";
import { cellWidth } from "../../../../src/text/width.ts";
import { EPOCH, FakeCore, channel, message, stateOf, user } from "../../../support/fake-core.ts";
import { listWorkspace } from "../../../support/user-lists.ts";
import { mount, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

async function start(options: MountOptions = {}, core?: FakeCore): Promise<Mounted> {
  const held = channel("general", { messages: [message("m", "ana", "hello there")] });
  const m = await mount(core ?? new FakeCore(stateOf([held])), { columns: 100, rows: 20, ...options });
  open.push(m);
  return m;
}

test("the hint of Enter says run while the box has a command, and send for a text", async () => {
  const m = await start();
  expect(m.line(19)).toContain("⏎ send");
  await m.type("/leave");
  expect(m.line(19)).toContain("⏎ run");
  await m.press("C-c");
  await m.type("leave");
  expect(m.line(19)).toContain("⏎ send");
});

describe("the title", () => {
  const topical = channel("general", {
    pinned: [message("p", "ana", "x"), message("q", "ana", "y")],
    membership: {
      user_id: "me",
      channel_role: "channel_member",
      created_at: "",
      updated_at: "",
      archived_at: "2026-11-01T00:00:00Z",
    },
  });
  const entry = { ...topical, channel: { ...topical.channel, topic: "what goes out, and when\n" } };
  const title = (width: number, muted = true): string =>
    headerRow({
      theme: makeTheme(0),
      width,
      entry,
      me: "me",
      muted,
      link: { phase: "open", failures: 0, catchingUp: false },
      profile: "work",
      now: EPOCH,
    });

  test("shows topic, members, pins, and whether the channel is muted and archived", () => {
    expect(title(140)).toContain(
      " #general   what goes out, and when · 3 members · 2 watching · 2 pinned · muted · archived ",
    );
    expect(title(140, false)).not.toContain("muted");
  });

  test("with less room cuts the topic first, then members; the channel's state stays longest", () => {
    expect(title(99)).toContain(
      "#general   what goes ou… · 3 members · 2 watching · 2 pinned · muted · archived",
    );
    expect(title(80)).toMatch(/#general {3}what goes out.* · 2 pinned · muted · archived/);
    expect(title(56)).toContain("#general   muted · archived");
    for (let width = 40; width < 160; width++) expect(cellWidth(title(width))).toBe(width);
  });

  test("follows a mute on the screen", async () => {
    const held = channel("general");
    const core = new FakeCore(stateOf([held]));
    const m = await start({}, core);
    expect(m.line(0)).not.toContain("muted");
    const mute = { user: user("me"), channel: held.channel, created_at: "", updated_at: "" };
    core.change((state) => ({ ...state, me: { ...state.me!, channel_mutes: [mute] } }));
    await m.settle();
    expect(m.line(0)).toContain(" · muted ");
  });
});

describe("notices", () => {
  const notice = (id: string, text: string): Notice => ({ id, level: "warning", text, until: 0 });
  const drawn = (notices: Notice[], width: number, height: number) =>
    drawNotices(notices, {
      theme: makeTheme(0),
      pane: { x: 30, y: 2, width, height },
      table: KEY_TABLES.default,
    })!;
  const long = "film.mkv did not go up, so nothing was sent: Alt-X takes a file off, Alt-U tries it again";

  test("are drawn in full on as many rows as needed, in the pane of the messages", () => {
    const { rect, rows } = drawn([notice("a", long)], 46, 30);
    expect(rows.map((row) => row.slice(3).trim()).join(" ")).toBe(long);
    expect(rows.length).toBe(3);
    expect(rect.x + rect.width).toBe(76);
    for (const row of rows) expect(cellWidth(row)).toBe(rect.width);
    expect(drawn([notice("a", long)], 140, 30).rows).toHaveLength(1);
  });

  test("show the newest whole below the number of the others, leave half of the pane free, and know the owner of each row", () => {
    const many = ["one", "two", "three"].map((id) => notice(id, long));
    const { rows, owners } = drawn(many, 46, 12);
    expect(rows[0]).toContain("2 more · /notices");
    expect(
      rows
        .slice(1)
        .map((row) => row.slice(3).trim())
        .join(" "),
    ).toBe(long);
    expect(owners.map((owner) => owner?.id)).toEqual([undefined, "three", "three", "three"]);
    for (const row of rows) expect(cellWidth(row)).toBe(rows[0] ? cellWidth(rows[0]) : 0);
    expect(drawn(many, 46, 4).rows).toHaveLength(2);
  });

  test("the number of the others has the colour of the most urgent of them, wherever it stands, and the newest its own", () => {
    const levels = ["info", "success", "warning", "error"] as const;
    const of = (level: Notice["level"], n: number): Notice => ({ ...notice(`n${n}`, "x"), level });
    const theme = makeTheme(3);
    const colours = (shown: Notice["level"][]): string[] =>
      drawNotices(shown.map(of), {
        theme,
        pane: { x: 0, y: 0, width: 60, height: 30 },
        table: KEY_TABLES.default,
      })!.rows.map((row) => row.slice(0, row.indexOf("▌")));
    const alone = Object.fromEntries(levels.map((level) => [level, colours([level])[0]!]));
    // Only what nobody needs to act on has one colour.
    expect(new Set(Object.values(alone)).size).toBe(3);
    for (const a of levels)
      for (const b of levels)
        for (const newest of levels) {
          const worst = levels[Math.max(levels.indexOf(a), levels.indexOf(b))]!;
          expect([a, b, newest, colours([a, b, newest])]).toEqual([
            a,
            b,
            newest,
            [alone[worst], alone[newest]],
          ]);
        }
  });

  test("can be read again, the newest first, by the command that they name", async () => {
    const m = await start();
    for (let i = 1; i <= 12; i++) {
      m.core.change((state) => ({ ...state, notices: [{ ...notice(`n${i}`, `text ${i}`), until: i }] }));
      await m.settle();
    }
    m.core.change((state) => ({ ...state, notices: [] }));
    await m.type("/notices\r");
    const shown = m.text().match(/! text \d+/g);
    expect(shown).toEqual(Array.from({ length: 10 }, (_, i) => `! text ${12 - i}`));
  });

  test("do not cover the newest message", async () => {
    const m = await start();
    m.core.change((state) => ({
      ...state,
      notices: [notice("b", "two"), notice("c", "three"), notice("a", long)],
    }));
    await m.settle();
    expect(m.text()).toContain("hello there");
    expect(m.text()).toContain("Alt-U tries it again");
  });

  const notices = [notice("b", "two"), notice("c", "three"), notice("a", long)];
  const tell = async (m: Mounted): Promise<void> => {
    m.core.change((state) => ({ ...state, notices: notices }));
    await m.settle();
    expect(m.text()).toContain("Alt-U tries it again");
  };
  const row = (m: Mounted, text: string | RegExp): number =>
    m
      .text()
      .split("\n")
      .findIndex((line) => line.search(text) >= 0);

  test("do not cover the entries of a list over the messages", async () => {
    const m = await start({ columns: 80, rows: 24 }, listWorkspace());
    await m.press("A-r");
    await tell(m);
    for (const text of ["Later · 1 due", "cy: keep m1", "cy: keep k3"])
      expect(row(m, text)).toBeGreaterThan(0);
    expect(row(m, "film.mkv")).toBeGreaterThan(row(m, "cy: keep k3"));
  });

  test("do not cover the message under the cursor", async () => {
    const many = Array.from({ length: 60 }, (_, i) =>
      message(`n${i}`, "ana", `line ${i}`, { minute: i * 10 }),
    );
    const m = await start({}, new FakeCore(stateOf([channel("general", { messages: many })])));
    await tell(m);
    const before = row(m, "film.mkv");
    expect(row(m, "line 59")).toBeGreaterThan(before);
    await m.press("esc", "g");
    expect(m.text()).toContain("line 0");
    expect(row(m, "film.mkv")).toBeGreaterThan(row(m, "line 0"));
    await m.press("G");
    expect(row(m, "line 59")).toBeGreaterThan(row(m, "film.mkv"));
  });

  test("can be clicked where they are drawn", async () => {
    const m = await start({ columns: 80, rows: 24 }, listWorkspace());
    await m.press("A-r");
    await tell(m);
    await m.click(70, row(m, "Alt-U tries it again"));
    expect(m.core.calls("dismiss")).toEqual([["a"]]);
    await m.click(70, row(m, "2 more"));
    expect(m.text()).toContain("! three");
  });
});

describe("the status line", () => {
  test("says nothing about a good connection, and reports problems", async () => {
    const m = await start();
    expect(m.line(19)).toMatch(/^ WRITE {2}.*F1 help$/);
    m.core.change((state) => ({ ...state, link: { ...state.link, latency: 1840 } }));
    await m.settle();
    expect(m.line(19)).toContain("slow: 1,840 ms");
    m.core.change((state) => ({ ...state, link: { ...state.link, phase: "offline" } }));
    await m.settle();
    expect(m.line(19)).toContain("… sync");
  });

  test("at 50 columns hints at the channel list too, as there is no sidebar", async () => {
    const m = await start();
    await m.resize(50, 20);
    expect(m.line(19)).toContain("^K go  F1 help");
  });

  test("keeps the help key at every width, with everything else to show", async () => {
    const m = await start();
    m.core.change((state) => ({ ...state, outbox: 12 }));
    for (const columns of [200, 120, 80, 60, 50]) {
      await m.resize(columns, 20);
      expect(m.line(19)).toContain("F1 help");
      expect(m.line(19)).toContain("12 unsent");
    }
  });
});

describe("behind a popup", () => {
  const dimmed = (m: Mounted): boolean =>
    m.writes.join("").includes(m.model.look.theme.behind(" 09:00 ana          hello there"));

  test("the panes are dimmed, and have their colours again when it closes", async () => {
    const m = await start({ theme: makeTheme(3), columns: 130, rows: 40 });
    m.count();
    await m.press("C-k");
    expect(m.text()).toContain("hello there");
    expect(dimmed(m)).toBe(false);
    m.count();
    await m.press("esc");
    expect([dimmed(m), m.writes.join("").includes("hello there")]).toEqual([false, true]);
  });

  test("the panes are dimmed without colours, too", async () => {
    const m = await start({ theme: makeTheme(0, "dark", { styled: true }), columns: 130, rows: 40 });
    m.count();
    await m.press("C-k");
    expect(dimmed(m)).toBe(false);
  });

  test("nothing is dimmed while choosing a theme", async () => {
    const m = await start({ theme: makeTheme(3), columns: 130, rows: 40 });
    await m.type("/theme");
    m.count();
    await m.press("enter");
    expect(m.text()).toContain("╭─ Theme");
    expect(dimmed(m)).toBe(false);
  });
});
