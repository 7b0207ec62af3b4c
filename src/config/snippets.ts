/** A person's text snippets by name, in a file beside the config file: a line each, `\n` for a new line, `{cursor}` for the cursor. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { readOwn, replaceOwn } from "../model/files/own-files.ts";
import type { Env } from "./load.ts";
import { configDir } from "./places.ts";

export interface Snippet {
  name: string;
  text: string;
}

/** Words of `/snippet` itself. */
const TAKEN: readonly string[] = ["add", "remove", "list"];

const HEAD = `# Texts of your own for /snippet: a name, blanks, the text. \\n is a new line, {cursor} where writing goes on.
`;

/** Why this can be no name, as a sentence. */
export function nameProblem(name: string): string | undefined {
  if (TAKEN.includes(name)) return `${name} is a word of /snippet itself: take another name`;
  return /^[\w-]{1,32}$/.test(name) ? undefined : "a name is up to 32 letters, digits, - and _";
}

const written = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
const meant = (text: string): string => text.replace(/\\([\\n])/g, (_, one) => (one === "n" ? "\n" : one));

const nameIn = (line: string): string => /^\s*([^\s#]\S*)/.exec(line)?.[1] ?? "";

/** The texts in the order of the file, and what is wrong in it, by line. */
export function parseSnippets(file: string, content: string): { snippets: Snippet[]; faults: string[] } {
  const snippets: Snippet[] = [];
  const faults: string[] = [];
  content.split(/\r?\n/).forEach((line, i) => {
    const name = nameIn(line);
    if (name === "") return;
    const text = line.trim().slice(name.length).trim();
    const double = snippets.some((one) => one.name === name);
    const fault =
      nameProblem(name) ??
      (text === "" ? "the text is missing" : double ? "that name is there twice" : undefined);
    if (fault === undefined) snippets.push({ name, text: meant(text) });
    else faults.push(`${file} line ${i + 1}: ${fault}.`);
  });
  return { snippets, faults };
}

/** The person's snippets; each look reads the file, so that a change of it counts at once. */
export class SnippetFile {
  readonly #file: string;

  constructor(env: Env) {
    this.#file = path.join(configDir(env), "snippets.conf");
  }

  /** Throws where the file cannot be read. */
  read(): { snippets: Snippet[]; faults: string[] } {
    return parseSnippets(this.#file, readOwn(this.#file) ?? "");
  }

  /** Keeps a text under a name in place of the one before; undefined takes it out. Other lines stay as they are. */
  keep(name: string, text: string | undefined): void {
    const lines = (readOwn(this.#file) ?? HEAD).replace(/\n$/, "").split("\n");
    const others = lines.filter((line) => nameIn(line) !== name);
    const next = text === undefined ? others : [...others, `${name}  ${written(text)}`];
    mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    replaceOwn(this.#file, `${next.join("\n")}\n`);
  }
}
