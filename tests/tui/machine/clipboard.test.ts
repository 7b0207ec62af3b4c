/** Clipboard access through desktop programs, replaced by scripts that print the same output. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readClipboard } from "../../../src/tui/machine/clipboard.ts";
import { deleteTempFiles } from "../../../src/tui/machine/temp-files.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "base64",
);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-clip-"));
  writeFileSync(path.join(folder, "picture.png"), PNG);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  deleteTempFiles();
});

/** An environment whose PATH holds only these programs, as `sh` scripts. */
function desktop(env: Record<string, string>, programs: Record<string, string>): Record<string, string> {
  const bin = mkdtempSync(path.join(folder, "bin-"));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
  return { ...env, PATH: bin };
}
const picture = (): string =>
  `while IFS= read -r line; do :; done < /dev/null; exec /bin/cat ${folder}/picture.png`;

describe.skipIf(process.platform === "win32")("the clipboard", () => {
  test("of Wayland is asked for its types first, and a picture becomes a private file", async () => {
    const script = `case "$*" in --list-types) echo image/png; echo text/html;; *"--type image/png") ${picture()};; *) exit 1;; esac`;
    const found = await readClipboard(desktop({ WAYLAND_DISPLAY: "w" }, { "wl-paste": script }), "linux");
    expect(found).toMatchObject({ kind: "picture", file: expect.stringMatching(/pasted-\d+\.png$/) });
    expect(readFileSync((found as { file: string }).file)).toEqual(PNG);
  });

  test("of X gives files before a picture", async () => {
    const script = `case "$*" in *TARGETS) echo TARGETS; echo image/png; echo text/uri-list;; *uri-list) echo file:///a%20b;; *) exit 1;; esac`;
    expect(await readClipboard(desktop({ DISPLAY: ":0" }, { xclip: script }), "linux")).toEqual({
      kind: "files",
      text: "file:///a%20b\n",
    });
  });

  test("can contain text, or nothing", async () => {
    const script = `case "$*" in --list-types) echo text/plain;; *) printf words;; esac`;
    const env = { WAYLAND_DISPLAY: "w" };
    expect(await readClipboard(desktop(env, { "wl-paste": script }), "linux")).toEqual({
      kind: "text",
      text: "words",
    });
    expect(await readClipboard(desktop(env, { "wl-paste": "exit 1" }), "linux")).toEqual({
      kind: "none",
      why: "The clipboard has no picture, file or text.",
    });
  });

  test("of X is used if Wayland's program is missing; without any, the one to install is named", async () => {
    const both = { WAYLAND_DISPLAY: "w", DISPLAY: ":0" };
    const script = `case "$*" in *TARGETS) echo STRING;; *) printf x;; esac`;
    expect(await readClipboard(desktop(both, { xclip: script }), "linux")).toEqual({
      kind: "text",
      text: "x",
    });
    const { why } = (await readClipboard(desktop(both, {}), "linux")) as { why: string };
    expect(why).toContain("wl-paste is needed to read the clipboard: install wl-clipboard");
  });

  test("of a Mac gives a file, else the picture, else the text", async () => {
    const hex = `case "$*" in *furl*) exit 1;; *) printf '«data PNGf%s»' ${PNG.toString("hex").toUpperCase()};; esac`;
    const found = await readClipboard(desktop({}, { osascript: hex }), "darwin");
    expect(readFileSync((found as { file: string }).file)).toEqual(PNG);
    const file = `case "$*" in *furl*) echo /Users/me/a.txt;; *) exit 1;; esac`;
    expect(await readClipboard(desktop({}, { osascript: file }), "darwin")).toEqual({
      kind: "files",
      text: "/Users/me/a.txt\n",
    });
    const text = { osascript: "exit 1", pbpaste: "printf words" };
    expect(await readClipboard(desktop({}, text), "darwin")).toEqual({ kind: "text", text: "words" });
  });

  test("of Windows is read through PowerShell, in WSL with Linux paths", async () => {
    const env = { WSL_DISTRO_NAME: "Debian" };
    const files = {
      "powershell.exe": "printf 'files\\r\\nC:\\\\a b.txt\\r\\n'",
      wslpath: "echo /mnt/c/a b.txt",
    };
    expect(await readClipboard(desktop(env, files), "linux")).toEqual({
      kind: "files",
      text: "/mnt/c/a b.txt",
    });
    const png = { "powershell.exe": `printf 'png\\r\\n${PNG.toString("base64")}\\r\\n'` };
    const found = await readClipboard(desktop(env, png), "linux");
    expect(readFileSync((found as { file: string }).file)).toEqual(PNG);
  });

  test("over SSH or without a desktop says what to do instead", async () => {
    const why = async (env: Record<string, string>): Promise<string> =>
      ((await readClipboard(desktop(env, {}), "linux")) as { why: string }).why;
    expect(await why({ SSH_CONNECTION: "1 2 3 4" })).toContain("copy the file here");
    expect(await why({})).toContain("No desktop clipboard");
  });
});
