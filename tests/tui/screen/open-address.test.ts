/** Opening an address in another program: the message shown when no program can open it. */
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openAddress } from "../../../src/tui/ports/open-address.ts";
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

test("an address is opened, or copied if nothing opens it, and the result is shown", async () => {
  const url = "https://a.example/";
  expect(await openWith(url, true, true)).toEqual([`opened ${url}`, "opened a.example in the browser"]);
  const copied = [`opened ${url}`, `copied ${url}`];
  expect(await openWith(url, false, true)).toEqual([...copied, words.acting.copiedInstead]);
  expect(await openWith(url, false, false)).toEqual([...copied, words.acting.noOpener]);
});

test("an opened file is named as in its address, decoded and cleaned", async () => {
  const refusalFor = async (name: string): Promise<string> =>
    (await openWith(`https://a.example/files/${name}?key=1`, true, true)).at(-1)!;
  expect(await refusalFor("tea%20time.txt")).toBe("opened tea time.txt in the browser");
  expect(await refusalFor("tea%1b%5b31m.txt")).not.toContain("\x1b");
  expect(await refusalFor("tea%zz.txt")).toBe("opened tea%zz.txt in the browser");
  expect(await refusalFor("a.b/tea")).toBe("opened a.example in the browser");
});

test("an opened file with a name of its own is named by that, cleaned", async () => {
  const happened: string[] = [];
  const ports = {
    core: { notify: ({ text }: { text: string }) => (happened.push(text), "n1") },
    terminal: { openUrl: async () => true, copy: () => true },
  };
  openAddress(ports as never, "https://a.example/files/8f2c.bin", "tea\x1b[31m plan.pdf");
  await turn();
  expect(happened).toEqual(["opened tea plan.pdf in the browser"]);
});

test("an opener that fails later is reported, with where the address is now", async () => {
  const happened: string[] = [];
  let failed = (): void => {};
  const ports = {
    core: { notify: ({ text }: { text: string }) => (happened.push(text), "n1") },
    terminal: {
      openUrl: async (_url: string, later: () => void) => ((failed = later), true),
      copy: (url: string) => happened.push(`copied ${url}`) > 0,
    },
  };
  openAddress(ports as never, "https://a.example/");
  await turn();
  failed();
  expect(happened).toEqual([
    "opened a.example in the browser",
    "copied https://a.example/",
    words.acting.copiedInstead,
  ]);
});

test("an address that is not of the web is not opened", async () => {
  expect(await openWith("file:///etc/passwd", true, true)).toEqual([]);
});
