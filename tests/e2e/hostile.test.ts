/** Hostile texts change only their own lines: on the screen, in tables, in tail and in the terminal's title (specification/security.md §2). */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Home, PARLEY } from "../support/home.ts";
import { Pty } from "../support/pty.ts";
import { hostile } from "../text/hostile.ts";

const CID = "messaging:general";
let home: Home;
beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("general", ["ana", "bob"]);
});
afterAll(() => home.end());

/** Every second text with control bytes or bidi controls, and every fifth of the others. */
const DANGEROUS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
const sample = hostile.filter(
  (text, i) => text.trim() !== "" && (DANGEROUS.test(text) ? i % 2 === 0 : i % 5 === 0),
);

/** Joins several texts into one message, so that an unterminated sequence meets the text after it. */
function batches(texts: readonly string[], each: number, longest: number): string[] {
  const out: string[] = [];
  for (let i = 0; i < texts.length; i += each)
    out.push(
      texts
        .slice(i, i + each)
        .map((text) => text.slice(0, longest).toWellFormed())
        .join("\n"),
    );
  return out;
}

/** Whether the rule above the box is whole, and the line beside the sidebar in every row above it. */
const isFramed = (pty: Pty): boolean => {
  const at = Array.from({ length: pty.rows }, (_, y) => y).find((y) => /^[─┴]+$/.test(pty.line(y)));
  if (at === undefined) return false;
  const x = [...pty.line(at)].indexOf("┴");
  return Array.from({ length: at - 1 }, (_, y) => y + 1).every((y) => x < 0 || pty.cell(x, y)!.char === "│");
};

/** Removes the sequences a program may write to a terminal; any that remain come from hostile text. */
function withoutAllowedSequences(raw: string): string {
  return raw
    .replace(/\x1b\[[\d;:]*m/g, "")
    .replace(/\x1b\]8;(?:id=[\w-]*)?;(?:https?:\/\/[\x21-\x7e]*)?(?:\x07|\x1b\\)/g, "")
    .replace(/\r\n/g, "\n");
}
/** The OSC strings of a stream: number and text. */
const oscs = (raw: string): [string, string][] =>
  [...raw.matchAll(/\x1b\](\d*);?([^\x07\x1b]*)(?:\x07|\x1b\\)/g)].map((m) => [m[1]!, m[2]!]);

describe("on the screen", () => {
  test("hostile messages change only their own lines", async () => {
    expect(sample.length).toBeGreaterThan(500);
    const screen = home.screen(["chat", CID]);
    await screen.waitFor("message #general");
    await screen.waitFor("● online");
    screen.type("my own words");
    await screen.waitFor("› my own words");
    await screen.settle(300);
    const quiet = screen.raw.length;
    const modes = { ...screen.modes };
    const frame = (): unknown => ({
      header: screen.line(0),
      side: Array.from({ length: 26 }, (_, y) => screen.line(y + 1).slice(0, 21)),
      bottom: [screen.line(27), screen.line(28).slice(0, 90), screen.line(29)],
      cursor: screen.cursor(),
      alt: screen.altScreen,
    });
    const undisturbed = frame();
    const all = batches(sample, 8, 500);
    for (const [n, text] of all.entries()) {
      await home.say(CID, "bob", { text });
      // Only the last message of a page is checked; the others are drawn on the way.
      if (n % 6 !== 5 && n !== all.length - 1) continue;
      await home.say(CID, "bob", { text: `calm ${n}` });
      await screen.waitFor((pty) => new RegExp(`calm ${n}\\b`).test(pty.text()));
      await screen.waitFor((pty) => pty.line(0).includes("● online"));
      // A frame may arrive in pieces: only the complete one counts.
      await screen.waitFor(() => isDeepStrictEqual(frame(), undisturbed), 2000).catch(() => {});
      expect(frame()).toEqual(undisturbed);
    }
    expect({ ...screen.modes }).toEqual(modes);
    // No OSC strings except Parley's title and links; no bell, no report requests, no modes, no margins, no reset.
    const written = screen.raw.slice(quiet);
    for (const [number, words] of oscs(written)) {
      expect(["2", "8"]).toContain(number);
      if (number === "2") expect(words).toMatch(/^(\(\d+\) )?#general · Parley$/);
      else if (words !== ";") expect(words).toMatch(/^(id=[\w-]*)?;https?:\/\//);
    }
    expect(written).not.toMatch(
      /[\x80-\x9f]|\x1bP|\x1b_|\x1b\^|\x1bX|\x1bc|\x1b\[!p|\x1b\[\d*n|\x1b\[[?>=]?\d*c/,
    );
    const changed = [...written.matchAll(/\x1b\[\?([\d;]+)[hl]/g)].map((m) => m[1]);
    expect(new Set(changed.filter((mode) => !["25", "2026"].includes(mode!)))).toEqual(new Set());
    // The screen still works.
    screen.key("C-u");
    screen.type("still here");
    screen.key("enter");
    await screen.waitFor("still here ✓");
    await screen.close();
  });

  test("a giant word takes only its own lines, and typing still works", async () => {
    const cid = await home.channel("giants", ["ana", "bob"]);
    const screen = home.screen(["chat", cid]);
    await screen.waitFor("message #giants");
    await screen.waitFor("● online");
    for (const text of [
      "x".repeat(5000),
      "漢".repeat(5000),
      "e\u0301".repeat(2500),
      "\u202e".repeat(5000),
      "👍🏽".repeat(1250),
    ]) {
      await home.say(cid, "bob", { text });
      await home.say(cid, "bob", { text: "after it" });
      await screen.waitFor((pty) => /after it/.test(pty.line(26)) || /after it/.test(pty.text()));
      screen.type("k");
      await screen.waitFor("› k");
      screen.key("backspace");
      await screen.waitFor("› message #giants");
      await screen.waitFor(isFramed);
    }
    await screen.close();
  });

  test("hostile names, reactions and card titles are cleaned everywhere on the screen and in the terminal's title", async () => {
    const hostileNames = [
      "\x1b]2;pwned\x07",
      "\x1b]0;pwned\x1b\\tail",
      "\x9d2;pwned\x9c",
      "\x1b[2J\x1b[H\x1b[31m",
      "\x1b[?1049l\x1b[?25l",
      "\u202e\u2066txet\u2069",
      "\x1b]52;c;cHduZWQ=\x07",
      "\x1bc\x1b(0\x0e",
      "\r\noverwritten",
      "a\tb\x08\x08\x08c\x7f",
    ];
    for (const [n, words] of hostileNames.entries()) {
      const cid = await home.channel(`evil-${n}`, ["ana", "bob", `mallory-${n}`], { name: `N${words}N` });
      await home.call("POST", "/users", {
        users: { [`mallory-${n}`]: { id: `mallory-${n}`, name: `M${words}M` } },
      });
      const { message } = await home.say(cid, `mallory-${n}`, {
        text: "look at this",
        attachments: [
          {
            type: "image",
            title: `T${words}T`,
            title_link: "https://example.com/x",
            text: `B${words}B`,
            og_scrape_url: "https://example.com/x",
            author_name: words,
          },
        ],
        custom: { note: words },
      });
      await home
        .call("POST", `/messages/${message.id}/reaction`, { reaction: { type: `r${words}` } }, "bob")
        .catch(() => {
          // The provider may refuse such a type; then there is nothing to show.
        });
    }
    const last = hostileNames.length - 1;
    const screen = home.screen(["chat", `messaging:evil-${last}`]);
    await screen.waitFor("look at this");
    await screen.waitFor("● online");
    const start = screen.raw.indexOf("look at this");
    const modes = { ...screen.modes };
    for (let n = 0; n <= last; n++) {
      await screen.waitFor("look at this");
      screen.key("C-k");
      await screen.waitFor("Go to");
      screen.key("esc");
      await screen.waitFor((pty) => !pty.text().includes("Go to"));
      screen.key("esc");
      await screen.waitFor("BROWSE");
      screen.type("v");
      await screen.waitFor("PANEL");
      screen.key("esc");
      await screen.waitFor("BROWSE");
      screen.type("i");
      await screen.waitFor("WRITE");
      expect(screen.altScreen).toBe(true);
      await screen.waitFor(isFramed);
      const title = screen.line(0);
      screen.key("A-down");
      if (n < last) await screen.waitFor((pty) => pty.line(0) !== title || pty.line(0).includes("#N␛N"));
    }
    expect({ ...screen.modes }).toEqual(modes);
    const written = screen.raw.slice(start);
    for (const [number, words] of oscs(written)) {
      expect(["2", "8"]).toContain(number);
      // Parley's own title: the hostile name is only text in it.
      if (number === "2") expect(words).toMatch(/· Parley$/);
      else if (words !== ";") expect(words).toMatch(/^(id=[\w-]*)?;https?:\/\/example\.com\//);
    }
    expect(written).not.toMatch(
      /[\x80-\x9f\x0e\x0f\u202a-\u202e\u2066-\u2069]|\x1b\(|\x1bc|\x1b\[2J|\x1b\[\?1049l|\]52;/,
    );
    await screen.close();
  });
});

describe("in tables and streams on a terminal", () => {
  /** Runs a command on a terminal. */
  async function onTerminal(words: readonly string[], done?: string): Promise<Pty> {
    const pty = Pty.spawn(process.execPath, [PARLEY, ...words], {
      cols: 100,
      rows: 50,
      env: { ...(home.env as Record<string, string>), PARLEY_PAGER: "cat" },
    });
    if (done === undefined) {
      expect((await pty.end(15_000)).exitCode).toBe(0);
    } else {
      await pty.waitFor(done);
      pty.key("C-c");
      expect((await pty.end()).exitCode).toBe(130);
    }
    return pty;
  }
  for (const [what, words] of [
    ["channel list", ["channel", "list"]],
    ["message list", ["message", "list", "-c", CID, "--limit", "120"]],
    ["message list --json", ["message", "list", "-c", CID, "--limit", "120", "--json"]],
    ["user list", ["user", "list"]],
    ["tail", ["tail", CID, "--last", "120"]],
    ["tail --ndjson", ["tail", CID, "--last", "120", "--ndjson"]],
  ] as const)
    test(`${what} writes only text and colours`, async () => {
      await home.say(CID, "bob", { text: "the end of the list" });
      const pty = await onTerminal(words, words[0] === "tail" ? "the end of the list" : undefined);
      expect(pty.altScreen).toBe(false);
      expect(withoutAllowedSequences(pty.raw).replaceAll("^C", "")).not.toMatch(
        /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/,
      );
      await pty.close();
    });
});
