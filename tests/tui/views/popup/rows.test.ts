/** Popups as rows: how far a sheet and the help scroll, and the keys that the hint line names for each kind. */
import { describe, expect, test } from "vitest";
import type { View } from "../../../../src/commands/base/define-command.ts";
import { viewLines } from "../../../../src/tui/views/composer/show-result.ts";
import { KEY_TABLES } from "../../../../src/tui/bindings/key-tables.ts";
import { paletteChoices } from "../../../../src/tui/views/popup/palette.ts";
import { choiceIn, drawPopup, helpLines, lastTop } from "../../../../src/tui/views/popup/rows.ts";
import { hintsFor, type StatusProps } from "../../../../src/tui/views/status/status-row.ts";
import type { Popup } from "../../../../src/tui/screen/popup.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";

const table = KEY_TABLES.default;
const facts = { theme: makeTheme(0), columns: 60, rows: 20, table, choices: [] };
const sheet = (lines: string[], top = 0): Extract<Popup, { kind: "sheet" }> => ({
  kind: "sheet",
  title: "/x",
  lines,
  top,
});

describe("scrolling", () => {
  const long = Array.from({ length: 30 }, (_, i) => `${i} ${"word ".repeat(20)}end${i}`);
  test("a sheet of wrapped lines scrolls to its last row and no further", () => {
    const last = lastTop(sheet(long), facts);
    const rows = drawPopup(sheet(long, last), facts).rows;
    expect(rows.at(-2)).toContain("end29");
    expect(drawPopup(sheet(long, last - 1), facts).rows.at(-2)).not.toContain("end29");
    expect(drawPopup(sheet(long, last + 99), facts).rows).toEqual(rows);
  });
  test("the upper edge shows the visible part if not everything is visible", () => {
    expect(drawPopup(sheet(long), facts).rows[0]).toMatch(/ 1–12 of 90 ─╮$/);
    expect(drawPopup(sheet(["a", "b"]), facts).rows[0]).not.toContain(" of ");
  });
  test.each([49, 60, 120])(
    "help in %i columns cuts no key and no word, and scrolls to its last line",
    (columns) => {
      for (const keys of Object.values(KEY_TABLES)) {
        const here = { ...facts, columns, table: keys };
        const help: Popup = { kind: "help", query: "", top: 0 };
        const last = lastTop(help, here);
        // Every page and the last rows.
        const tops = [...Array.from({ length: Math.ceil(last / 10) }, (_, i) => i * 10), last];
        const seen = tops.flatMap((top) => drawPopup({ ...help, top }, here).rows);
        const shown = seen.join("\n");
        expect(seen.filter((row) => row.includes("…"))).toEqual([]);
        for (const line of helpLines(keys, ""))
          for (const word of `${line.section ?? ""} ${line.keys ?? ""} ${line.title ?? ""}`.split(" "))
            expect(shown).toContain(word);
        const end = helpLines(keys, "").at(-1)!.title!.split(" ").at(-1)!;
        expect(drawPopup({ ...help, top: last }, here).rows.at(-2)).toContain(end);
      }
    },
  );
});

test.each(["default", "vim", "emacs"] as const)(
  "the help of browsing (%s) begins with its moves, and the digits come last of its keys",
  (profile) => {
    const lines = helpLines(KEY_TABLES[profile], "", "browse");
    const digits = lines.slice(0, 90).flatMap(({ keys }, i) => (/^\d$/.test(keys ?? "") ? [i] : []));
    expect(lines[0]!.section).toBe("Browsing messages");
    expect(digits).toEqual(Array.from({ length: 9 }, (_, i) => digits[0]! + i));
    expect(digits[0]!).toBeGreaterThan(40);
    expect(lines[digits.at(-1)! + 1]!.keys).toBe("palette");
  },
);

describe("the hint line", () => {
  const hints = (popup: Popup, keys: StatusProps["table"] = table): string =>
    hintsFor({
      theme: makeTheme(0),
      width: 100,
      table: keys,
      mode: "CHOOSE",
      link: { phase: "open", failures: 0, catchingUp: false },
      outbox: 0,
      storage: undefined,
      selected: undefined,
      pendingKey: undefined,
      quitArmed: false,
      popup,
    }).join(" · ");
  const confirm = (level: "mild" | "moderate" | "severe", typed = ""): Popup => ({
    kind: "confirm",
    question: { level, question: "Sure?", ...(level === "severe" ? { word: "ops" } : {}) },
    typed,
    yes: () => {},
  });
  test.each<[Popup, string]>([
    [
      { kind: "picker", title: "Go to", query: "", selected: 0, choices: [] },
      "⏎ choose · Esc close · ↑↓ move · type to search",
    ],
    [{ kind: "help", query: "", top: 0 }, "↑↓ scroll · Esc close · type to search"],
    [sheet(["a"]), "↑↓ scroll · Esc close"],
    [confirm("mild"), "⏎ yes · Esc no"],
    [confirm("moderate"), "y yes · Esc no"],
    [confirm("severe"), "type ops · Esc no"],
    [confirm("severe", "ops"), "⏎ yes · Esc no"],
  ])("of %j", (popup, wanted) => expect(hints(popup)).toBe(wanted));
});

test.each(["default", "vim", "emacs"] as const)(
  "at 50 columns no action is cut within a clause: %s",
  (profile) => {
    const choices = paletteChoices(KEY_TABLES[profile], ["browse", "global", "write"]).filter(
      ({ clauses }) => clauses,
    );
    const cut = choices.flatMap((choice) =>
      drawPopup(
        { kind: "picker", title: "", query: "", selected: 0, choices: [] },
        { ...facts, columns: 50, choices: [choice] },
      ).rows.filter((row) => row.includes("…")),
    );
    expect(cut).toEqual([]);
  },
);

describe("output of commands", () => {
  const people = (id: string, seen: string): View => ({
    kind: "table",
    columns: ["user", "last active"],
    rows: [[id, seen]],
  });
  test("single-row tables become one table with readable times", () =>
    expect(
      viewLines(
        [people("ana", "2026-11-21T13:18:51.673002Z"), people("fatima", ""), { kind: "line", text: "end" }],
        true,
      ),
    ).toEqual(["USER    LAST ACTIVE", "ana     2026-11-21 13:18:51", "fatima  ", "end"]));
});

test("a click finds a choice inside the list only, from its first to its last row", () => {
  const choices = ["one", "two"].map((label) => ({ label }));
  const picker = { kind: "picker", title: "Go", query: "", selected: 0, choices: [] } as Extract<
    Popup,
    { kind: "picker" }
  >;
  const { rect, rows } = drawPopup(picker, { ...facts, choices });
  const first = rect.y + rows.findIndex((row) => row.includes("one"));
  const at = (x: number, y: number) => choiceIn(picker, choices, facts, { x, y });
  expect([at(rect.x + 1, first), at(rect.x + rect.width - 2, first + 1)]).toEqual([0, 1]);
  for (const x of [rect.x, rect.x + rect.width - 1]) expect(at(x, first)).toBeUndefined();
  for (const y of [first - 1, first + 2, rect.y + rect.height - 1]) expect(at(rect.x + 1, y)).toBeUndefined();
});
