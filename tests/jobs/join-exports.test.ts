/** Several export files are joined into one, for any size of the chunks they are read in. */
import { expect, test } from "vitest";
import { JoinedExport } from "../../src/jobs/join-exports.ts";

function joinParts(form: "v1" | "v2" | "csv", parts: readonly string[], size: number): string {
  const joining = new JoinedExport(form);
  const out: Uint8Array[] = [];
  for (const part of parts) {
    const bytes = Buffer.from(part);
    out.push(joining.begin());
    for (let at = 0; at < bytes.length; at += size) out.push(joining.add(bytes.subarray(at, at + size)));
  }
  out.push(joining.end());
  return Buffer.concat(out).toString("utf8");
}

const sizes = [1, 2, 3, 7, 1000];

test.each(sizes)("JSON arrays in chunks of %i bytes are joined with every channel", (size) => {
  const a = { channel: { cid: "messaging:ä" }, messages: [{ text: "]]\n" }, [[]]] };
  const b = { channel: { cid: "messaging:b" }, messages: [] };
  const parts = [
    `[\n${JSON.stringify(a)},\n${JSON.stringify(b)}]\n`,
    "[]",
    `[${JSON.stringify([b])}]`,
    "[\n]\n",
  ];
  expect(JSON.parse(joinParts("v1", parts, size))).toEqual([a, b, [b]]);
  expect(JSON.parse(joinParts("v1", ["[]", "[\n]\n"], size))).toEqual([]);
});

test.each(sizes)("JSON lines in chunks of %i bytes are joined with each user once", (size) => {
  const user = (id: string): string => `{"type":"user","data":{"id":"${id}"}}`;
  const parts = [
    `{"type":"channel","data":{"ü":1}}\n${user("ana")}\n${user("bo")}\n`,
    `{"type":"channel","data":{}}\n${user("bo")}\n${user("cy")}`,
  ];
  expect(joinParts("v2", parts, size).split("\n")).toEqual([
    '{"type":"channel","data":{"ü":1}}',
    user("ana"),
    user("bo"),
    '{"type":"channel","data":{}}',
    user("cy"),
    "",
  ]);
});

test.each(sizes)("CSV in chunks of %i bytes is joined with one header and every row", (size) => {
  const parts = ['cid,text\na,"one\ntwo"\n', "cid,text\n", "cid,text\nb,three\n"];
  expect(joinParts("csv", parts, size)).toBe('cid,text\na,"one\ntwo"\nb,three\n');
});
