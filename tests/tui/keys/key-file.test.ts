/** The user's key file: what it overrides in a profile, and how its errors are reported. */
import { expect, test } from "vitest";
import { TEMPLATE, readKeys } from "../../../src/tui/bindings/key-file.ts";
import { KEY_TABLES } from "../../../src/tui/bindings/key-tables.ts";
import { actionNames, actionRow } from "../../../src/tui/keys/action-table.ts";
import { lookup, type KeyProfile } from "../../../src/tui/keys/lookup.ts";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { fakeSettings } from "../../support/fake-settings.ts";
import { ScreenDriver } from "../../support/screen-driver.ts";
import { helpLines } from "../../../src/tui/views/popup/rows.ts";

const PROFILES: readonly KeyProfile[] = ["default", "vim", "emacs", "minimal"];

test("a new file changes nothing in any profile, and its examples are valid", () => {
  for (const profile of PROFILES)
    expect(readKeys(TEMPLATE, "f", profile)).toEqual({ table: KEY_TABLES[profile], faults: [] });
  const examples = TEMPLATE.split("\n").flatMap((line) => (line.startsWith("#   ") ? [line.slice(4)] : []));
  expect(examples.length).toBeGreaterThan(2);
  expect(readKeys(examples.join("\n"), "f", "default").faults).toEqual([]);
});

test.each(PROFILES)("every action can get its own key wherever it works (%s)", (profile) => {
  for (const name of actionNames)
    for (const place of actionRow(name).contexts) {
      const where = place === "global" ? "anywhere" : place;
      const { table, faults } = readKeys(`${where} Ctrl-F9 F10 ${name}`, "f", profile);
      expect(faults).toEqual([]);
      expect(lookup(table, [place], "C-f9")).toEqual({ kind: "prefix" });
      expect(lookup(table, [place], "f10", "C-f9")).toEqual({ kind: "binding", binding: name });
    }
});

test("keys of the file replace those of the profile that are the same, a prefix of them or prefixed by them", () => {
  const { table, faults } = readKeys("browse r x y reply\nbrowse g quote\nbrowse d none", "f", "vim");
  expect(faults).toEqual([]);
  expect(lookup(table, ["browse"], "r")).toEqual({ kind: "prefix" });
  expect(lookup(table, ["browse"], "x", "r")).toEqual({ kind: "prefix" });
  expect(lookup(table, ["browse"], "y", "r x")).toEqual({ kind: "binding", binding: "reply" });
  expect(lookup(table, ["browse"], "g")).toEqual({ kind: "binding", binding: "quote" });
  expect(lookup(table, ["browse"], "d")).toEqual({ kind: "none" });
  expect(Object.keys(table.browse).some((keys) => keys.startsWith("g "))).toBe(false);
});

test("keys can be written in several ways, and a command line can be bound", () => {
  const lines = [
    "write ctrl+x Alt-S /reminder list",
    "browse ^Y copy",
    "anywhere F5 /mute 2h",
    "browse / search",
  ];
  const { table, faults } = readKeys(lines.join("\n"), "f", "default");
  expect(faults).toEqual([]);
  expect(table.write["C-x A-s"]).toBe("/reminder list");
  expect(table.browse["C-y"]).toBe("copy");
  expect(table.global["f5"]).toBe("/mute 2h");
  expect(table.browse["/"]).toBe("search.show");
});

test.each([
  ["brwse x reply", "keys.conf line 1: there is no place 'brwse', did you mean 'browse'"],
  ["browse x repyl", "keys.conf line 1: there is no action 'repyl', did you mean 'reply'"],
  ["browse X pinMessage", "keys.conf line 1: there is no action 'pinMessage', did you mean 'pin'"],
  ["browse X delete-message", "there is no action 'delete-message', did you mean 'remove'"],
  ["# one\n\nbrowse Ctrl-Foo reply", "keys.conf line 3: 'Ctrl-Foo' is not a key"],
  ["browse reply", "keys.conf line 1: a line is where, keys and what they do"],
  ["browse", "keys.conf line 1: a line is where, keys and what they do"],
  ["write x send", "keys.conf line 1: x is text here"],
  ["anywhere Ctrl-S goto", "keys.conf line 1: Ctrl-S cannot be used: terminals send it as another key"],
  ["write F6 reply", "keys.conf line 1: reply does nothing here; it belongs to: browse"],
  ["popup F6 goto", "keys.conf line 1: goto does nothing here; it belongs to: anywhere"],
  ["browse x reply\nbrowse x quote", "keys.conf line 2: x is already bound here, in line 1"],
  ["browse g r reply\nbrowse g quote", "keys.conf line 2: g and g r of line 1 begin alike"],
  ["browse x copy ; repyl", "keys.conf line 1: there is no action 'repyl', did you mean 'reply'"],
  ["browse x goto ; none", "keys.conf line 1: there is no action 'none'"],
  ["browse x copy ; wait 11s ; goto", "keys.conf line 1: a pause is at most 10s long"],
  [`browse x copy${" ; copy".repeat(20)}`, "keys.conf line 1: a key has at most 20 steps"],
  ["write Enter newline", "keys.conf: no key is left that sends a message"],
])("%j is reported as a fault, and the other lines work", (text, fault) => {
  const { table, faults } = readKeys(`${text}\nbrowse F7 copy`, "keys.conf", "default");
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(fault);
  expect(table.browse.f7).toBe("copy");
});

const workspace = (): FakeCore =>
  new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "deploy at ten?")] })]));

test("a sequence of three keys works, and the help shows it", async () => {
  const { table } = readKeys("browse g r x quote\nanywhere Ctrl-Y help", "f", "default");
  const app = new ScreenDriver(workspace(), { keyTable: table });
  await app.press("esc", "k", "g", "r");
  expect(app.screen.pendingKey).toBe("g r");
  await app.press("x");
  expect(app.ports.boxes.at().quote?.id).toBe("m1");
  await app.press("C-y");
  expect(app.screen.popups.at(-1)?.kind).toBe("help");
  expect(helpLines(table, "quote").some(({ keys }) => keys?.includes("g r x"))).toBe(true);
});

test("/keys adds a line and replaces an older one for the same keys; an invalid line changes nothing", async () => {
  const preferences = fakeSettings();
  const app = new ScreenDriver(workspace(), { preferences });
  await app.type("/keys browse g r reply\r");
  await app.type("/keys browse g r quote\r");
  expect(preferences.keysText).toBe(`${TEMPLATE}browse g r quote\n`);
  await app.type("/keys browse g r repyl\r");
  expect(preferences.keysText).toBe(`${TEMPLATE}browse g r quote\n`);
  expect(app.told().at(-1)).toBe(
    "That is not a valid line for your keys: there is no action 'repyl', did you mean 'reply'.",
  );
  expect(app.text()).toBe("/keys browse g r repyl");
});

test("the steps of a key are done in order, also where the first has moved the focus", async () => {
  const { table, faults } = readKeys("write Alt-Z /mute 1h ; quote ; write ; /status out", "f", "default");
  expect(faults).toEqual([]);
  const core = workspace();
  const app = new ScreenDriver(core, { keyTable: table });
  await app.type("see");
  await app.press("A-z");
  expect(
    core
      .calls("call")
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(["muteChannel", "updateUsersPartial"]);
  expect([app.ports.boxes.at().quote?.id, app.screen.focus, app.text()]).toEqual(["m1", "composer", "see"]);
  const [line] = helpLines(table, "Alt-Z").filter(({ keys }) => keys === "Alt-Z");
  expect(line?.title).toBe("/mute 1h; Quote; Back to writing; /status out");
});

test("a pause between steps passes, and another key ends it with the rest", async () => {
  const { table } = readKeys("anywhere Alt-Z inbox.show ; wait 9s ; palette", "f", "default");
  const app = new ScreenDriver(workspace(), { keyTable: table });
  await app.press("A-z");
  await app.wait(7000);
  expect([app.screen.panels.at(-1)?.name, app.screen.popups]).toEqual(["inbox", []]);
  await app.wait(2000);
  expect(app.screen.popups.at(-1)?.kind).toBe("picker");
  await app.press("esc", "A-z", "down");
  await app.wait(9000);
  expect(app.screen.popups).toEqual([]);
});

test("a step that asks a question is the last one, and that is said", async () => {
  const { table } = readKeys("browse Alt-Z /channel truncate ; palette", "f", "default");
  const app = new ScreenDriver(workspace(), { keyTable: table });
  await app.press("esc", "A-z");
  expect(app.screen.popups.map(({ kind }) => kind)).toEqual(["confirm"]);
  expect(app.told()).toEqual(["The rest of this key was left out: the question comes first."]);
});

test("while browsing a letter of several steps waits like the one that reaches furthest", async () => {
  const { table } = readKeys("browse z lineUp ; pin", "f", "default");
  const core = workspace();
  const app = new ScreenDriver(core, { keyTable: table });
  await app.press("esc");
  await app.send("z");
  expect([app.screen.typed?.state, core.calls("pin")]).toEqual(["asked", []]);
});

test("/keys refuses the line after which no key would send, and replaces a command line on the same keys", async () => {
  const preferences = fakeSettings();
  const app = new ScreenDriver(workspace(), { preferences });
  await app.type("/keys write Enter newline\r");
  expect(preferences.keysText).toBeUndefined();
  expect(app.told().at(-1)).toContain("no key is left that sends a message");
  await app.press("C-c");
  await app.type("/keys write Ctrl-J send\r");
  await app.type("/keys write Enter newline\r");
  await app.type("/keys write Ctrl-X s /reminder list\r");
  await app.type("/keys write Ctrl-X s /draft list ; goto\r");
  expect(preferences.keysText).toBe(
    `${TEMPLATE}write Ctrl-J send\nwrite Enter newline\nwrite Ctrl-X s /draft list ; goto\n`,
  );
});

test("/keys alone opens the file in the editor", async () => {
  const preferences = fakeSettings();
  const app = new ScreenDriver(workspace(), { preferences, edited: (text) => `${text}browse z copy\n` });
  await app.type("/keys\r");
  expect(preferences.keysText).toBe(`${TEMPLATE}browse z copy\n`);
  expect(app.told()).toEqual(["Keys saved and in use."]);
});

test("a key file that names a former action of a panel binds the present one", () => {
  const former = {
    "anywhere inbox": "inbox.show",
    "anywhere threads": "threads.show",
    "anywhere later": "later.show",
    "anywhere drafts": "drafts.show",
    "browse pins": "pins.show",
    "anywhere details": "details.show",
    "anywhere members": "members.show",
    "anywhere search": "search.show",
    "search searchOpen": "search.open",
    "search wordLeft": "wordLeft",
    "list listOpen": "list.open",
    "list listReply": "list.answer",
    "list listClear": "list.clear",
    "list listAllRead": "list.allRead",
    "list remind": "remind",
    "files fileListSave": "files.save",
  };
  const lines = Object.keys(former).map((line, i) =>
    line.replace(" ", ` Ctrl-F9 Alt-${"abcdefghijklmnop"[i]} `),
  );
  const { table, faults } = readKeys(lines.join("\n"), "f", "vim");
  expect(faults).toEqual([]);
  const bound = Object.keys(former).map((line, i) => {
    const place = line.split(" ")[0]!.replace("anywhere", "global");
    return table[place]![`C-f9 A-${"abcdefghijklmnop"[i]}`];
  });
  expect(bound).toEqual(Object.values(former));
});

/** The lists that once had navigation actions of their own → the place of their keys. */
const FORMER_LISTS = {
  browse: "browse",
  list: "list",
  sidebar: "sidebar",
  member: "members",
  fileList: "files",
  search: "search",
  popup: "popup",
} as const;

test.each(Object.entries(FORMER_LISTS))(
  "a key file that names a former navigation action still moves: %sDown",
  (list, where) => {
    const lines = ["Down", "Up", "First", "Last", "PageDown", "PageUp"].map((move, i) => {
      // The search and popups had no keys to their ends.
      const place = /First|Last/.test(move) && (where === "search" || where === "popup") ? "browse" : where;
      return `${place} Ctrl-F9 F${i + 1} ${list}${move}`;
    });
    const { table, faults } = readKeys(lines.join("\n"), "f", "default");
    expect(faults).toEqual([]);
    expect(table[where]!["C-f9 f1"]).toBe("lineDown");
    const bound = lines.map((line, i) => table[line.split(" ")[0] as typeof where]![`C-f9 f${i + 1}`]);
    expect(bound).toEqual(["lineDown", "lineUp", "firstLine", "lastLine", "pageDown", "pageUp"]);
  },
);
