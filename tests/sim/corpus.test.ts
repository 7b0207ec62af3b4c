/** Stories that once broke the contract, saved as short scripts: each is played in every run, whatever its seed would generate now. */
import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Script } from "./script.ts";
import { playScript } from "./world.ts";

interface StoredStory {
  /** What broke, in one line. */
  was: string;
  script: Script;
}

const FOLDER = new URL("corpus/", import.meta.url);
const stories = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .toSorted()
  .map((name) => [name, JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as StoredStory] as const);

test("each stored story says what it broke", () => {
  expect(stories.length).toBeGreaterThan(0);
  expect(stories.filter(([, { was }]) => !was.trim()).map(([name]) => name)).toEqual([]);
});

test.each(stories)("the stored story %s keeps the delivery contract", async (_name, { was, script }) => {
  expect((await playScript(script)).broken, was).toEqual([]);
});
