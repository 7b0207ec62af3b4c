/** Settings with a visible effect: typing that is sent or not, and colours that follow the terminal's background. */
import { spawn } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Pty } from "../support/pty.ts";
import { until } from "../support/home.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(async () => {
  home = makeHome();
  await home.sh(
    "parley channel create messaging:ops --name Ops && parley local token bo && parley member add bo -c messaging:ops",
  );
});
afterAll(() => home.end());

function screen(words: string[], env: Record<string, string> = {}, background?: string): Pty {
  return Pty.spawn(path.join(home.folder, "bin/parley"), ["chat", "messaging:ops", ...words], {
    cols: 100,
    rows: 30,
    cwd: path.join(home.folder, "work"),
    env: { ...home.env, ...env },
    background,
  });
}

describe("typing", () => {
  /** Event types that another user receives while a text is typed and sent. */
  async function eventTypesDuring(env: Record<string, string>, id: string): Promise<string[]> {
    const tail = spawn(
      path.join(home.folder, "bin/parley"),
      [
        "--as",
        "bo",
        "tail",
        "messaging:ops",
        "--typing",
        "--last",
        "1",
        "--jq",
        '.type + " " + (.message.text // "")',
      ],
      {
        env: home.env,
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    let out = "";
    tail.stdout.setEncoding("utf8").on("data", (piece: string) => (out += piece));
    try {
      // Its first line shows that it follows.
      await home.sh(`parley send '#ops' begin ${id}`);
      await until("the tail", () => out.includes(`begin ${id}`));
      await using pty = screen([], env);
      await pty.waitFor(`begin ${id}`);
      // A key pressed before the screen is connected sends no typing event.
      await pty.waitFor("● online");
      pty.type(`typed ${id}`);
      await pty.waitFor(`typed ${id}`);
      pty.key("enter");
      await until("the message", () => out.includes(`typed ${id}`));
      return out.split("\n").map((line) => line.split(" ")[0]!);
    } finally {
      tail.kill("SIGKILL");
    }
  }
  test("sends typing events by default, and none when switched off", async () => {
    expect(await eventTypesDuring({}, "one")).toContain("typing.start");
    const off = await eventTypesDuring({ PARLEY_TYPING: "false" }, "two");
    expect(off).not.toContain("typing.start");
    expect(off).toContain("message.new");
  });
});

describe("linkPreviews", () => {
  const sent = async (text: string): Promise<string> =>
    (
      await home.sh(
        `parley message list '#ops' --json --jq '.. | objects | select(.text? == "${text}") | .attachments | length'`,
      )
    ).out.trim();
  test("shows the card while one writes and sends it, and what Alt-X dismisses is sent without", async () => {
    await home.sh("parley send '#ops' begin links");
    await using pty = screen([], { PARLEY_LINK_PREVIEWS: "true" });
    await pty.waitFor("begin links");
    await pty.waitFor("● online");
    pty.type("https://ci.example.com/881");
    await pty.waitFor("link · Build 881 failed · ci.example.com");
    pty.key("A-x");
    await pty.waitFor("ci.example.com/881 · sent without a preview");
    pty.key("enter");
    await until("the message without", async () => (await sent("https://ci.example.com/881")) === "0");
    pty.type("https://ci.example.com/880");
    await pty.waitFor("link · Build 880 passed");
    pty.key("enter");
    await until("the message with its card", async () => (await sent("https://ci.example.com/880")) === "1");
  });
});

test("with locations switched off one is refused with the way to switch them on, and nothing is sent", async () => {
  const { code, err } = await home.sh("PARLEY_LOCATIONS=off parley location share '#ops' Amsterdam");
  expect(code).toBe(7);
  expect(err).toContain("parley config set locations true");
});

describe("theme", () => {
  /** The colour of the first message's author: waits for `wanted` after the terminal has answered, then returns the actual colour. */
  async function authorColour(
    words: string[],
    background?: string,
    expected?: string,
  ): Promise<string | undefined> {
    await using pty = screen(words, {}, background);
    await pty.waitFor("begin one");
    await pty.waitFor("mira");
    const colour = (): string | undefined => {
      const at = Array.from({ length: pty.rows }, (_, y) => pty.line(y).lastIndexOf("mira"))
        .map((x, y) => ({ x, y }))
        .find(({ x }) => x >= 0)!;
      return pty.cell(at.x, at.y)?.fg;
    };
    if (expected !== undefined) await pty.waitFor(() => colour() === expected).catch(() => undefined);
    await pty.settle(200);
    return colour();
  }
  test("auto follows the terminal's background, and a chosen theme ignores it", async () => {
    const dark = await authorColour(["--theme", "dark"]);
    const light = await authorColour(["--theme", "light"]);
    expect(dark).not.toBe(light);
    const ways: [words: string[], background: string, colour: string | undefined][] = [
      [[], "ffff/ffff/ffff", light],
      [[], "1010/1010/1010", dark],
      [["--theme", "dark"], "ffff/ffff/ffff", dark],
    ];
    for (const [words, background, colour] of ways)
      expect(await authorColour(words, background, colour)).toBe(colour);
  });
});

describe("readOn", () => {
  const unread = async (): Promise<string> => (await home.sh("parley channel list --jq .unread")).out.trim();
  let n = 0;
  /** Shows another user's message on a screen whose readOn setting is `readOn`. */
  async function showMessage(readOn: string, then: (pty: Pty) => Promise<void>): Promise<void> {
    await home.sh("parley channel read messaging:ops");
    await using pty = screen([], { PARLEY_READ_ON: readOn });
    await pty.waitFor("Ops");
    await pty.waitFor(/online|general|begin/);
    pty.key("focus-out");
    const words = `news ${++n}`;
    await home.sh(`parley --as bo send messaging:ops ${words}`);
    await pty.waitFor(words);
    await then(pty);
  }
  const ways: [what: string, setting: string, then: (pty: Pty) => Promise<void>][] = [
    [
      "shown: a message on the screen is read",
      "shown",
      async () => void (await until("read", async () => (await unread()) === "0")),
    ],
    [
      "focused: a message is read once the terminal has focus",
      "focused",
      async (pty) => {
        await pty.settle(500);
        expect(await unread()).toBe("1");
        pty.key("focus-in");
        await until("read", async () => (await unread()) === "0");
      },
    ],
    [
      "manual: a message on the screen stays unread",
      "manual",
      async (pty) => {
        pty.key("focus-in");
        await pty.settle(500);
        expect(await unread()).toBe("1");
      },
    ],
  ];
  test.each(ways)("%s", (_, setting, then) => showMessage(setting, then));
});

test("mouse: the screen asks for mouse reports only when it is on", async () => {
  for (const [value, isRequested] of [
    ["true", true],
    ["false", false],
  ] as const) {
    await using pty = screen([], { PARLEY_MOUSE: value });
    await pty.waitFor("Ops");
    expect(pty.raw.includes("\u001b[?1006h")).toBe(isRequested);
  }
});
