/** An address that is opened outside: what is said where nothing here opens one. */
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openAddress } from "../../../src/tui/screen/open-address.ts";
import { words } from "../../../src/text/words.ts";

const openWith = async (address: string, opens: boolean, copies: boolean): Promise<string[]> => {
  const happened: string[] = [];
  openAddress(
    {
      core: { notify: ({ text }: { text: string }) => (happened.push(text), "n1") },
      terminal: {
        openUrl: async (url: string) => (happened.push(`opened ${url}`), opens),
        copy: (url: string) => (happened.push(`copied ${url}`), copies),
      },
    } as never,
    address,
  );
  await turn();
  return happened;
};

test("an address is copied where nothing opens it, and what became of it is said", async () => {
  const url = "https://a.example/";
  expect(await openWith(url, true, true)).toEqual([`opened ${url}`]);
  const copied = [`opened ${url}`, `copied ${url}`];
  expect(await openWith(url, false, true)).toEqual([...copied, words.acting.copiedInstead]);
  expect(await openWith(url, false, false)).toEqual([...copied, words.acting.noOpener]);
});

test("an address that is not of the web is not opened at all", async () => {
  expect(await openWith("file:///etc/passwd", true, true)).toEqual([]);
});
