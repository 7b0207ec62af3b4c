/** Whose unfinished proof a run goes on with: the same person's, of the same kind, unchanged and not done. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { proofView } from "../../src/commands/gdpr/view.ts";
import { readProof, writeProof, type Proof } from "../../src/commands/gdpr/proof.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-proof-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const begun: Proof = {
  kind: "delete",
  user: "bo",
  state: "begun",
  profile: "p",
  provider: "http://127.0.0.1:1",
  by: "mira",
  version: "0",
  begun_at: "2026-11-22T12:00:00.000Z",
  counts: { messages: 2 },
  files: [],
};
const expected = { kind: "delete", user: "bo" } as const;
let written = 0;
function fileWith(more: Partial<Proof>): string {
  const file = path.join(folder, `${++written}.json`);
  writeProof(file, { ...begun, ...more });
  return file;
}

test("an unfinished proof of this person and kind is gone on with, and no file is none", () => {
  expect(readProof(fileWith({}), expected)).toMatchObject(begun);
  expect(readProof(path.join(folder, "none.json"), expected)).toBeUndefined();
});

test.each([
  [{ user: "ana" }, "proves the delete of ana."],
  [{ kind: "export" }, "proves the export of bo."],
  [{ state: "done", ended_at: "2026-11-22T13:00:00Z" }, "says that this was done at 2026-11-22T13:00:00Z."],
] as const)("a proof with %j is refused: it %s", (more, words) => {
  const file = fileWith(more);
  const before = readFileSync(file, "utf8");
  expect(() => readProof(file, expected)).toThrow(`${file} ${words}`);
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("a proof that was changed by one digit, and a file that is none, are refused", () => {
  const changed = fileWith({});
  writeFileSync(changed, readFileSync(changed, "utf8").replace('"messages": 2', '"messages": 3'));
  expect(() => readProof(changed, expected)).toThrow("is not a proof file, or was changed.");
  writeFileSync(changed, "");
  expect(() => readProof(changed, expected)).toThrow("is not a proof file.");
});

test.each([
  ["bytes", 0, [], "4 files searched, nothing found"],
  ["bytes", 2, [], "4 files searched, 2 found and removed"],
  ["bytes", 2, [{ place: "cache", file: "f", texts: 1 }], "4 files searched, 2 found"],
  ["get", 2, [], "4 answers searched, 2 found"],
] as const)("a search by %s that found %i, with %j remaining, reads: %s", (by, found, remaining, line) => {
  const searched = [{ by, place: "cache", looked_at: 4, bytes: 9, found }] as const;
  const { fields } = proofView({ ...begun, searched: [...searched], remaining: [...remaining] }) as {
    fields: unknown[];
  };
  expect(fields).toContainEqual([`cache, ${by}`, line]);
});
