/** Each service from its export to the list of messages: converted, checked, imported twice, listed, archived, verified and shown. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FOREIGN_FORMATS } from "../../src/model/files/foreign-formats.gen.ts";
import { SAMPLES } from "../support/foreign-samples.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const work = (name: string): string => path.join(home.folder, "work", name);
/** Standard error has what is not used, and the sentence about a loss, and nothing else. */
const COUNTED = /^(not used: [^\x1b\n]+\n)*(error: Not everything could be imported: [^\x1b\n]+\n)?$/;
const run = async (line: string, codes: readonly number[] = [0]): Promise<string> => {
  const { out, err, code } = await home.sh(line);
  expect([line, codes.includes(code ?? -1), err]).toEqual([line, true, expect.stringMatching(COUNTED)]);
  return out;
};

beforeAll(async () => {
  home = makeHome({ here: true });
  await run("parley local status > /dev/null; parley whoami > /dev/null");
});
afterAll(() => home.end());

test("every format has a sample", () => {
  expect(Object.keys(SAMPLES).toSorted()).toEqual(
    Object.keys(FOREIGN_FORMATS).filter((name) => name !== "slack"),
  );
});

test.each(Object.entries(SAMPLES))(
  "%s: a converted export is good, importing it twice changes nothing, and its archive shows it",
  async (format, { write, reader, channel, shown }) => {
    const source = write(work(format));
    await run(`parley import convert ${source} --out ${format}.jsonl`, [0, 9]);
    await run(`parley import validate ${format}.jsonl`);
    const items = readFileSync(work(`${format}.jsonl`), "utf8");
    await run(`parley import convert ${source} --source ${format} --force --out ${format}.jsonl`, [0, 9]);
    expect(readFileSync(work(`${format}.jsonl`), "utf8")).toBe(items);
    const list = `parley --as ${reader} message list -c '${channel}' --jq '[.user.name, .text, .type]'`;
    await run(`parley local import ${source}`, [0, 9]);
    const first = await run(list);
    expect(
      first
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(shown);
    await run(`parley local import ${source}`, [0, 9]);
    expect(await run(list)).toBe(first);
    await run(`parley --as ${reader} archive create ${format}.kept -c '${channel}' > /dev/null`);
    expect(await run(`parley archive verify ${format}.kept`)).toMatch(/rows\s+good/);
    const archived = await run(`parley archive show ${format}.kept '${channel}'`);
    for (const [, text] of shown) expect(archived).toContain(text!.split("\n")[0]!);
    await run(`parley archive import ${format}.direct ${source} > /dev/null`, [0, 9]);
    expect(await run(`parley archive show ${format}.direct '${channel}'`)).toBe(archived);
  },
);

test("what is none of them is refused with one sentence that names them, whatever its name", async () => {
  const { code, out, err } = await home.sh(
    "printf '\\033[31mno\\n' > result.json; parley import convert result.json",
  );
  const titles = Object.values(FOREIGN_FORMATS)
    .map(({ title }) => title)
    .join(", ");
  expect([code, out, err]).toEqual([
    7,
    "",
    `error: result.json is nothing that can be converted: no export of Parley or of ${titles}, and no plain lines\nhint: parley help importing says what can be converted\n`,
  ]);
});
