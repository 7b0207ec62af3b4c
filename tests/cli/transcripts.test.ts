/** Plays the transcripts of tests/cli/transcripts: command lines and their exact output. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXITS } from "../../src/cli/base/exit.ts";
import { tree } from "../../src/cli/tree.ts";
import { PROOF, spread } from "../support/proof.ts";
import { fits, makeHome, readStory, type Home } from "../support/transcript.ts";

const folder = path.join(import.meta.dirname, "transcripts");

/** The proof runs the built program with a process per line; otherwise lines run in this process, which takes a fifth of the time. */
const HERE = !PROOF;

const files = readdirSync(folder).toSorted();
for (const file of files) play(file);
// On a terminal the output has another format, but the exit codes are the same.
for (const file of spread(files, 3)) playOnTerminal(file);

/** The commands in a line, including those in pipes and substitutions. */
function commandsOf(line: string): string[] {
  const words = line.split(/[\s"'`$();|&]+/);
  return words.flatMap((word, at) => {
    if (word !== "parley") return [];
    const after = words
      .slice(at + 1)
      .join(" ")
      .replace(/^((-p|--as|--profile) \S+ |-\S+ )+/, "")
      .split(" ");
    const named = [3, 2, 1].map((count) => tree.pathOf(after.slice(0, count)));
    return named.filter((name) => tree.find(name) !== undefined).slice(0, 1);
  });
}

test("the transcripts contain every command, and every exit code that needs no signal or broken disk", () => {
  const steps = files.flatMap((file) => readStory(path.join(folder, file)));
  const played = new Set(steps.flatMap(({ command }) => commandsOf(command)));
  expect(tree.visiblePaths().filter((name) => !played.has(name))).toEqual([]);
  const said = steps.flatMap(({ out }) => out.flatMap((line) => /^code (\d+)$/.exec(line)?.[1] ?? []));
  const ends = new Set([...steps.map(({ code }) => code), ...said.map(Number)]);
  expect(EXITS.map(({ code }) => code).filter((code) => !ends.has(code))).toEqual(ELSEWHERE);
});

/** Codes that need a silent provider, a full disk or a signal: see `exit-codes.test.ts` and `terminal.test.ts`. */
const ELSEWHERE = [11, 12, 130, 143];

/** The same lines with a terminal as output, always in this process; `play` covers the built program. */
function playOnTerminal(file: string): void {
  describe(`${file.replace(/\.txt$/, "")} on a terminal`, () => {
    let home: Home;
    beforeAll(() => {
      home = makeHome({ here: true });
      home.env.PARLEY_FORCE_TTY = "100";
    });
    afterAll(() => home.end());
    for (const step of readStory(path.join(folder, file)))
      test(`line ${step.line}: ${step.command}`, async () => {
        const { out, err, code } = await home.sh(step.command);
        if (code !== step.code) expect({ out, err, code }).toEqual({ out, err, code: step.code });
        expect(out).not.toMatch(/undefined|\[object |NaN/);
      });
  });
}

/** Plays the lines in order in one home: each sees the effects of those before it. */
function play(file: string): void {
  describe(file.replace(/\.txt$/, ""), () => {
    let home: Home;
    beforeAll(() => {
      home = makeHome({ here: HERE });
    });
    afterAll(() => home.end());
    for (const step of readStory(path.join(folder, file)))
      test(`line ${step.line}: ${step.command}`, async () => {
        const ran = await home.sh(step.command);
        const shown = { out: ran.out, err: ran.err, code: ran.code };
        if (!fits(step.out, ran.out)) expect(shown).toEqual({ ...shown, out: step.out.join("\n") });
        if (!fits(step.err, ran.err)) expect(shown).toEqual({ ...shown, err: step.err.join("\n") });
        expect(shown).toMatchObject({ code: step.code });
      });
  });
}
