/** The key tables: every key does something, every action is reachable, and no key conflicts with a terminal (specification/screen.md §4). */
import { describe, expect, test } from "vitest";
import { HANDLERS } from "../../../src/tui/bindings/handlers.ts";
import {
  ACTIONS,
  actionNames,
  actionRow,
  isAction,
  type KeyContext,
} from "../../../src/tui/keys/action-table.ts";
import { filterChoices } from "../../../src/tui/screen/filter-choices.ts";
import { paletteChoices } from "../../../src/tui/views/popup/palette.ts";
import { parseChord } from "../../../src/tui/input/chord.ts";
import { FORBIDDEN, KEY_TABLES } from "../../../src/tui/bindings/key-tables.ts";
import { chordsFor, lookup, type KeyProfile } from "../../../src/tui/keys/lookup.ts";
import { navigationActions } from "../../../src/tui/bindings/navigation.ts";
import { openChannelActions } from "../../../src/tui/navigation/open-channel.ts";
import { composerActions } from "../../../src/tui/views/composer/actions.ts";
import { filesActions } from "../../../src/tui/views/files/actions.ts";
import { reminderActions } from "../../../src/tui/views/lists/reminders.ts";
import { sharingActions } from "../../../src/tui/views/map/share-location.ts";
import { messageActions } from "../../../src/tui/views/messages/actions.ts";
import { pollFormActions } from "../../../src/tui/views/poll/actions.ts";
import { pollActions } from "../../../src/tui/views/poll/card.ts";
import { popupActions } from "../../../src/tui/views/popup/actions.ts";
import { helpLines } from "../../../src/tui/views/popup/rows.ts";
import { searchActions } from "../../../src/tui/views/search/actions.ts";
import { sidebarActions } from "../../../src/tui/views/sidebar/actions.ts";

const profiles = Object.keys(KEY_TABLES) as KeyProfile[];
const CONTEXTS: KeyContext[] = [
  "global",
  "write",
  "normal",
  "complete",
  "browse",
  "list",
  "sidebar",
  "search",
  "popup",
  "chooseFiles",
  "members",
  "files",
  "links",
  "picture",
  "map",
  "campaign",
  "form",
];

describe.each(profiles)("the %s profile", (profile) => {
  const table = KEY_TABLES[profile];
  const bound = CONTEXTS.flatMap((where) =>
    Object.entries(table[where]!).map(([chords, binding]) => ({ where, chords, binding })),
  );

  test("binds only actions that exist, where they make sense", () => {
    const wrong = bound.filter(({ where, binding }) => {
      if (binding.startsWith("/")) return false;
      return (
        !isAction(binding) ||
        !(actionRow(binding).contexts.includes(where) || actionRow(binding).contexts.includes("global"))
      );
    });
    expect(wrong).toEqual([]);
  });

  test("names every chord as the parser does", () => {
    const wrong = bound
      .flatMap(({ chords }) => chords.split(" "))
      .filter((chord) => parseChord(chord) !== chord);
    expect(wrong).toEqual([]);
  });

  test("uses no key that terminals cannot distinguish or keep for themselves", () => {
    const used = bound.flatMap(({ chords }) => chords.split(" "));
    expect(used.filter((chord) => (FORBIDDEN as readonly string[]).includes(chord))).toEqual([]);
  });

  test("has no key that is both a binding and a prefix in contexts used together", () => {
    for (const contexts of [
      ["write", "global"],
      ["browse", "global"],
      ["list", "global"],
      ["sidebar", "global"],
      ["search", "global"],
      ["popup"],
      ["normal", "write", "global"],
      ["chooseFiles", "popup"],
      ["members", "global"],
      ["files", "global"],
      ["picture", "global"],
      ["map", "global"],
      ["campaign", "global"],
      ["form"],
    ] as KeyContext[][]) {
      const chords = contexts.flatMap((where) => Object.keys(table[where]!));
      const starts = chords.filter((c) => c.includes(" ")).map((c) => c.split(" ")[0]!);
      expect(chords.filter((c) => starts.includes(c))).toEqual([]);
    }
  });

  test("reaches every action by a key or by its name in the palette", () => {
    const names = new Set(paletteChoices(table, CONTEXTS).map((c) => c.runs));
    const lost = actionNames.filter(
      (name) => !bound.some(({ binding }) => binding === name) && !names.has(name),
    );
    // Only the vim profile has a normal mode in the box.
    const there = lost.filter(
      (name) => profile === "vim" || actionRow(name).contexts.some((at) => at !== "normal"),
    );
    // The default and vim profiles bind Ctrl-K elsewhere, which leaves killToEnd without a key there.
    expect(there.filter((name) => name !== "killToEnd")).toEqual([]);
  });

  test("gives every Alt or F key action a Ctrl chord, a plain key or a palette name too", () => {
    const names = new Set(paletteChoices(table, CONTEXTS).map((c) => c.runs));
    const only = actionNames.filter((name) => {
      const chords = chordsFor(table, name, CONTEXTS);
      return chords.length > 0 && chords.every((c) => /^(A-|f\d)/.test(c)) && !names.has(name);
    });
    expect(
      only.filter(
        (name) => !["wordLeft", "wordRight", "redo", "deleteWordRight", "alsoChannel"].includes(name),
      ),
    ).toEqual([]);
  });

  test("shows all of itself in help", () => {
    const help = helpLines(table, "").map((l) => l.title);
    const missing = bound.filter(({ binding }) => !help.includes(actionRow(binding as never).title));
    expect(missing).toEqual([]);
  });
});

test("every action has a handler and every handler an action", () => {
  expect(Object.keys(HANDLERS).toSorted()).toEqual(Object.keys(ACTIONS).toSorted());
});

test("the default profile is the table of docs/keys.md", () => {
  const { global, write, browse } = KEY_TABLES.default;
  expect(global).toMatchObject({
    "C-k": "goto",
    "C-f": "search.show",
    "C-p": "palette",
    "C-o": "attach",
    "A-a": "nextUnread",
    "C-n": "nextUnread",
    "A-s": "lastChannel",
    "A-1": "pinned1",
    "A-up": "previousChannel",
    "C-t": "panel",
    "C-\\": "sidebar",
    f1: "help",
    "C-l": "redraw",
    "C-c": "clear",
    "C-z": "suspend",
  });
  expect(write).toMatchObject({
    enter: "send",
    "C-j": "newline",
    "A-enter": "newline",
    "S-enter": "newline",
    tab: "complete",
    up: "up",
    "C-g": "externalEditor",
    "C-a": "lineStart",
    "C-w": "deleteWordLeft",
    "C-_": "undo",
  });
  expect(browse).toMatchObject({
    j: "lineDown",
    k: "lineUp",
    g: "firstLine",
    G: "lastLine",
    "C-u": "halfPageUp",
    "C-d": "halfPageDown",
    "[": "dayBefore",
    "]": "dayAfter",
    u: "firstUnread",
    r: "reply",
    q: "quote",
    t: "thread",
    e: "edit",
    d: "remove",
    "+": "react",
    "=": "reactFirst",
    y: "copy",
    o: "openLink",
    p: "pin",
    U: "markUnread",
    m: "menu",
    ":": "jump",
    n: "nextFound",
    N: "previousFound",
    backspace: "jumpBack",
    "?": "help",
  });
});

test("the first chord of two is a prefix", () => {
  const { vim } = KEY_TABLES;
  expect(lookup(vim, ["browse", "global"], "g")).toEqual({ kind: "prefix" });
  expect(lookup(vim, ["browse", "global"], "g", "g")).toEqual({ kind: "binding", binding: "firstLine" });
  expect(lookup(vim, ["browse", "global"], "x", "g")).toEqual({ kind: "none" });
});

test("no action is defined by two views", () => {
  const tables = [
    navigationActions,
    openChannelActions,
    sidebarActions,
    messageActions,
    reminderActions,
    composerActions,
    pollFormActions,
    pollActions,
    popupActions,
    searchActions,
    filesActions,
    sharingActions,
  ];
  const names = tables.flatMap((table) => Object.keys(table));
  expect(names.length).toBe(new Set(names).size);
  expect(names.filter((name) => !isAction(name))).toEqual([]);
});

describe("the palette", () => {
  const choices = paletteChoices(KEY_TABLES.default, ["browse", "global", "write"]);
  const first = (query: string): string => filterChoices(choices, query)[0]!.runs!;

  test("finds actions by common names, whole words first", () => {
    expect(first("theme")).toBe("theme");
    expect(first("quit")).toBe("quit");
    for (const word of ["attach", "upload"]) expect(first(word), word).toBe("attach");
    expect(
      filterChoices(choices, "file")
        .slice(0, 3)
        .map(({ runs }) => runs),
    ).toContain("attach");
    for (const word of ["search", "find"]) expect(first(word)).toBe("search.show");
    expect(first("pin")).toMatch(/pin$/);
    expect(first("members")).toBe("members.show");
  });

  test("shows no key that works only in other contexts", () => {
    const marks = (table: keyof typeof KEY_TABLES): Record<string, string | undefined> =>
      Object.fromEntries(
        paletteChoices(KEY_TABLES[table], ["write", "global", "browse"]).map(({ runs, mark }) => [
          runs,
          mark,
        ]),
      );
    for (const table of ["default", "vim", "emacs"] as const) {
      const shown = marks(table);
      expect([shown["campaigns"], shown["section"]], table).toEqual([undefined, undefined]);
      expect(shown["pin"], table).toMatch(/./);
    }
  });

  test("offers to quit Parley before leaving the channel", () => {
    expect(filterChoices(choices, "leave")[0]?.runs).toBe("quit");
  });

  test("shows scattered letters only when no word, beginning or part of a name matches", () => {
    const labels = (query: string): string[] => filterChoices(choices, query).map(({ label }) => label);
    expect(labels("theme")).toEqual(["Theme: choose the colours", "/theme", "/settings theme"]);
    expect(labels("end it")[0]).toBe("Poll: end it (asks)");
    expect(labels("thm").length).toBeGreaterThan(0);
    const places = ["#eng-backend", "#backlog-end", "Zoë Backe", "#backend"].map((label) => ({
      label,
    }));
    const found = (query: string): string[] => filterChoices(places, query).map(({ label }) => label);
    expect(found("backend")).toEqual(["#backend", "#eng-backend"]);
    expect(found("zoe")).toEqual(["Zoë Backe"]);
  });

  test("puts nothing destructive on top before its word is typed in full", () => {
    const careful = choices.filter((choice) => choice.destructive);
    expect(careful.length).toBeGreaterThan(5);
    for (const { label } of careful)
      for (const word of label.toLowerCase().match(/[a-z]{3,}/g) ?? [])
        for (let length = 1; length < word.length; length++) {
          const top = filterChoices(choices, word.slice(0, length))[0]!;
          const whole = top.label.toLowerCase().split(/[^a-z-]+/);
          if (top.destructive) expect(whole, word.slice(0, length)).toContain(word.slice(0, length));
        }
  });
});

test("a key that is not bound with Shift is the one without, in every profile and also with other modifiers", () => {
  for (const table of Object.values(KEY_TABLES)) {
    expect(lookup(table, ["write"], "S-backspace")).toEqual({ kind: "binding", binding: "deleteLeft" });
    expect(lookup(table, ["write"], "C-S-backspace")).toEqual({ kind: "binding", binding: "deleteWordLeft" });
    expect(lookup(table, ["popup"], "S-esc")).toEqual({ kind: "binding", binding: "escape" });
    expect(lookup(table, ["write"], "S-enter")).toEqual({ kind: "binding", binding: "newline" });
    expect(lookup(table, ["browse"], "S-f5")).toEqual({ kind: "none" });
  }
});

test("every list of lines has the same navigation keys, in every profile", () => {
  for (const [profile, table] of Object.entries(KEY_TABLES)) {
    const moves = (where: KeyContext): Record<string, string> =>
      Object.fromEntries(
        Object.entries(table[where]!).filter(([, binding]) =>
          /^(?:line|page|halfPage)(?:Down|Up)$/.test(binding),
        ),
      );
    for (const where of ["members", "files", "list"] as const) expect(moves(where)).toEqual(moves("list"));
    // The sidebar clears its filter with Ctrl-U.
    const { "C-u": _, j, k, ...others } = moves("list");
    // In the minimal profile letters over the sidebar are text.
    expect(moves("sidebar")).toEqual(profile === "minimal" ? others : { ...others, j, k });
  }
});
