/** The output stream Ink writes to: one write per frame, forced repaints in one piece, nothing queued behind a slow terminal. */
import { describe, expect, test } from "vitest";
import {
  ALT_SCREEN_OFF,
  ALT_SCREEN_ON,
  HOME_AND_ERASE,
  SYNC_BEGIN,
  SYNC_END,
} from "../../../src/tui/terminal/modes.ts";
import { OutFacade } from "../../../src/tui/terminal/out-facade.ts";

function facade() {
  const written: string[] = [];
  const callbacks: (() => void)[] = [];
  const real = {
    columns: 90,
    rows: 30,
    writableLength: 0,
    write: (data: string, done: () => void) => {
      written.push(data);
      callbacks.push(done);
    },
  };
  const events: string[] = [];
  const out = new OutFacade(real, {
    entered: () => "<on>",
    leaving: () => "<off>",
    ready: () => events.push("stale"),
  });
  const frame = (body: string): void => {
    out.write(SYNC_BEGIN);
    out.write(body);
    out.write(SYNC_END);
  };
  const drain = (): void => {
    real.writableLength = 0;
    for (const done of callbacks.splice(0)) done();
  };
  return { out, real, written, events, frame, drain };
}

describe("frames", () => {
  test("the three writes of an Ink frame are one write", () => {
    const { out, written, frame } = facade();
    frame("hello");
    expect(written).toEqual([`${SYNC_BEGIN}hello${SYNC_END}`]);
    expect(out.counters).toEqual({ frames: 1, dropped: 0, writes: 1, units: written[0]!.length });
  });
  test("rows that stay are passed by one move", () => {
    const { written, frame } = facade();
    frame("\x1b[9A\x1b[E\x1b[E\x1b[Eone\n\x1b[Etwo\n\x1b[E\x1b[E");
    expect(written).toEqual([`${SYNC_BEGIN}\x1b[9A\x1b[3Eone\n\x1b[Etwo\n\x1b[2E${SYNC_END}`]);
  });
  test("an empty frame is not written", () => {
    const { written, frame } = facade();
    frame("");
    expect(written).toEqual([]);
  });
  test("held output is written with the next frame", () => {
    const { out, written, frame } = facade();
    out.hold();
    out.write("erase,");
    frame("all");
    expect(written).toEqual([`${SYNC_BEGIN}erase,all${SYNC_END}`]);
    out.write("later");
    expect(written[1]).toBe("later");
  });
  test("after the saved frame the screen is not entered again, and the first frame replaces it row by row", () => {
    const { out, written, frame } = facade();
    out.markPainted();
    out.write(ALT_SCREEN_ON);
    frame("one\ntwo");
    frame("three");
    const row = "\x1b[2K";
    expect(written).toEqual([
      "<on>",
      `${SYNC_BEGIN}\x1b[H${row}one\n${row}two${SYNC_END}`,
      `${SYNC_BEGIN}three${SYNC_END}`,
    ]);
  });
  test("captured output does not reach the terminal", () => {
    const { out, written, frame } = facade();
    expect(out.capture(() => frame("aside"))).toBe("aside");
    frame("shown");
    expect(written).toEqual([`${SYNC_BEGIN}shown${SYNC_END}`]);
  });
  test("callbacks run after the write returned", async () => {
    const { out } = facade();
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      out.write("x", "utf8", () => (order.push("done"), resolve()));
      order.push("returned");
    });
    expect(order).toEqual(["returned", "done"]);
  });
  test("the size is that of the terminal, and Ink is not told of resizes", () => {
    const { out } = facade();
    expect([out.columns, out.rows]).toEqual([90, 30]);
  });
});

describe("the alternate screen", () => {
  test("Parley's modes are set after entering and reset before leaving, and what is left is empty", () => {
    const { out, written } = facade();
    out.write(ALT_SCREEN_ON);
    expect(out.altScreen).toBe(true);
    out.write(ALT_SCREEN_OFF);
    expect(written).toEqual([`${ALT_SCREEN_ON}<on>`, `<off>${HOME_AND_ERASE}${ALT_SCREEN_OFF}`]);
    expect(out.altScreen).toBe(false);
  });
  test("a frame that was begun before leaving is not written afterwards", () => {
    const { out, written } = facade();
    out.write(ALT_SCREEN_ON);
    out.write(SYNC_BEGIN);
    out.write("half");
    out.write(ALT_SCREEN_OFF);
    out.write("bye");
    out.write(SYNC_END);
    expect(written.slice(1)).toEqual([`<off>${HOME_AND_ERASE}${ALT_SCREEN_OFF}`, "bye"]);
  });
  test("the visibility of the cursor is tracked", () => {
    const { out, frame } = facade();
    frame("\x1b[?25l…\x1b[?25h");
    expect(out.cursorShown).toBe(true);
    frame("\x1b[?25l");
    expect(out.cursorShown).toBe(false);
    frame("nothing about it");
    expect(out.cursorShown).toBe(false);
  });
});

describe("a slow terminal", () => {
  test("frames meanwhile are dropped, and one complete repaint follows", () => {
    const { out, real, written, events, frame, drain } = facade();
    frame("one");
    real.writableLength = 9000;
    frame("two");
    frame("three");
    real.writableLength = 0;
    // Diffs against a dropped frame are wrong until everything is repainted.
    frame("four");
    expect(written).toHaveLength(1);
    expect(out.counters.dropped).toBe(3);
    expect(events).toEqual([]);
    drain();
    expect(events).toEqual(["stale"]);
    frame("whole");
    expect(written.at(-1)).toContain("whole");
  });
  test("nothing is written while paused or after closing", () => {
    const { out, written, frame, drain, real, events } = facade();
    out.pause();
    frame("a");
    out.direct("b");
    out.resume();
    frame("c");
    real.writableLength = 9000;
    frame("d");
    out.close();
    drain();
    frame("e");
    out.direct("f");
    expect(written).toEqual([`${SYNC_BEGIN}c${SYNC_END}`]);
    expect(events).toEqual([]);
    expect(out.writable).toBe(false);
  });
});
