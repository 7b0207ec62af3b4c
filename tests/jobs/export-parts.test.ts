/** What each file of an export has: its part, its period, its channel, and the paths of the files that messages and replies name. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exported, ExportedChannel, ExportForm, Partition } from "../../src/jobs/export/form.ts";
import { namesOf } from "../../src/jobs/export/pattern.ts";
import { TextOutput } from "../../src/jobs/export/text-output.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), "parley-parts-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const channel = (id: string): ExportedChannel =>
  ({
    realCid: `messaging:${id}`,
    channel: { id, name: id, type: "messaging", cid: `messaging:${id}` },
  }) as never;
const exported = (id: string, day = 1, replies: Exported[] = []): Exported =>
  ({
    message: { id, text: id, created_at: `2026-0${day < 5 ? 1 : 2}-0${day}T10:00:00Z` },
    files: [{ n: 0, hash: "f".repeat(64), name: `${id}.png` }],
    replies,
    paths: new Map(),
  }) as never;
const pathsOf = ({ paths, replies }: Exported): string[] => [...paths.values(), ...replies.flatMap(pathsOf)];
const form = (): ExportForm => ({
  channel: ({ channel: { id } }) => `[${id}]`,
  message: (one) => ` ${one.message.id}`,
  endChannel: () => ";",
});

/** Writes three messages to each of two channels; returns the files and what is in them. */
async function written(
  out: string,
  partition?: Partition,
  more: Partial<ExportForm> = {},
): Promise<string[]> {
  const output = new TextOutput(() => ({ ...form(), ...more }), {
    format: "text",
    ext: "txt",
    names: namesOf(path.join(folder, out), { formats: 1, date: "2026-01-01", partition: partition?.kind }),
    partition,
    place: { mayReplace: () => false, finishes: () => {} },
    onFailed: (failure) => {
      throw failure;
    },
    onUnused: () => {},
  });
  for (const id of ["a", "b"]) {
    await output.channel(channel(id));
    for (const n of [1, 2, 5]) await output.message(exported(`${id}${n}`, n), channel(id));
    await output.endChannel(channel(id));
  }
  const files = await output.end();
  return files.map(
    ({ file, messages, period }) =>
      `${path.relative(folder, file)}: ${readFileSync(file, "utf8")}${period === undefined ? "" : ` of ${period}`} (${messages})`,
  );
}

test.each<[string, Partition | undefined, string[]]>([
  ["all.txt", undefined, ["all.txt: [a] a1 a2 a5;[b] b1 b2 b5; (6)"]],
  ["{id}.txt", undefined, ["a.txt: [a] a1 a2 a5; (3)", "b.txt: [b] b1 b2 b5; (3)"]],
  [
    "{part}.txt",
    { kind: "messages", limit: 2 },
    ["1.txt: [a] a1 a2; (2)", "2.txt: [a] a5;[b] b1; (2)", "3.txt: [b] b2 b5; (2)"],
  ],
  [
    "{id}-{part}.txt",
    { kind: "messages", limit: 2 },
    ["a-1.txt: [a] a1 a2; (2)", "a-2.txt: [a] a5; (1)", "b-1.txt: [b] b1 b2; (2)", "b-2.txt: [b] b5; (1)"],
  ],
  [
    "{id}-{part}.txt",
    { kind: "month" },
    [
      "a-2026-01.txt: [a] a1 a2; of 2026-01 (2)",
      "a-2026-02.txt: [a] a5; of 2026-02 (1)",
      "b-2026-01.txt: [b] b1 b2; of 2026-01 (2)",
      "b-2026-02.txt: [b] b5; of 2026-02 (1)",
    ],
  ],
])("%s with %j is these files", async (out, partition, files) => {
  expect(await written(out, partition)).toEqual(files);
});

test.each([
  ["all.txt", "files/"],
  ["{id}/all.txt", "../files/"],
])("in %s the files of a message and of its replies are at their paths from there", async (out, beside) => {
  const found: string[] = [];
  const output = new TextOutput(
    () => ({
      message(one) {
        found.push(...pathsOf(one));
        return "";
      },
    }),
    {
      format: "text",
      ext: "txt",
      names: namesOf(path.join(folder, out), { formats: 1, date: "2026-01-01" }),
      place: { mayReplace: () => false, finishes: () => {} },
      onFailed: (failure) => {
        throw failure;
      },
      onUnused: () => {},
    },
  );
  await output.channel(channel("a"));
  const reply = exported("reply", 2, [exported("deep", 3)]);
  await output.message(exported("root", 1, [reply, exported("other", 2)]), channel("a"));
  await output.endChannel(channel("a"));
  await output.end();
  const hash = "f".repeat(12);
  expect(found).toEqual(["root", "reply", "deep", "other"].map((id) => `${beside}${hash}-${id}.png`));
});
