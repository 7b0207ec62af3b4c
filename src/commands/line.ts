/** A line of the chat box: plain text, a provider's command, or one of ours with its arguments (decisions 7). */
import { fillArgs, flagName, placeWords } from "./args.ts";
import type { Raw, Standing } from "./args.ts";
import { ALIASES, NOUN_WORDS, NOUNS, commands } from "./index.ts";
import { CommandFault } from "./kit.ts";
import type { Args, Command } from "./kit.ts";

export type Line =
  | { kind: "text"; text: string }
  /** The channel's config lists the word: it goes out as text and the provider runs it. */
  | { kind: "provider"; name: string; text: string }
  | { kind: "command"; path: string; command: Command; values: Record<string, unknown> }
  /** Ours, but its arguments are wrong: a sentence for the user. */
  | { kind: "fault"; path: string; message: string };

/** The path of our command a line begins with, and the text after its name. */
function find(body: string): { path: string; rest: string } | undefined {
  const three = /^(\S+)[ \t]+(\S+)[ \t]+(\S+)(?:\s+([\s\S]*))?$/.exec(body);
  if (three) {
    const path = `${NOUNS[three[1]!] ?? three[1]!} ${three[2]!} ${three[3]!}`;
    if (commands[path]) return { path, rest: three[4] ?? "" };
  }
  const two = /^(\S+)[ \t]+(\S+)(?:\s+([\s\S]*))?$/.exec(body);
  if (two) {
    const path = `${NOUNS[two[1]!] ?? two[1]!} ${two[2]!}`;
    if (commands[path]) return { path, rest: two[3] ?? "" };
  }
  const one = /^(\S+)(?:\s+([\s\S]*))?$/.exec(body);
  if (!one) return undefined;
  const path = commands[one[1]!] ? one[1]! : ALIASES[one[1]!];
  return path ? { path, rest: one[2] ?? "" } : undefined;
}

/** Words of a line: quotes group, a backslash takes the next character as it is. Throws `CommandFault` on an open quote. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === "\\" && i + 1 < text.length) word = (word ?? "") + text[++i]!;
    else if (quote) {
      if (c === quote) quote = "";
      else word += c;
    } else if (c === '"' || c === "'") {
      quote = c;
      word ??= "";
    } else if (/\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + c;
  }
  if (quote) throw new CommandFault("usage", `A ${quote} is not closed.`);
  if (word !== undefined) words.push(word);
  return words;
}

/** A command that ends in free text takes no flags in the chat line; everything after its positionals is the text. */
function readWithRest(args: Args, text: string, restName: string): Raw {
  const raw: Raw = {};
  let left = text;
  for (const [name, row] of Object.entries(args)) {
    if (row.place !== "positional" || (row.here && row.optional)) continue;
    const m = /^(\S+)\s*([\s\S]*)$/.exec(left);
    if (!m) break;
    raw[name] = m[1]!;
    left = m[2]!;
  }
  raw[restName] = left === "" ? undefined : left;
  return raw;
}

function readWithFlags(args: Args, text: string): Raw {
  const raw: Raw = {};
  const rows = Object.entries(args);
  const positionals: string[] = [];
  const words = splitWords(text);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === "--") {
      positionals.push(...words.slice(i + 1));
      break;
    }
    const m = /^(--?)([a-z][\w-]*)(?:=([\s\S]*))?$/i.exec(word);
    if (!m) {
      positionals.push(word);
      continue;
    }
    const found = rows.find(
      ([name, row]) => row.place === "flag" && (m[1] === "--" ? flagName(name) === m[2] : row.short === m[2]),
    );
    if (!found) throw new CommandFault("usage", `There is no ${m[1]}${m[2]} here.`);
    const [name, row] = found;
    if (row.kind === "flag") {
      raw[name] = m[3] === undefined ? true : m[3];
      continue;
    }
    const value = m[3] ?? words[++i];
    if (value === undefined) throw new CommandFault("usage", `--${flagName(name)} wants a value.`);
    if (row.kind === "list") raw[name] = [...((raw[name] as string[] | undefined) ?? []), value];
    else raw[name] = value;
  }
  placeWords(args, positionals, raw);
  return raw;
}

/** `/channel` and `/channel mut`: a noun of ours with no verb of ours would otherwise be read by everybody. */
function nounAlone(body: string): Line | undefined {
  const [, word = "", verb] = /^(\S+)(?:[ \t]+(\S+))?/.exec(body) ?? [];
  const noun = NOUNS[word] ?? word;
  if (!Object.hasOwn(NOUN_WORDS, noun)) return undefined;
  const verbs = Object.keys(commands)
    .filter((path) => path.startsWith(`${noun} `))
    .map((path) => path.slice(noun.length + 1));
  const said = verb === undefined ? `/${noun} wants a word more` : `There is no /${noun} ${verb}`;
  return { kind: "fault", path: noun, message: `${said}: ${verbs.join(", ")}.` };
}

/** What to do with a submitted line. `providerCommands` are the names of the channel's config. */
export function readLine(text: string, standing: Standing, providerCommands: readonly string[] = []): Line {
  if (!text.startsWith("/")) return { kind: "text", text };
  const body = text.slice(1);
  const name = /^\S*/.exec(body)![0];
  if (providerCommands.includes(name)) return { kind: "provider", name, text };
  const found = find(body);
  // A name nobody here knows goes to the provider as text; so does a path such as /usr/bin.
  if (!found) return nounAlone(body) ?? { kind: "text", text };
  const command = commands[found.path]!;
  try {
    const rest = Object.entries(command.args).find(([, row]) => row.place === "rest");
    const raw = rest
      ? readWithRest(command.args, found.rest, rest[0])
      : readWithFlags(command.args, found.rest);
    return { kind: "command", path: found.path, command, values: fillArgs(command.args, raw, standing) };
  } catch (error) {
    if (error instanceof CommandFault) return { kind: "fault", path: found.path, message: error.message };
    throw error;
  }
}

/** `/channel mute [channel] [--until time]`: for help under the chat box. */
export function usageLine(path: string): string {
  const command = commands[path];
  if (!command) return "";
  const parts = Object.entries(command.args).map(([name, row]) => {
    const word = flagName(name);
    if (row.place === "flag") return row.kind === "flag" ? `[--${word}]` : `[--${word} …]`;
    const dots = row.kind === "list" || row.place === "rest" ? "…" : "";
    return row.optional || row.here ? `[${word}${dots}]` : `<${word}${dots}>`;
  });
  const rest = Object.values(command.args).some((row) => row.place === "rest");
  return [`/${path}`, ...parts.filter((part) => !rest || !part.startsWith("[--"))].join(" ");
}
