/** Runs external programs: the system's URL opener, and `$EDITOR` on a private file. */
import { withoutSecrets } from "../../config/child-env.ts";
import { words } from "../../text/words.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { cleanLine } from "../../text/sanitize.ts";
import { safeUrl } from "../../text/safe-url.ts";

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** How long to wait for an opener to fail before it counts as successful (ms). */
const OPENER_TIMEOUT_MS = 700;

/** Opens an http(s) URL; throws for any other. False if no program can open it; `failed` runs if that turns out later. */
export async function openUrl(address: string, failed: () => void): Promise<boolean> {
  const url = safeUrl(address);
  if (!url) throw new Error(words.acting.onlyWeb);
  const { default: open } = await import("open");
  try {
    const child = await open(url.href);
    child.unref();
    child.on("error", () => {});
    // An opener without a browser exits with a code; one that keeps running has found a browser.
    const ended = once(child, "exit").then(([code]) => code === 0 || code === null);
    const opens = await Promise.race([ended, setTimeout(OPENER_TIMEOUT_MS, true, { ref: false })]);
    if (opens) ended.then((succeeded) => succeeded || failed(), failed);
    return opens;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Opens the text in the editor and waits; undefined if the editor exited with an error. */
export async function editText(editor: string, text: string): Promise<string | undefined> {
  // Not removed after a kill: what was written in the editor is somebody's work, and the editor may still be open.
  const folder = await mkdtemp(path.join(tmpdir(), "parley-edit-"));
  const file = path.join(folder, "message.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    // The editor may have flags (`code --wait`): split at blanks, without a shell.
    const [command = "vi", ...flags] = editor.split(/\s+/).filter(Boolean);
    const code = await new Promise<number | null>((resolve, reject) => {
      const child = spawn(command, [...flags, file], { stdio: "inherit", env: withoutSecrets(process.env) });
      child.on("error", (error) =>
        reject(isMissing(error) ? new Error(words.acting.noEditor(cleanLine(command))) : error),
      );
      child.on("close", resolve);
    });
    return code === 0 ? await readFile(file, "utf8") : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
