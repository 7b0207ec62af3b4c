/** The young space after a flood: shrunk in turns while something happens, and left alone while it is small. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { createThrift, FLAGS } from "../../src/tui/memory.ts";

const MIB = 2 ** 20;
const ON = FLAGS.save;
const OFF = FLAGS.stop;

function stage() {
  const flags: string[] = [];
  let due: (() => void) | undefined;
  const world = {
    flags,
    young: 4 * MIB,
    looks: 0,
    waits: () => due !== undefined,
    /** Lets the time to the next look pass. */
    pass() {
      const run = due;
      due = undefined;
      run?.();
    },
  };
  const thrift = createThrift(
    {
      now: () => 0,
      setTimeout: (run) => (due = run),
      clearTimeout: () => (due = undefined),
    },
    {
      young: () => {
        world.looks++;
        return world.young;
      },
      setFlag: (flag) => flags.push(flag),
    },
  );
  flags.length = 0;
  return { ...thrift, world };
}

test("a large young space is shrunk until it is small again, without anything more happening", () => {
  const { look, world } = stage();
  world.young = 32 * MIB;
  look();
  world.pass();
  expect(world.flags).toEqual([ON]);
  world.young = 12 * MIB;
  world.pass();
  expect(world.flags).toEqual([ON]);
  world.young = 6 * MIB;
  world.pass();
  expect(world.flags).toEqual([ON, OFF]);
  expect(world.waits()).toBe(false);
});

test("a thousand changes are one look, and a quiet program is not looked at", () => {
  const { look, world } = stage();
  for (let n = 0; n < 1000; n++) look();
  world.pass();
  expect(world.looks).toBe(1);
  expect(world.waits()).toBe(false);
  expect(world.flags).toEqual([]);
});

test("a flood that ends while its space is large leaves nothing running and no typing slowed", () => {
  const { look, world } = stage();
  world.young = 64 * MIB;
  look();
  let passes = 0;
  for (; world.waits() && passes < 100; passes++) world.pass();
  expect(passes).toBeLessThanOrEqual(10);
  expect(world.flags).toEqual([ON, OFF]);
  look();
  world.pass();
  expect(world.flags).toEqual([ON, OFF, ON]);
});

test("closing ends the shrinking and the looks", () => {
  const { look, close, world } = stage();
  world.young = 64 * MIB;
  look();
  world.pass();
  close();
  look();
  expect(world.flags).toEqual([ON, OFF]);
  expect(world.waits()).toBe(false);
});

test("this Node knows the flags: an unknown one would be told on the terminal, over the picture", () => {
  const told = (flags: readonly string[]): string =>
    spawnSync(process.execPath, [
      "-e",
      "const v8 = require('node:v8'); for (const flag of process.argv.slice(1)) v8.setFlagsFromString(flag);",
      "--",
      ...flags,
    ]).stderr.toString();
  expect(told(Object.values(FLAGS))).toBe("");
  expect(told(["--no-such-flag"])).not.toBe("");
});
