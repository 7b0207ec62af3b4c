/** Plays the transcripts of tests/cli/transcripts: what a person or a script types, and what must come out. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fits, makeHome, readStory } from "../support/transcript.ts";
import type { Home } from "../support/transcript.ts";

const folder = path.join(import.meta.dirname, "transcripts");

const files = readdirSync(folder).toSorted();
/** Stories that run side by side: each has a home and a provider of its own. */
const LANES = 2;

for (let lane = 0; lane < LANES; lane++)
  describe(`lane ${lane + 1}`, { concurrent: true }, () => {
    for (const file of files.filter((_, n) => n % LANES === lane)) play(file);
  });

/** Its lines one after the other: what one has done the next can see. */
function play(file: string): void {
  describe(file.replace(/\.txt$/, ""), { concurrent: false }, () => {
    let home: Home;
    beforeAll(() => {
      home = makeHome();
    });
    afterAll(() => home.end());
    for (const step of readStory(path.join(folder, file)))
      test(`line ${step.line}: ${step.command}`, { concurrent: false }, async () => {
        const ran = await home.sh(step.command);
        const shown = { out: ran.out, err: ran.err, code: ran.code };
        if (!fits(step.out, ran.out)) expect(shown).toEqual({ ...shown, out: step.out.join("\n") });
        if (!fits(step.err, ran.err)) expect(shown).toEqual({ ...shown, err: step.err.join("\n") });
        expect(shown).toMatchObject({ code: step.code });
      });
  });
}
