/** Each block of docs/recipes.md works when pasted into a shell: on the embedded provider, in a new profile, and in any order. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeHome, type Home } from "./support/transcript.ts";

const page = readFileSync(path.resolve(import.meta.dirname, "../docs/recipes.md"), "utf8");

/** The blocks below a heading, by the words of their own headings. */
const blocksOf = (heading: string): [string, string][] => {
  const section = page.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^### (.+)\n+```sh\n([\s\S]*?)```/gm)].map(([, name, text]) => [name!, text!]);
};
const SECTIONS = ["Scripting", "Running an app"];

test("there are ten recipes of each kind, and every block of the page is one of them", () => {
  const counts = SECTIONS.map((heading) => blocksOf(heading).length);
  expect(counts).toEqual([10, 10]);
  expect(page.match(/```sh/g)).toHaveLength(20);
});

describe.each(SECTIONS)("%s", (heading) => {
  let home: Home;
  beforeAll(async () => {
    home = makeHome({ here: true });
    delete home.env.PARLEY_LOCAL_SEED;
    expect((await home.sh("parley local start")).code).toBe(0);
  });
  afterAll(() => home.end());

  test.each(blocksOf(heading).toReversed())("%s", async (_, text) => {
    const { code, out, err } = await home.sh(`set -e\n${text}`);
    // A block that shows a failure says so itself.
    const isShown = text.includes("|| echo");
    expect({ code, err: isShown ? "" : err.replaceAll(/^more with .*\n/gm, "") }).toEqual({
      code: 0,
      err: "",
    });
    if (isShown) expect(out).toMatch(/exit code \d+/);
  });
});
