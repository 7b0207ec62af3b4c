/** Bytes of text files are decoded, in whatever encoding they were saved and wherever the chunks are cut. */
import { describe, expect, test } from "vitest";
import { decodeText } from "../../src/text/decode.ts";

async function text(bytes: Uint8Array, size: number): Promise<string> {
  const cut = async function* (): AsyncIterable<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  let all = "";
  for await (const piece of decodeText(cut())) all += piece;
  return all;
}

const TEXT = "id;name\nana;Zoë Ångström 🌿 広\n";
const utf16 = (be: boolean): Uint8Array => {
  const bytes = Buffer.from(`\ufeff${TEXT}`, "utf16le");
  return be ? bytes.swap16() : bytes;
};

describe.each([1, 2, 3, 5, 7, 1000])("in chunks of %i bytes", (size) => {
  test("UTF-8 is read unchanged, with its byte order mark", async () => {
    expect(await text(Buffer.from(TEXT), size)).toBe(TEXT);
    expect(await text(Buffer.from(`\ufeff${TEXT}`), size)).toBe(`\ufeff${TEXT}`);
  });
  test("UTF-16 is recognised by its byte order mark, in both byte orders", async () => {
    expect(await text(utf16(false), size)).toBe(TEXT);
    expect(await text(utf16(true), size)).toBe(TEXT);
  });
  test("other bytes are read as Windows-1252", async () => {
    expect(await text(Buffer.from("caf\u00e9 \u00a3 Zo\u00eb\n", "latin1"), size)).toBe("café £ Zoë\n");
    expect(await text(Buffer.from([0x80, 0x93, 0x0a]), size)).toBe("€“\n");
  });
  test("an invalid byte in UTF-8 is replaced, and the rest is kept", async () => {
    const bytes = Buffer.concat([Buffer.from("Zoë "), Buffer.from([0xff]), Buffer.from(" Å\n")]);
    expect(await text(bytes, size)).toBe("Zoë \ufffd Å\n");
  });
});
