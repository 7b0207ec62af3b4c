/** `/foo` of an extension in the box: what it prints is text to go on with or a popup, and nothing is ever sent. */
import { expect, test } from "vitest";
import type { ExtensionEnd, ExtensionPlace } from "../../../../src/tui/screen/host.ts";
import { readKeys } from "../../../../src/tui/bindings/key-file.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { EXTENSION_LINE } from "../../../../src/wire/constants.ts";
import { FakeCore, channel, stateOf } from "../../../support/fake-core.ts";
import { fakeSettings } from "../../../support/fake-settings.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

interface Started {
  place: ExtensionPlace;
  signal: AbortSignal;
  end(ended: ExtensionEnd): void;
}

/** A screen with the extension `foo`, which ends when the test says so. */
function screenWithFoo(
  commands: readonly string[] = [],
  keys = "",
): {
  m: ScreenDriver;
  core: FakeCore;
  started: Started[];
} {
  const general = channel("general");
  const config = {
    commands: commands.map((name) => ({ name, description: "", args: "", set: "" })),
  } as never;
  const core = new FakeCore(stateOf([{ ...general, channel: { ...general.channel, config } as never }]));
  const started: Started[] = [];
  const preferences = fakeSettings();
  const extension = { name: "foo", path: "/home/me/bin/parley-foo" };
  preferences.extensions = {
    list: () => [extension],
    find: (name) => (name === "foo" ? extension : undefined),
    run: (_extension, place, signal) => {
      const { promise, resolve } = Promise.withResolvers<ExtensionEnd>();
      started.push({ place, signal, end: resolve });
      signal.addEventListener("abort", () => resolve({ end: "stopped" }));
      return promise;
    },
  };
  const keyTable = readKeys(keys, "f", "default").table;
  return { m: new ScreenDriver(core, { preferences, keyTable }), core, started };
}

async function enter(m: ScreenDriver, text: string): Promise<void> {
  await m.paste(text);
  await m.press("enter");
}

const exit = (out: string, code = 0, err = ""): ExtensionEnd => ({ end: "exit", code, out, err });
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test("one line goes into the box without its colours and control characters, and is not sent", async () => {
  const { m, core, started } = screenWithFoo();
  await enter(m, '/foo a "b c"');
  expect(started[0]!.place).toMatchObject({ args: ["a", "b c"], cid: "messaging:general" });
  expect(m.text()).toBe("");
  await m.type("so: ");
  started[0]!.end(exit("\u001b[31mred\u001b[0m\u0007 tea\u0000\r\n\n"));
  await settled();
  expect(m.text()).toBe("so: red tea");
  expect(core.calls("send")).toEqual([]);
});

test.each([
  ["several lines", "a\nb\n", ["a", "b"]],
  ["a long line", "x".repeat(EXTENSION_LINE + 1), ["x".repeat(EXTENSION_LINE + 1)]],
])("%s open in a popup", async (_, out, lines) => {
  const { m, started } = screenWithFoo();
  await enter(m, "/foo");
  started[0]!.end(exit(out));
  await settled();
  expect(topPopup(m.screen)).toMatchObject({ kind: "sheet", title: "/foo", lines });
  expect(m.text()).toBe("");
});

test("a key of its own runs it, and leaves the text in the box", async () => {
  const { m, started } = screenWithFoo([], "write Alt-Z /foo a\nwrite Alt-Y /nothing");
  await m.type("so: ");
  await m.press("A-z");
  expect(started[0]!.place.args).toEqual(["a"]);
  started[0]!.end(exit("tea"));
  await settled();
  expect(m.text()).toBe("so: tea");
  await m.press("A-y");
  expect(m.told().at(-1)).toContain("nothing");
});

test("Esc stops it, and the command comes back; only one runs at a time", async () => {
  const { m, started } = screenWithFoo();
  await enter(m, "/foo one");
  await enter(m, "/foo two");
  expect(started).toHaveLength(1);
  expect(m.told().at(-1)).toBe("/foo is running: Esc stops it.");
  await m.press("C-u", "esc");
  await settled();
  expect(started[0]!.signal.aborted).toBe(true);
  expect([m.told().at(-1), m.text()]).toEqual(["/foo was stopped.", "/foo one"]);
});

test.each<[ExtensionEnd, string]>([
  [exit("half a line", 3, "x\nno \u001b[1mtea\n"), "/foo ended with 3: no tea"],
  [{ end: "exit", code: "SIGKILL", out: "", err: "" }, "/foo ended with SIGKILL."],
  [{ end: "time" }, "/foo took longer than a minute and was stopped."],
  [{ end: "size" }, "/foo printed more than 1 MiB and was stopped."],
])("a failure (%o) is told, and the command comes back", async (ended, notice) => {
  const { m, started } = screenWithFoo();
  await enter(m, "/foo x");
  started[0]!.end(ended);
  await settled();
  expect([m.told().at(-1), m.text()]).toEqual([notice, "/foo x"]);
});

test("its name is completed and suggested, and a command of the provider with its name comes first", async () => {
  const { m, started } = screenWithFoo();
  await m.type("/fo");
  expect(m.screen.completion?.items.map(({ label, detail }) => [label, detail])).toContainEqual([
    "/foo",
    "your extension /home/me/bin/parley-foo",
  ]);
  await m.press("C-u");
  await enter(m, "/fooo");
  expect(m.told().at(-1)).toContain("near it: /foo");
  const provider = screenWithFoo(["foo"]);
  await enter(provider.m, "/foo x");
  expect([started, provider.started]).toEqual([[], []]);
  expect(provider.core.calls("send")).toHaveLength(1);
});
