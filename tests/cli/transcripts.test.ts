/** Plays the transcripts of tests/cli/transcripts: what a person or a script types, and what must come out. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROOF, sampled } from "../support/proof.ts";
import { fits, makeHome, readStory } from "../support/transcript.ts";
import type { Home } from "../support/transcript.ts";

const folder = path.join(import.meta.dirname, "transcripts");

/** In the proof by the built program, a process for each line; else in this process, which takes a fifth of the time. */
const HERE = !PROOF;

for (const file of sampled(readdirSync(folder).toSorted(), 3, "transcripts")) play(file);

/** Its lines one after the other: what one has done the next can see. */
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
