/** Small files that would fill the memory are refused by name, wherever the command line reads one. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
/** 3 MB of lists: parsed, they took 500 MB as JSON and 1.5 GB as YAML. */
const LISTS = `[${"[],".repeat(1_000_000)}[]]`;
const EXCESSIVE = "is nested too deep or has too many values";

beforeAll(async () => {
  home = makeHome({ here: true });
  const write = (name: string, text: string): void =>
    writeFileSync(path.join(home.folder, "work", name), text);
  mkdirSync(path.join(home.folder, "work"), { recursive: true });
  write("lists.yaml", `a: ${LISTS}`);
  write("lists.json", `{"a":${LISTS}}`);
  write("record.csv", `id,name\nana,${"x".repeat(17 * 2 ** 20)}`);
  write("words.txt", `{"words":${LISTS}}\n`);
  await home.sh("parley local status > /dev/null");
}, 120_000);
afterAll(() => home.end());

test.each([
  ["campaign check lists.yaml", `it ${EXCESSIVE}`],
  ["plan lists.yaml", `it ${EXCESSIVE}`],
  ["app set --file lists.json --yes", EXCESSIVE],
  ["channel list --filter @lists.json", `--filter ${EXCESSIVE}`],
  ["user upsert --file lists.json --yes", `Record 1 ${EXCESSIVE}`],
  ["user upsert --file record.csv --yes", "line 2: a record is longer than 16 MiB"],
  ["import convert lists.json", `Item 1 of lists.json ${EXCESSIVE}`],
  ["import validate lists.json", "1 of 1 item is wrong"],
  ["local import lists.json", EXCESSIVE],
  ["campaign check /dev/zero", "/dev/zero is larger than 16 MiB"],
  ["channel list --filter @/dev/zero", "/dev/zero is larger than 16 MiB"],
])(
  "%s is refused, in little memory",
  async (line, words) => {
    // The limit of the heap makes a run fail that builds the values.
    const { err, code } = await home.sh(`NODE_OPTIONS=--max-old-space-size=150 parley ${line}`);
    expect([code === 2 || code === 7, err]).toEqual([true, expect.stringContaining(words)]);
  },
  60_000,
);
