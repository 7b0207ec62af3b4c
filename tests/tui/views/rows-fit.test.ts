/** Rows of the frame are exactly as wide as their area, whatever they contain; the texts of the connection state. */
import { panelDefinitions } from "../../../src/tui/ports/panels.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cellWidth, plain } from "../../../src/text/width.ts";
import { KEY_TABLES } from "../../../src/tui/bindings/key-tables.ts";
import {
  bannerOf,
  cursorInBox,
  drawComposer,
  type ComposerContext,
} from "../../../src/tui/views/composer/rows.ts";
import { headerRow } from "../../../src/tui/views/status/header-row.ts";
import { linkWords } from "../../../src/tui/views/status/link-words.ts";
import { drawPopup, helpLines, popupCursor } from "../../../src/tui/views/popup/rows.ts";
import { sidebarRows } from "../../../src/tui/views/sidebar/rows.ts";
import { hintsFor, statusRow, type StatusProps } from "../../../src/tui/views/status/status-row.ts";
import { EMPTY_BOX, type ComposerBox } from "../../../src/tui/screen/composer.ts";
import { sidebarLines, sidebarWindow } from "../../../src/tui/views/sidebar/lines.ts";
import { createEditor, moveTo } from "../../../src/tui/editor/state.ts";
import { words } from "../../../src/text/words.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { NO_COUNTS, EPOCH, channel, message, stateOf } from "../../support/fake-core.ts";

const theme = makeTheme(0);
const around = { placeholder: "message #x", note: "draft saved" };
const link = { phase: "open", failures: 0, catchingUp: false } as const;
const text = fc.string({ unit: "grapheme", maxLength: 60 });

test("the title row fits at every width with any name", () => {
  fc.assert(
    fc.property(fc.integer({ min: 50, max: 200 }), text, (width, name) => {
      const row = headerRow({
        theme,
        width,
        entry: channel("x", { name }),
        me: "me",
        link,
        profile: name,
        now: EPOCH,
      });
      expect(cellWidth(plain(row))).toBe(width);
    }),
  );
});

const status = (more: Partial<StatusProps>): StatusProps => ({
  theme,
  width: 120,
  table: KEY_TABLES.default,
  mode: "WRITE",
  link,
  outbox: 0,
  storage: undefined,
  selected: undefined,
  pendingKey: undefined,
  quitArmed: false,
  ...more,
});

test("the status row fits at every width in every mode", () => {
  const screens = (["WRITE", "EDIT", "BROWSE", "LIST", "CHOOSE"] as const).map((mode) => ({ mode }));
  const panels = panelDefinitions().map((focused) => ({ mode: focused.mode ?? focused.name, focused }));
  for (const where of [...screens, ...panels])
    for (let width = 50; width < 200; width += 7)
      expect(cellWidth(plain(statusRow(status({ width, ...where, outbox: 12 }))))).toBe(width);
});

test("hints follow the key table in use, and a failed message has its own", () => {
  expect(hintsFor(status({})).slice(0, 3)).toEqual(["⏎ send", "Esc browse", "^K go"]);
  expect(hintsFor(status({ table: KEY_TABLES.emacs }))).toContain("^X b go");
  const failed = { ...message("f", "me", "x"), status: "failed" as const };
  expect(hintsFor(status({ mode: "BROWSE", selected: failed }))).toEqual([
    "r retry",
    "e edit",
    "x drop",
    "y copy",
    "Esc write",
    "? help",
  ]);
});

test("a read-only screen hints at no key that changes something", () => {
  const looking = status({ readOnly: true, sharing: "sharing your location" });
  expect(hintsFor(looking).slice(0, 2)).toEqual(["Esc browse", "^K go"]);
  expect(statusRow(looking)).toContain("sharing your location ");
  const poll = { id: "p", options: [{ id: "o", text: "Soup" }] } as never;
  const selected = message("m", "me", "tea?", { poll });
  expect(hintsFor({ ...looking, mode: "BROWSE", selected })).toEqual([
    "m more",
    "Esc write",
    "o open",
    "O save",
    "⏎ thread",
    "y copy",
    "^F search",
    "? help",
  ]);
});

test("with room for three hints, they lead to the other mode and to all actions", () => {
  const shown = (more: object): string => plain(statusRow(status({ width: 50, ...more }))).trimEnd();
  expect(shown({})).toBe(" WRITE  ⏎ send  Esc browse  ^K go  F1 help");
  expect(shown({ mode: "BROWSE" })).toBe(" BROWSE  r reply  m more  Esc write  ? help");
  const browse = hintsFor(status({ mode: "BROWSE" }));
  expect(browse).toContain("Esc write");
  expect(hintsFor(status({ mode: "BROWSE", panel: true }))).toContain("Esc close");
});

test("at 80 columns the keys of the box include the next unread channel, the search and help", () => {
  const row = (more: object): string => plain(statusRow(status({ width: 80, ...more })));
  expect(row({})).toBe(" WRITE  ⏎ send  Esc browse  ^K go  Alt-A unread  ^F search  ^J newline  F1 help ");
});

test("sharing a location is said in few words rather than instead of the keys, and the way out is never left out", () => {
  const sharing = { sharing: "sharing your location · 14 min left", sharingShort: "sharing · 14 min" };
  const row = (more: object): string => plain(statusRow(status({ ...sharing, ...more })));
  expect(row({ width: 80 })).toContain("  ^K go  Alt-A unread  F1 help");
  expect(row({ width: 80 })).toContain(" sharing · 14 min ");
  expect(row({ width: 80, mode: "EDIT" })).toContain("⏎ save  ^C cancel  ^J newline  F1 help");
  expect(row({ width: 200 })).toContain("14 min left · Alt-. stops");
  for (const mode of ["WRITE", "BROWSE", "LIST"]) expect(row({ width: 60, mode })).toMatch(/ Esc \w+/);
});

test("files under the cursor have their keys at 80 columns", () => {
  const file = { type: "file", asset_url: "https://x.example/a.pdf", title: "a.pdf" } as never;
  const selected = message("m", "me", "see", { attachments: [file] });
  const row = plain(statusRow(status({ width: 80, mode: "BROWSE", selected })));
  expect(row).toContain("o open  O save");
});

test("without a title line, the last line names mode, channel, connection and the key of help", () => {
  const row = (width: number, more: object = {}): string =>
    plain(statusRow(status({ width, only: { title: "#general", now: 0 }, ...more })));
  expect(row(40)).toBe(" WRITE  #general      ● online  F1 help ");
  expect(row(26)).toBe(" WRITE  #general    ●  F1 ");
  expect(row(40, { mode: "BROWSE" })).toMatch(/^ BROWSE {2}#general .* \? help $/);
  expect(row(60, { quitArmed: true })).toContain("^C again quits");
  for (let width = 1; width < 80; width++) expect(cellWidth(row(width))).toBe(width);
});

test("after the first key of a chord the hints show how it continues", () => {
  expect(hintsFor(status({ table: KEY_TABLES.vim, mode: "BROWSE", pendingKey: "g" }))).toEqual([
    "g g oldest message, or the first line",
  ]);
});

test("sidebar rows fit the pane, with emoji too", () => {
  fc.assert(
    fc.property(text, fc.nat(5000), fc.nat(12), (name, unread, mentions) => {
      const lines = sidebarLines({
        state: stateOf([channel("x", { name, unread, mentions })]),
        open: undefined,
        folded: new Set(),
        drafts: new Set(["messaging:x"]),
        counts: NO_COUNTS,
        now: EPOCH,
      });
      const rows = sidebarRows(sidebarWindow(lines, 9, 0, undefined), {
        theme,
        width: 20,
        cursor: undefined,
      });
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(cellWidth(row)).toBe(20);
    }),
  );
});

const boxWith = (editor: ComposerBox["editor"]): ComposerBox => ({ ...EMPTY_BOX, editor });

test("a box of one row says why posting is impossible, without anything that would cut it", () => {
  const composer = boxWith(createEditor(""));
  const context = { ...around, closedReason: "You are banned in this channel" };
  const rows = drawComposer({
    theme,
    width: 41,
    height: 1,
    composer,
    context,
  });
  expect(rows[0]).toContain(context.closedReason);
});

test("the box draws its rows around the cursor", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 20, max: 80 }),
      fc.constantFrom<ComposerContext>(
        around,
        { ...around, reply: "reply · ☐ also to #x" },
        { ...around, closedReason: "You are banned in this channel" },
      ),
      (typed, height, width, context) => {
        const composer = boxWith(createEditor(typed));
        const box = { width, height, composer, context };
        const rows = drawComposer({ theme, ...box });
        expect(rows.length).toBe(height);
        for (const row of rows) expect(cellWidth(row)).toBe(width);
        if (context.closedReason && width > 40 && (typed === "" || height > 1))
          expect(rows[0]).toContain(context.closedReason);
        const cursor = cursorInBox(box);
        expect(cursor.y).toBeLessThan(height);
        expect(cursor.x).toBeLessThan(width);
      },
    ),
  );
});

test("a text longer than its box shows the cursor's row", () => {
  const lines = Array.from({ length: 12 }, (_, n) => `line ${n}`);
  const written = createEditor(lines.join("\n"));
  for (const [n, line] of lines.entries()) {
    const editor = moveTo(written, written.text.indexOf(line));
    const box = { width: 40, height: 4, composer: boxWith(editor), context: { ...around, note: "" } };
    const rows = drawComposer({ theme, ...box });
    expect(plain(rows[cursorInBox(box).y] ?? "").trim(), `cursor in line ${n}`).toMatch(
      new RegExp(`\\b${line}$`),
    );
  }
});

test("popups fill their frames", () => {
  const choices = [{ label: "#general", detail: "👩‍👩‍👧 family", mark: "12" }];
  for (const columns of [50, 80, 140]) {
    const facts = { theme, columns, rows: 20, table: KEY_TABLES.default, choices };
    for (const popup of [
      { kind: "picker", title: "Go to", query: "gen", selected: 0, choices: [] },
      {
        kind: "confirm",
        question: { level: "severe", question: "Really? ".repeat(20), word: "yes" },
        typed: "y",
        yes: () => {},
      },
      { kind: "help", query: "", top: 0 },
      { kind: "sheet", title: "/members", lines: ["a".repeat(300), "b"], top: 0 },
    ] as const) {
      const drawn = drawPopup(popup, facts);
      expect(drawn.rows.length).toBe(drawn.rect.height);
      for (const row of drawn.rows) expect(cellWidth(plain(row))).toBe(drawn.rect.width);
    }
  }
});

const HINTS = [
  [words.popups.date, words.later.hint, words.scheduled.hint, words.flagging.hint, words.quiet.hint],
  [words.joining.none, words.sidebar.typeSection, words.map.sharing.typePlace],
  [words.poll.card.typeOption, words.poll.card.typeComment],
];

test.each([undefined, ...HINTS.flat()])(
  "a list without results shows its whole explanation, within its frame: %s",
  (hint) => {
    for (const columns of [50, 80, 140])
      for (const query of ["nonsense", "広田".repeat(40), "👩‍👩‍👧".repeat(40)]) {
        const popup = {
          kind: "picker",
          title: "Go to",
          query,
          selected: 0,
          choices: [],
          ...(hint && { hint }),
        } as const;
        const drawn = drawPopup(popup, { theme, columns, rows: 20, table: KEY_TABLES.default, choices: [] });
        for (const row of drawn.rows) expect(cellWidth(plain(row))).toBe(drawn.rect.width);
        expect(drawn.rows.slice(3).map(plain).join("")).toMatch(/\p{L}{2}/u);
        expect(drawn.rows.slice(3).map(plain).join("")).not.toContain("…");
        const { x } = popupCursor(popup, [], { columns, rows: 20 })!;
        expect(x).toBeLessThan(drawn.rect.x + drawn.rect.width - 1);
      }
  },
);

test("help is searched by words and keys", () => {
  expect(helpLines(KEY_TABLES.default, "ctrl-k").map((l) => l.title)).toContain(
    "Go to a channel, person or view",
  );
  expect(helpLines(KEY_TABLES.default, "nonsense words")).toEqual([]);
});

test("every state of the connection has a text", () => {
  const labels = [
    { phase: "idle" },
    { phase: "connecting" },
    { phase: "open" },
    { phase: "open", catchingUp: true },
    { phase: "open", transport: "longpoll" },
    { phase: "waiting", retryAt: EPOCH + 2500 },
    { phase: "offline" },
    { phase: "stopped", reason: "The token was refused." },
  ].map((l) => linkWords({ failures: 0, catchingUp: false, ...l } as never, EPOCH).states[0]);
  expect(labels).toEqual([
    "not connected",
    "connecting…",
    "online",
    "catching up…",
    "online · long-poll",
    "retrying in 3 s",
    "offline",
    "stopped: The token was refused.",
  ]);
});

const CODES = [2, 5, 17, 40, 41, 42, 43, 99, undefined];
test("refused credentials show the reason and what helps at every width, in the title or above the box", () => {
  for (const code of CODES)
    for (let width = 40; width <= 160; width++) {
      const refused = {
        phase: "stopped",
        cause: "refused",
        reason: "x",
        failures: 0,
        catchingUp: false,
      } as const;
      const found = linkWords({ ...refused, ...(code !== undefined && { code }) }, EPOCH);
      const facts = { theme, width, entry: channel("x", { name: "general" }), me: "me", profile: "work" };
      const row = plain(headerRow({ ...facts, link: { ...refused, ...(code && { code }) }, now: EPOCH }));
      expect(cellWidth(row)).toBe(width);
      const over = bannerOf(EMPTY_BOX, { ...around, linkProblem: found.help! }, width)!;
      expect(cellWidth(over)).toBeLessThanOrEqual(width - 2);
      expect(over).toMatch(/\/login/);
      const shown = `${row} ${over}`;
      expect(
        found.states.slice(0, 3).some((one) => shown.includes(one)) || /^[^·:]{10,}[·:]/.test(over),
      ).toBe(true);
    }
});

test("the line above the box warns that nothing can be sent, and not while a message is edited", () => {
  const marking = { ...theme, warn: (text: string) => `!${text}` };
  const context = { ...around, linkProblem: ["offline"] as const };
  const lineOver = (composer: ComposerBox): string =>
    drawComposer({ theme: marking, width: 60, height: 3, composer, context })[0]!;
  expect(lineOver(boxWith(createEditor("x")))).toMatch(/^! offline/);
  const editing = { message: message("m1", "me", "tea") };
  expect(lineOver({ ...boxWith(createEditor("x")), editing })).toMatch(/^ .*tea/);
});
