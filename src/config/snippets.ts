/** The user's text snippets, in a file beside the config file: one per line, `\n` for a new line, `{cursor}` for the cursor. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { readOwn, replaceOwn } from "../model/files/own-files.ts";
import { configDir, type Env } from "./paths.ts";

export interface Snippet {
  name: string;
  text: string;
}

/** Subcommands of `/snippet`. */
const RESERVED: readonly string[] = ["add", "remove", "list"];

const FILE_HEADER = `# Your texts for /snippet: a name, spaces, the text. \\n is a new line, {cursor} the place of the cursor.
`;

/** Why a name is not allowed, as a sentence. */
export function nameProblem(name: string): string | undefined {
  if (RESERVED.includes(name)) return `${name} is a word of /snippet itself: take another name`;
  return /^[\w-]{1,32}$/.test(name) ? undefined : "a name is up to 32 letters, digits, - and _";
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
const unescaped = (text: string): string =>
  text.replace(/\\([\\n])/g, (_, one) => (one === "n" ? "\n" : one));

const nameIn = (line: string): string => /^\s*([^\s#]\S*)/.exec(line)?.[1] ?? "";

/** The snippets in the order of the file, and its problems by line. */
export function parseSnippets(file: string, content: string): { snippets: Snippet[]; faults: string[] } {
  const snippets: Snippet[] = [];
  const faults: string[] = [];
  content.split(/\r?\n/).forEach((line, i) => {
    const name = nameIn(line);
    if (name === "") return;
    const text = line.trim().slice(name.length).trim();
    const duplicate = snippets.some((one) => one.name === name);
    const fault =
      nameProblem(name) ??
      (text === "" ? "the text is missing" : duplicate ? "that name is there twice" : undefined);
    if (fault === undefined) snippets.push({ name, text: unescaped(text) });
    else faults.push(`${file} line ${i + 1}: ${fault}.`);
  });
  return { snippets, faults };
}

/** The user's snippets; the file is read each time, so changes count at once. */
export class SnippetFile {
  readonly #file: string;

  constructor(env: Env) {
    this.#file = path.join(configDir(env), "snippets.conf");
  }

  /** Throws when the file cannot be read. */
  read(): { snippets: Snippet[]; faults: string[] } {
    return parseSnippets(this.#file, readOwn(this.#file) ?? "");
  }

  /** Saves a snippet, replacing the one of that name; undefined removes it. Other lines stay unchanged. */
  save(name: string, text: string | undefined): void {
    const lines = (readOwn(this.#file) ?? FILE_HEADER).replace(/\n$/, "").split("\n");
    const others = lines.filter((line) => nameIn(line) !== name);
    const next = text === undefined ? others : [...others, `${name}  ${escaped(text)}`];
    mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    replaceOwn(this.#file, `${next.join("\n")}\n`);
  }
}
