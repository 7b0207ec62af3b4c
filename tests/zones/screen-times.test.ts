/** What the screen shows, copies and reads in St John's, and with `utc` on: every place of the screen that has a time. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plain } from "../../src/text/width.ts";
import { makeTheme } from "../../src/tui/render/theme.ts";
import { filesPane } from "../../src/tui/views/channel-files/files.ts";
import { viewLines } from "../../src/tui/views/composer/show-result.ts";
import { timeChoices } from "../../src/tui/views/lists/reminders.ts";
import { spokenEntries } from "../../src/tui/views/lists/rows.ts";
import { pictureRows } from "../../src/tui/views/picture/rows.ts";
import { FakeCore, channel, message, stateOf } from "../support/fake-core.ts";
import { scrollOf } from "../../src/tui/screen/screen.ts";
import { ScreenDriver } from "../support/screen-driver.ts";

const before = process.env.TZ;
beforeAll(() => {
  process.env.TZ = "America/St_Johns";
});
afterAll(() => {
  process.env.TZ = before;
});

/** 20:45 on Friday here, and Saturday in UTC. */
const NOW = Date.parse("2026-11-21T00:15:00Z");
const AT = "2026-11-21T00:05:00.000Z";
const at = Date.parse(AT);
/** Of `AT`: whether `utc` is on, the date and the time of day. */
const SHOWN: readonly [utc: boolean, date: string, time: string][] = [
  [false, "20 Nov 2026", "20:35"],
  [true, "21 Nov 2026", "00:05"],
];
const theme = makeTheme(0);

describe.each(SHOWN)("with utc %s it was %s %s", (utc, date, time) => {
  test("in lists, results, files, pictures and the choices of times", () => {
    const look = { theme, width: 60, height: 10, utc, focused: false, now: NOW };
    const file = { name: "a.pdf", facts: "1 kB", from: "ana", at } as never;
    expect(filesPane.rows(filesPane.pane.open("x"), [file], look).join("\n")).toContain(`${date} ${time}`);
    const picture = {
      line: { from: "ana", at, facts: "", picture: { name: "a.png" } } as never,
      place: "1 of 1",
    };
    const drawn = { kind: "rows", rows: [], cells: { columns: 1, rows: 1 } } as never;
    const body = { x: 0, y: 0, width: 60, height: 10 };
    expect(pictureRows({ ...picture, drawn, body, theme, utc }).join("\n")).toContain(`${date} ${time}`);
    const views = [
      { kind: "fields", fields: [["sent", AT]] },
      { kind: "messages", messages: [message("m1", "ana", "hi", { created_at: AT })] },
    ] as never[];
    const day = utc ? "2026-11-21" : "2026-11-20";
    expect(viewLines(views, utc)).toEqual([`sent  ${day} ${time}:00`, `${time} ana: hi`]);
    expect(spokenEntries([{ title: "#ops", at, lines: [] } as never], { now: NOW, utc })).toEqual([
      `#ops, ${time}`,
    ]);
    const midnight = timeChoices("2026-11-23", NOW, utc)[0]!;
    expect(midnight.detail).toContain("00:00");
  });

  test("in copied messages", async () => {
    const m = screen(utc);
    await m.press("esc", "V", "k", "y");
    const day = utc ? "2026-11-21" : "2026-11-20";
    const earlier = utc ? "2026-11-20 23:55" : "2026-11-20 20:25";
    expect(m.copied).toEqual([`${earlier} ana: late\n${day} ${time} me: later`]);
  });

  test("in moves through the days of a channel", async () => {
    const times = ["20T20:00", "20T23:55", "21T00:05", "21T00:10"];
    const messages = times.map((one, n) =>
      message(`m${n}`, "ana", "x", { created_at: `2026-11-${one}:00.000Z` }),
    );
    const m = new ScreenDriver(new FakeCore(stateOf([channel("general", { messages })])), { now: () => NOW });
    m.ports.store.restyle((look) => ({ ...look, utc }));
    const cursor = (): string | undefined => scrollOf(m.screen, { cid: "messaging:general" }).selected;
    await m.press("esc", "[");
    expect(cursor()).toBe(utc ? "m2" : "m0");
    await m.press("g", "]");
    expect(cursor()).toBe(utc ? "m2" : "m3");
  });

  test("and a time without a zone is one of that clock: muting, silence, reminders and the goal of a jump", async () => {
    const m = screen(utc);
    const iso = utc ? "2026-11-21T22:00:00.000Z" : "2026-11-21T01:30:00.000Z";
    await m.type("/mute 22:00\r");
    expect(JSON.stringify(m.core.calls("call"))).toContain(utc ? "78300000" : "4500000");
    await m.type("/dnd 22:00\r");
    expect(JSON.stringify(m.core.calls("call"))).toContain(iso);
    expect(timeChoices("22:00", NOW, utc)[0]!.at).toBe(Date.parse(iso));
    expect(
      m
        .told()
        .slice(-2)
        .every((told) => told.includes("22:00")),
    ).toBe(true);
  });
});

/** A screen with two messages: of late on Friday and of ten minutes later, which is Saturday in UTC. */
function screen(utc: boolean): ScreenDriver {
  const messages = [
    message("m1", "ana", "late", { created_at: "2026-11-20T23:55:00.000Z" }),
    message("m2", "me", "later", { created_at: AT }),
  ];
  const m = new ScreenDriver(new FakeCore(stateOf([channel("general", { messages })])), { now: () => NOW });
  m.ports.store.restyle((look) => ({ ...look, utc }));
  return m;
}

test("the details of a channel say when it was created by the chosen clock", async () => {
  for (const [utc, date, time] of SHOWN) {
    const { details } = await import("../../src/tui/views/details/details.ts");
    const { detailsPanel } = await import("../../src/tui/screen/screen.ts");
    const entry = channel("general");
    const state = stateOf([{ ...entry, channel: { ...entry.channel, created_at: AT } }]);
    const panel = detailsPanel("messaging:general");
    const context = { now: NOW, utc, theme } as never;
    const rows = details.rows({ state, panel, entry: state.channels.get(panel.cid)!, width: 60, context });
    expect(plain(rows.join("\n"))).toContain(`${date} ${time}`);
  }
});
