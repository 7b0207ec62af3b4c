/** Starts programs beside the screen: the system's opener for addresses, and `$EDITOR` on a private file. */
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

/** How long a program that opens addresses may take to say that it knows none (ms). */
const OPENER_MS = 700;

/** Opens a checked http(s) address; anything else is refused. False where the machine has no program for it; `failed` runs where that shows later. */
export async function openUrl(address: string, failed: () => void): Promise<boolean> {
  const url = safeUrl(address);
  if (!url) throw new Error(words.acting.onlyWeb);
  const { default: open } = await import("open");
  try {
    const child = await open(url.href);
    child.unref();
    child.on("error", () => {});
    // The program may be there, and end with a code where it finds no browser; one that goes on has found it.
    const ended = once(child, "exit").then(([code]) => code === 0 || code === null);
    const opens = await Promise.race([ended, setTimeout(OPENER_MS, true, { ref: false })]);
    if (opens) ended.then((well) => well || failed(), failed);
    return opens;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Runs the editor of the settings on the text and waits; undefined when it ended with an error. */
export async function editText(editor: string, text: string): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), "parley-"));
  const file = path.join(folder, "message.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    // An editor may carry flags (`code --wait`): split at blanks, no shell in between.
    const [command = "vi", ...flags] = editor.split(/\s+/).filter(Boolean);
    const code = await new Promise<number | null>((resolve, reject) => {
      const child = spawn(command, [...flags, file], { stdio: "inherit" });
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

/** Gives a program one line of JSON and waits for its end; what it writes is not looked at. Rejects when it cannot be run. */
export async function pipeToProgram(command: string, facts: object): Promise<void> {
  // As the editor's: split at blanks, no shell in between.
  const [program = "", ...flags] = command.split(/\s+/).filter(Boolean);
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, flags, { stdio: ["pipe", "ignore", "ignore"] });
    child.on("error", reject);
    child.on("close", () => resolve());
    // One that does not read is none of our trouble.
    child.stdin.on("error", () => {});
    child.stdin.end(`${JSON.stringify(facts)}\n`);
  });
}
