/** The session in a real terminal: input, frames, resizes, and the terminal fully restored after every kind of exit. */
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle, type Bundle } from "../../support/bundle.ts";
import { Pty, type PtyOptions } from "../../support/pty.ts";

/** The project's own Node, even if another one is first on PATH. */
const NODE = path.join(path.dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin/node");

let app: Bundle;
beforeAll(async () => {
  app = await bundle(path.join(import.meta.dirname, "fixtures/app.tsx"));
});
afterAll(() => app.remove());

async function open(options: PtyOptions = {}): Promise<Pty> {
  const pty = Pty.spawn(NODE, [app.file], { cols: 60, rows: 16, ...options });
  await pty.waitFor(options.answers === false ? "ready" : "terminal {");
  return pty;
}

/** Number of frames that reached the terminal after the first `from` chunks. */
const frames = (pty: Pty, from: number): number =>
  pty.chunks
    .slice(from)
    .map((c) => c.data)
    .join("")
    .split("\x1b[?2026h").length - 1;

const expectGivenBack = (pty: Pty): void => {
  expect(pty.altScreen).toBe(false);
  expect(pty.cursor().hidden).toBe(false);
  expect(pty.modes.mouseTrackingMode).toBe("none");
  expect(pty.modes.bracketedPasteMode).toBe(false);
  expect(pty.modes.sendFocusMode).toBe(false);
  expect(pty.modes.wraparoundMode).toBe(true);
};

describe("while the screen is up", () => {
  test("the modes are set and the terminal has answered", async () => {
    await using pty = await open();
    expect(pty.altScreen).toBe(true);
    expect(pty.modes.mouseTrackingMode).toBe("drag");
    expect(pty.modes.bracketedPasteMode).toBe(true);
    expect(pty.modes.sendFocusMode).toBe(true);
    expect(pty.modes.wraparoundMode).toBe(false);
    expect(pty.line(14)).toContain('"answered":true');
    expect(pty.line(0)).toBe("row 0");
    expect(pty.raw).not.toContain("\x1b]0;evil");
  });

  test("a terminal without answers does not delay anything", async () => {
    await using pty = await open({ answers: false });
    pty.type("x\r");
    await pty.waitFor("sent: x");
  });

  test("Enter within a chunk sends, graphemes are deleted whole, and a paste keeps its lines", async () => {
    await using pty = await open();
    pty.type("hello\r");
    await pty.waitFor("sent: hello");
    pty.type("a👨‍👩‍👧");
    await pty.waitFor("> a👨‍👩‍👧");
    pty.key("backspace");
    await pty.waitFor((p) => p.line(15) === "> a" && p.cursor().x === 3);
    pty.key("C-u");
    pty.paste("one\r\ntwo");
    await pty.waitFor((p) => p.line(15) === "> two");
    pty.key("backspace");
    pty.key("C-_");
    await pty.waitFor((p) => p.line(15) === "> two");
  });

  test("popups, mouse, focus and chords work", async () => {
    await using pty = await open();
    pty.key("f1");
    await pty.waitFor("│a popup");
    pty.key("f1");
    await pty.waitFor((p) => !p.text().includes("popup") && p.line(3) === "row 3");
    pty.mouse("wheelup", 7, 3);
    await pty.waitFor("wheelup 7,3");
    pty.key("focus-out");
    await pty.waitFor("blurred");
    pty.key("A-x");
    await pty.waitFor("key A-x");
    pty.key("A-m");
    await pty.waitFor((p) => p.modes.mouseTrackingMode === "none");
  });

  test("output of other code does not reach the screen", async () => {
    await using pty = await open();
    pty.key("A-c");
    await pty.waitFor("log info a stray line");
    pty.key("A-w");
    await pty.waitFor("log info a stray write");
    expect(pty.line(0)).toBe("row 0");
    expect(pty.line(15)).toBe(">");
  });

  test("copying and notifying write cleaned sequences", async () => {
    await using pty = await open({ env: { TERM_PROGRAM: "WezTerm" } });
    pty.key("A-y");
    pty.key("A-n");
    await pty.waitFor((p) => p.raw.includes("777;"));
    expect(pty.raw).toContain(`\x1b]52;c;${Buffer.from("copied ü").toString("base64")}\x07`);
    expect(pty.raw).toContain("\x1b]777;notify;Ana;hello; you\x07");
  });

  test.each([true, false])(
    "every resize is one frame with a correct bottom row (grapheme clusters: %s)",
    async (graphemes) => {
      await using pty = await open({ graphemes });
      await pty.settle();
      for (const [cols, rows] of [
        [80, 30],
        [40, 10],
        [41, 10],
        [40, 12],
        [120, 12],
        [60, 16],
      ] as const) {
        const before = pty.chunks.length;
        pty.resize(cols, rows);
        await pty.waitFor((p) => p.line(rows - 2).startsWith(` ${cols}x${rows}`));
        await pty.settle(50);
        expect(frames(pty, before)).toBe(1);
        expect(pty.line(rows - 1)).toBe(">");
        expect(pty.line(0)).toBe("row 0");
        expect(pty.line(rows - 3)).toBe(`row ${rows - 3}`);
        expect(pty.cursor()).toEqual({ x: 2, y: rows - 1, hidden: false });
      }
    },
  );

  test("many resizes end with the right size in few frames", async () => {
    await using pty = await open();
    await pty.settle();
    const before = pty.chunks.length;
    for (let i = 0; i < 40; i++) pty.resize(60 + i, 16 + (i % 7));
    pty.resize(70, 18);
    await pty.waitFor((p) => p.line(16).startsWith(" 70x18"));
    await pty.settle(50);
    expect(pty.line(17)).toBe(">");
    expect(pty.line(15)).toBe("row 15");
    expect(frames(pty, before)).toBeLessThan(20);
  });

  test("a key is one write of at most 350 bytes", async () => {
    await using pty = await open();
    await pty.settle();
    pty.key("A-s");
    await pty.waitFor('"frames"');
    const read = (): { frames: number; writes: number } =>
      JSON.parse(/\{.*\}/.exec(pty.line(14))![0]) as { frames: number; writes: number };
    const before = pty.chunks.length;
    for (let i = 1; i <= 20; i++) {
      pty.type("x");
      await pty.waitFor((p) => p.line(15) === `> ${"x".repeat(i)}`);
      await pty.settle(20);
    }
    const bytes =
      Buffer.byteLength(
        pty.chunks
          .slice(before)
          .map((c) => c.data)
          .join(""),
      ) / 20;
    const first = read();
    pty.key("A-s");
    await pty.waitFor((p) => read().frames !== first.frames && p.line(14).includes("writes"));
    const second = read();
    expect(second.writes - first.writes).toBe(second.frames - first.frames);
    expect(bytes).toBeLessThan(350);
  });

  test("a stalled terminal blocks neither the program nor a signal, and ends with the newest frame", async () => {
    await using pty = await open({ cols: 120, rows: 40 });
    for (let i = 0; i < 38; i++) pty.type(`${"long words ".repeat(9)}${i}\r`);
    await pty.waitFor("words 37");
    await pty.settle();
    pty.stall(true);
    for (let i = 0; i < 60; i++) {
      pty.type(i % 2 ? "\x0c" : `line ${i}\r`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    pty.stall(false);
    await pty.waitFor("sent: line 58");
    await pty.settle(50);
    expect(pty.line(8)).toBe("sent: line 0");
    expect(pty.line(37)).toBe("sent: line 58");
    expect(pty.line(39)).toBe(">");
    pty.key("A-s");
    await pty.waitFor('"dropped"');
    expect(Number(/"dropped":(\d+)/.exec(pty.line(38))![1])).toBeGreaterThan(0);
    pty.stall(true);
    for (let i = 0; i < 20; i++) pty.type("\x0c");
    pty.signal("SIGTERM");
    // Half a second later the program would end without having been read.
    await new Promise((resolve) => setTimeout(resolve, 20));
    pty.stall(false);
    await pty.waitFor((p) => !p.altScreen);
    expect((await pty.end()).exitCode).toBe(143);
    expectGivenBack(pty);
  });

  test("a paste of 200 kB is drawn in a few frames, and undone at once", async () => {
    await using pty = await open();
    await pty.settle();
    const before = pty.chunks.length;
    pty.paste(`${"word 日本 ".repeat(20)}\r\n`.repeat(1200));
    pty.type("end");
    await pty.waitFor((p) => p.line(15) === "> end");
    expect(frames(pty, before)).toBeLessThan(20);
    pty.key("C-_");
    pty.key("C-_");
    await pty.waitFor((p) => p.line(15) === ">");
  });

  test("the kitty keyboard protocol is requested only if supported, and reset", async () => {
    await using pty = await open({ answers: false });
    expect(pty.raw).not.toContain("\x1b[>5u");
    pty.type("\x1b[?0u\x1b[?62;4c");
    await pty.waitFor((p) => p.raw.includes("\x1b[>5u"));
    pty.type("\x1b[107;5u");
    await pty.waitFor("key C-k");
    pty.key("C-d");
    await pty.end();
    expect(pty.raw.split("\x1b[<u")).toHaveLength(2);
    expect(pty.raw.indexOf("\x1b[<u")).toBeLessThan(pty.raw.lastIndexOf("\x1b[?1049l"));
  });

  test.each([
    [true, '"widths":{"vs16":2,"skinTone":2,"zwj":2}'],
    [false, '"widths":{"vs16":1,'],
  ])("the widths of difficult glyphs are measured (grapheme clusters: %s)", async (graphemes, expected) => {
    await using pty = await open({ graphemes, cols: 240 });
    await pty.waitFor(expected);
  });

  test("Ctrl-L repaints everything", async () => {
    await using pty = await open();
    await pty.settle();
    const before = pty.chunks.length;
    pty.key("C-l");
    await pty.waitFor(() => frames(pty, before) > 0);
    await pty.settle(50);
    expect(frames(pty, before)).toBe(1);
    expect(pty.line(13)).toBe("row 13");
    expect(pty.line(15)).toBe(">");
  });
});

describe("the terminal is restored after", () => {
  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ] as const)("%s, which exits with %i", async (signal, code) => {
    await using pty = await open();
    pty.signal(signal);
    expect((await pty.end()).exitCode).toBe(code);
    expectGivenBack(pty);
  });
  test.each([
    ["an uncaught exception", "A-t", "error: Thrown from a timer."],
    ["an unhandled rejection", "A-r", "error: Rejected by nobody's leave."],
    ["a throw while rendering", "A-b", "error: The view broke."],
  ])("%s, which exits with 1 and prints the reason on the main screen", async (_what, key, message) => {
    await using pty = await open();
    pty.key(key);
    expect((await pty.end()).exitCode).toBe(1);
    expectGivenBack(pty);
    expect(pty.text()).toContain(message);
  });
  test("quitting, which exits with 0 and leaves nothing on the screen", async () => {
    await using pty = await open();
    pty.key("C-d");
    expect((await pty.end()).exitCode).toBe(0);
    expectGivenBack(pty);
    expect(pty.text().trim()).toBe("");
  });
  test("quitting, including the input modes of the terminal for the shell", async () => {
    await using pty = Pty.spawn(
      "sh",
      ["-c", `before=$(stty -g); "${NODE}" "${app.file}"; test "$before" = "$(stty -g)" && echo same`],
      {
        cols: 60,
        rows: 16,
      },
    );
    await pty.waitFor("terminal {");
    pty.key("C-d");
    await pty.waitFor("same");
    await pty.end();
  });
  test("a closed window, which ends the program", async () => {
    await using pty = await open();
    const { pid } = pty;
    pty.hangUp();
    const gone = (): boolean => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    };
    await pty.waitFor(gone);
  });
  test("a signal while the terminal is lent, without touching it again", async () => {
    await using pty = await open();
    pty.key("A-l");
    await pty.waitFor("borrowed");
    expectGivenBack(pty);
    const before = pty.chunks.length;
    pty.signal("SIGTERM");
    expect((await pty.end()).exitCode).toBe(143);
    // A library shows the cursor once more, which does no harm; the borrowing program owns screens and modes now.
    const written = pty.chunks.slice(before).map((c) => c.data);
    expect(written.join("").replaceAll("\x1b[?25h", "")).toBe("");
  });
  test("a closed pipe, which ends the program at its next write", async () => {
    await using pty = Pty.spawn("sh", ["-c", `"${NODE}" "${app.file}" | head -c 1 >/dev/null; echo over`], {
      cols: 60,
      rows: 16,
    });
    // The whole first frame may be in the pipe before its reader exits: typing causes the next frame.
    const typing = setInterval(() => pty.exit ?? pty.type("x"), 100);
    await pty.end(10_000).finally(() => clearInterval(typing));
    expect(pty.text()).toContain("over");
  });
});

describe("stopping and coming back", () => {
  /** A shell with job control that runs the program, waits until it stops, and continues it. */
  const shell = (between: string): Pty =>
    Pty.spawn(
      "bash",
      [
        "--norc",
        "-c",
        `set -m; "${NODE}" "${app.file}"; echo "stopped $?"; ${between}; fg >/dev/null; echo "ended $?"`,
      ],
      {
        cols: 60,
        rows: 16,
      },
    );

  test("Ctrl-Z suspends to the shell, and fg restores the screen", async () => {
    await using pty = shell("read answer");
    await pty.waitFor("terminal {");
    pty.type("draft");
    await pty.waitFor("> draft");
    pty.key("C-z");
    await pty.waitFor("stopped 148");
    expectGivenBack(pty);
    pty.type("\n");
    await pty.waitFor((p) => p.altScreen && p.text().includes("came back"));
    expect(pty.line(15)).toBe("> draft");
    expect(pty.modes.mouseTrackingMode).toBe("drag");
    pty.type("!\r");
    await pty.waitFor("sent: draft!");
    pty.key("C-d");
    await pty.waitFor("ended 0");
    expectGivenBack(pty);
  });

  test("a new size while stopped is used after fg", async () => {
    await using pty = shell("read answer");
    await pty.waitFor("terminal {");
    pty.key("C-z");
    await pty.waitFor("stopped 148");
    pty.resize(50, 12);
    pty.type("\n");
    await pty.waitFor((p) => p.line(10).startsWith(" 50x12"));
    expect(pty.line(11)).toBe(">");
    pty.key("C-d");
    await pty.waitFor("ended 0");
  });

  test("a SIGSTOP from outside is survived too", async () => {
    await using pty = shell("stty sane; read answer");
    await pty.waitFor("terminal {");
    const pids = await childrenOf(pty.pid);
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    await pty.waitFor("stopped 147");
    pty.type("\n");
    // It draws everything again once the terminal is its own: keys typed before that are discarded.
    await pty.waitFor((p) => !p.text().includes("stopped 147") && p.text().includes("terminal {"));
    pty.type("still here\r");
    await pty.waitFor("sent: still here");
    expect(pty.line(15)).toBe(">");
    expect(pty.altScreen).toBe(true);
    pty.key("C-d");
    await pty.waitFor("ended 0");
    expectGivenBack(pty);
  });

  test("without job control the screen comes back", async () => {
    await using pty = await open();
    pty.key("C-z");
    await pty.waitFor("came back");
    expect(pty.altScreen).toBe(true);
    pty.type("on\r");
    await pty.waitFor("sent: on");
  });

  test("lending the terminal shows the other program's output on the main screen", async () => {
    await using pty = await open();
    pty.key("A-e");
    await pty.waitFor("given back");
    expect(pty.raw).toContain("lent");
    pty.key("C-d");
    await pty.end();
    expect(pty.text()).toContain("lent");
  });
});

async function childrenOf(pid: number): Promise<number[]> {
  const { readFile } = await import("node:fs/promises");
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return list.trim().split(" ").filter(Boolean).map(Number);
}
