/** Small files that would fill the memory are refused by name, wherever the command line reads one. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
/** 3 MB of lists: parsed, they took 500 MB as JSON and 1.5 GB as YAML. */
const LISTS = `[${"[],".repeat(1_000_000)}[]]`;
/** Exports of Slack by their day file. */
const DAY_FILES = {
  "slack-deep": "[".repeat(1e6) + "]".repeat(1e6),
  "slack-lists": `[${"[],".repeat(100_000)}[]]`,
  "slack-objects": `[${"{},".repeat(600_000)}{}]`,
};
const EXCESSIVE = "is nested too deep or has too many values";

beforeAll(async () => {
  home = makeHome({ here: true });
  const write = (name: string, text: string): void =>
    writeFileSync(path.join(home.folder, "work", name), text);
  mkdirSync(path.join(home.folder, "work"), { recursive: true });
  write("lists.yaml", `a: ${LISTS}`);
  write("lists.json", `{"a":${LISTS}}`);
  write("record.csv", `id,name\nana,${"x".repeat(17 * 2 ** 20)}`);
  for (const [name, list] of Object.entries(DAY_FILES)) {
    mkdirSync(path.join(home.folder, "work", name, "general"), { recursive: true });
    write(`${name}/users.json`, '[{"id":"U1","name":"ana"}]');
    write(`${name}/channels.json`, '[{"id":"C1","name":"general","members":["U1"]}]');
    write(`${name}/general/2020-09-13.json`, list);
  }
  write("words.txt", `{"words":${LISTS}}\n`);
  await home.sh("parley local status > /dev/null");
});
afterAll(() => home.end());

/** Runs the line with a heap so small that a run which builds the values fails. */
const inLittleMemory = (line: string) => home.sh(`NODE_OPTIONS=--max-old-space-size=150 parley ${line}`);

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
])("%s is refused, in little memory", async (line, words) => {
  const { err, code } = await inLittleMemory(line);
  expect([code === 2 || code === 7, err]).toEqual([true, expect.stringContaining(words)]);
});

test.each([
  ["slack-deep", 9, "not valid JSON, or beyond the bounds of an element"],
  ["slack-lists", 9, "100,001 entries: in a file of messages, but no message"],
  ["slack-objects", 7, "holds more entries than any export"],
])("the export %s is refused or counted, in little memory", async (name, ends, words) => {
  const { err, code } = await inLittleMemory(`import convert ${name} --out ${name}.jsonl`);
  expect([code, err]).toEqual([ends, expect.stringContaining(words)]);
});
