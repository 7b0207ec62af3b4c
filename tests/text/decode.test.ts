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

const SAID = "id;name\nana;Zoë Ångström 🌿 広\n";
const utf16 = (be: boolean): Uint8Array => {
  const bytes = Buffer.from(`\ufeff${SAID}`, "utf16le");
  return be ? bytes.swap16() : bytes;
};

describe.each([1, 2, 3, 5, 7, 1000])("in pieces of %i bytes", (size) => {
  test("UTF-8 is read as it is, its mark included", async () => {
    expect(await text(Buffer.from(SAID), size)).toBe(SAID);
    expect(await text(Buffer.from(`\ufeff${SAID}`), size)).toBe(`\ufeff${SAID}`);
  });
  test("UTF-16 is known by its mark, in both orders", async () => {
    expect(await text(utf16(false), size)).toBe(SAID);
    expect(await text(utf16(true), size)).toBe(SAID);
  });
  test("what is no UTF-8 is Latin-1 as Windows has it", async () => {
    expect(await text(Buffer.from("caf\u00e9 \u00a3 Zo\u00eb\n", "latin1"), size)).toBe("café £ Zoë\n");
    expect(await text(Buffer.from([0x80, 0x93, 0x0a]), size)).toBe("€“\n");
  });
  test("a broken byte among UTF-8 is replaced, and the rest stays", async () => {
    const bytes = Buffer.concat([Buffer.from("Zoë "), Buffer.from([0xff]), Buffer.from(" Å\n")]);
    expect(await text(bytes, size)).toBe("Zoë \ufffd Å\n");
  });
});
