/** The lines of `parley help ops` run as printed, from nothing to a campaign that is tested, scheduled, watched and reported. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { TOPICS } from "../../src/cli/help/topics.ts";
import { tree } from "../../src/cli/tree.ts";
import { makeHome, type Home } from "../support/transcript.ts";

const BEGIN = "each line runs as it stands:\n";
const text = TOPICS.ops!.text(tree);
const block = text.slice(text.indexOf(BEGIN) + BEGIN.length).split("\n\n")[0]!;
const lines = block.split("\n").map((line) => line.trim());

let home: Home;
beforeAll(() => {
  home = makeHome({ here: true });
});
afterAll(() => home.end());

test("help ops leads from users to a campaign report", () => {
  expect(text).toContain(BEGIN);
  expect(lines.map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual([
    "parley user upsert",
    "parley segment create",
    "parley segment add",
    "parley campaign new",
    "parley campaign check",
    "parley campaign preview",
    "parley campaign test",
    "parley campaign schedule",
    "parley campaign watch",
    "parley campaign report",
  ]);
});

test.each(lines)("%s", async (line) => {
  const { code, err } = await home.sh(line);
  expect([code, err]).toEqual([0, ""]);
});

test("after these lines every receiver has the message", async () => {
  const { out } = await home.sh("parley campaign report spring --json=status,audience,sent,missed");
  expect(JSON.parse(out)).toEqual({ status: "completed", audience: 2, sent: 2, missed: 0 });
});
