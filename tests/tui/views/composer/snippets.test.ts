/** `/snippet`: the user's own texts are saved, inserted with the cursor at the marked position, listed, completed and removed. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { parseSnippets, SnippetFile } from "../../../../src/config/snippets.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { FakeCore, channel, stateOf } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

const emptyScreen = (): ScreenDriver => new ScreenDriver(new FakeCore(stateOf([channel("general")])));
const runLine = async (m: ScreenDriver, text: string): Promise<void> => {
  await m.paste(text);
  await m.press("enter");
};

test("a snippet is saved, and inserted with the cursor at its mark", async () => {
  const m = emptyScreen();
  await runLine(m, "/snippet add thanks Thank you, {cursor}!\nAna");
  expect(m.told()).toEqual(["thanks saved: /snippet thanks inserts it."]);
  await runLine(m, "/snippet thanks");
  expect(m.text()).toBe("Thank you, !\nAna");
  await m.type("Bo");
  expect(m.text()).toBe("Thank you, Bo!\nAna");
});

test("the list inserts the chosen snippet", async () => {
  const m = emptyScreen();
  await runLine(m, "/snippet add hi Hello there");
  await runLine(m, "/snippet");
  expect(topPopup(m.screen)).toMatchObject({ kind: "picker", title: "Snippets" });
  await m.press("enter");
  expect(m.text()).toBe("Hello there");
});

test("names of snippets and subcommands are completed", async () => {
  const m = emptyScreen();
  await runLine(m, "/snippet add hello Hello");
  await m.type("/snippet h");
  expect(m.screen.completion?.items.map(({ label }) => label)).toEqual(["hello"]);
  await m.press("C-u");
  await m.type("/snippet re");
  expect(m.screen.completion?.items.map(({ label }) => label)).toEqual(["remove"]);
});

test("a snippet can be removed, and an unknown name suggests a similar one", async () => {
  const m = emptyScreen();
  await runLine(m, "/snippet add hello Hello");
  await runLine(m, "/snippet helo");
  expect(m.told().at(-1)).toBe("There is no snippet 'helo', did you mean 'hello'; /snippet lists them.");
  expect(m.text()).toBe("/snippet helo");
  await m.press("C-u");
  await runLine(m, "/snippet remove hello");
  expect(m.told().at(-1)).toBe("hello removed.");
  await runLine(m, "/snippet");
  expect(m.told().at(-1)).toMatch(/^No snippets yet/);
});

test.each([
  ["/snippet add", /^A snippet needs a name and a text/],
  ["/snippet add hello", /^A snippet needs a name and a text/],
  ["/snippet add list x", /^List is a word of \/snippet itself/],
  ["/snippet add a/b x", /^A name is up to 32 letters/],
])("%s is refused with the reason, and stays in the box", async (text, reason) => {
  const m = emptyScreen();
  await runLine(m, text);
  expect([m.told().at(-1), m.text()]).toEqual([expect.stringMatching(reason), text]);
});

let folder: string | undefined;
afterEach(() => folder && rmSync(folder, { recursive: true, force: true }));

test("the file is private, keeps its other lines, and returns what was saved", () => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-snippets-"));
  const own = new SnippetFile({ XDG_CONFIG_HOME: folder });
  own.save("two", "a\\n b\nc");
  const file = path.join(folder, "parley/snippets.conf");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, `# mine\n${readFileSync(file, "utf8")}one  1\n`);
  expect(own.read()).toEqual({
    snippets: [
      { name: "two", text: "a\\n b\nc" },
      { name: "one", text: "1" },
    ],
    faults: [],
  });
  own.save("two", undefined);
  expect(readFileSync(file, "utf8")).toMatch(/^# mine\n[^]*one {2}1\n$/);
  expect(own.read().snippets).toEqual([{ name: "one", text: "1" }]);
});

test("errors in the file are reported by line, and valid lines are used", () => {
  const { snippets, faults } = parseSnippets("s.conf", "ok fine\nok again\nempty\nadd x\nb!d x\n\n# note");
  expect(snippets).toEqual([{ name: "ok", text: "fine" }]);
  expect(faults).toEqual([
    "s.conf line 2: that name is there twice.",
    "s.conf line 3: the text is missing.",
    "s.conf line 4: add is a word of /snippet itself: take another name.",
    "s.conf line 5: a name is up to 32 letters, digits, - and _.",
  ]);
});
