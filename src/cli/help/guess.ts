/** The line that was meant by one that names no command: `user create zoe`, `show channel '#ops'`, `dm bo hi`. */
import { assignPositionals, fillArgs, flagOf, type NotAChannel } from "../../commands/base/args.ts";
import { shellWord } from "../../commands/base/command-hint.ts";
import type { Args, RawArgs } from "../../commands/base/define-command.ts";
import { NOUNS } from "../../commands/nouns.ts";
import { ALIASES } from "../../commands/table.gen.ts";
import { nearest } from "../../text/spelling.ts";
import type { CommandTree } from "../base/command-tree.ts";
import { isDashValue } from "../base/dash-words.ts";
import { isGlobalFlag, takesValue } from "../base/globals.ts";
import { MEANT, SAME_ACT } from "./guess-words.ts";

/** A command, and the words that follow it. */
interface Guess {
  path: string;
  rest: readonly string[];
}

/** What a line was meant to be. */
interface GuessedLine {
  /** Up to three commands. */
  paths: string[];
  /** The line as a shell reads it, or the help of the first command if its arguments do not fit. */
  hint: string;
}

const isWord = (word: string | undefined): word is string =>
  word !== undefined && /^[a-z][\w-]*$/i.test(word);
const isChannel = (word = ""): boolean => /^#|^[\w-]+:/.test(word);

/** Whether the rest of the line can be given to the command. */
function fits(args: Args, rest: readonly string[]): boolean {
  const raw: RawArgs = {};
  const words: string[] = [];
  for (let n = 0; n < rest.length; n++) {
    const [flag = "", value] = rest[n]!.split(/=(.*)/s, 2);
    const known = flag.startsWith("-") ? flagOf(args, flag) : undefined;
    if (known) {
      const given = known[1].kind === "flag" ? true : (value ?? rest[++n] ?? "");
      raw[known[0]] =
        known[1].kind === "list" ? ([raw[known[0]] ?? [], String(given)].flat() as string[]) : given;
    } else if (!isFlag(flag) || flag === "-" || isDashValue(rest[n]!, () => args)) words.push(rest[n]!);
    else if (!isGlobalFlag(flag)) return false;
    else if (takesValue(flag) && value === undefined) n++;
  }
  try {
    assignPositionals(args, words, raw);
    fillArgs(args, raw, { channelType: "messaging", now: Date.now() });
    return true;
  } catch {
    return false;
  }
}

const meant = (name: string, rest: readonly string[]): Guess[] =>
  Object.hasOwn(MEANT, name) ? [{ path: MEANT[name]!, rest }] : [];

const isFlag = (word: string): boolean => word.startsWith("-");

class Guesser {
  readonly #tree: CommandTree;

  constructor(tree: CommandTree) {
    this.#tree = tree;
  }

  readonly #isKnown = ({ path }: Guess): boolean =>
    this.#tree.find(path) !== undefined || isFlag(path) || path.startsWith("help ");

  #fits({ path, rest }: Guess): boolean {
    const row = this.#tree.find(path);
    return row === undefined || fits(row.args, rest);
  }

  /** Guesses for a line that begins with a noun. */
  #underNoun(noun: string, verb: string | undefined, rest: readonly string[]): Guess[] {
    const at = (word: string, words = rest): Guess => ({ path: `${noun} ${word}`, rest: words });
    if (!isWord(verb)) {
      if (verb === undefined || isFlag(verb)) return [];
      const object = [verb, ...rest];
      // `msg @bo hi`, `members '#ops'`, `user @ana`
      const isSend = noun === "message" && object.filter((word) => !word.startsWith("-")).length > 1;
      const inNoun = ["convert", "list", "get"].map((word) => at(word, object));
      return (isSend ? [{ path: "send", rest: object }, ...inNoun] : inNoun).toSorted(
        (a, b) => Number(this.#fits(b)) - Number(this.#fits(a)),
      );
    }
    if (this.#isKnown(at(verb))) return [at(verb)];
    const same = SAME_ACT.filter((row) => row.includes(verb)).flatMap((row) => row.map((word) => at(word)));
    const inside = this.#tree.visibleUnder(noun).map((path) => path.slice(noun.length + 1));
    const alike = nearest(verb, inside, []).map((word) => at(word));
    const elsewhere = meant(`${noun} ${verb}`, rest);
    const acts = [...elsewhere, ...same, ...alike].filter(this.#isKnown);
    if (acts.length > 0) return acts;
    // `user ana`, `config theme dark`, `import slack`
    const object = [verb, ...rest];
    const asObject = ["convert", "get", "set"].map((word) => at(word, object)).filter(this.#isKnown);
    return asObject.toSorted((a, b) => Number(this.#fits(b)) - Number(this.#fits(a)));
  }

  /** Guesses for a line that begins with an act: `create channel x`, `ban bo`, `pin '#ops'`. */
  #byAct(act: string, rest: readonly string[]): Guess[] {
    const [next, ...others] = rest;
    const noun = next === undefined ? undefined : (NOUNS[next] ?? next);
    const swapped =
      noun !== undefined && noun in this.#tree.nouns
        ? [{ path: `${noun} ${act}`, rest: others }, ...this.#underNoun(noun, act, others)]
        : [];
    const object = isChannel(next)
      ? others.length > 0
        ? ["member", "channel"]
        : ["channel", "member"]
      : ["user"];
    const named = [
      ...object.map((one) => `${one} ${act}`),
      ...(Object.hasOwn(ALIASES, act) ? [ALIASES[act]!] : []),
      ...meant(act, rest).map(({ path }) => path),
    ];
    const pair = next === undefined ? [] : meant(`${act} ${next}`, others);
    const paths = this.#tree.visiblePaths();
    const firstWords = [...new Set(paths.map((path) => path.split(" ", 1)[0]!))];
    const alike = nearest(act, firstWords, paths).flatMap((word): Guess[] =>
      word in this.#tree.nouns && !this.#tree.find(word)
        ? this.#underNoun(word, rest[0], rest.slice(1))
        : [{ path: word, rest }],
    );
    return [...pair, ...swapped, ...named.map((path) => ({ path, rest })), ...alike];
  }

  /** All guesses for the words of a line, best first; only commands that exist. */
  of(words: readonly string[]): Guess[] {
    const [first = "", ...rest] = words;
    // `parley '#ops'` and `parley @ana` mean to open the screen there.
    if (/^[#@]./.test(first)) return [{ path: "chat", rest: words }];
    const noun = NOUNS[first] ?? first;
    const nested = `${noun} ${rest[0]}`;
    const guesses =
      nested in this.#tree.nouns
        ? this.#underNoun(nested, rest[1], rest.slice(2))
        : noun in this.#tree.nouns
          ? this.#underNoun(noun, rest[0], rest.slice(1))
          : this.#byAct(first, rest);
    return guesses.filter(this.#isKnown).map((guess) => this.#withObject(first, words, guess));
  }

  /** The words as the command takes them: `dm bo hi` → `@bo`, `channel rename '#ops' Tea` → `name=Tea`. */
  #withObject(first: string, words: readonly string[], { path, rest }: Guess): Guess {
    const [object = "", ...values] = rest.filter((word) => !isFlag(word));
    const flags = rest.filter(isFlag);
    const field = words.slice(0, 2).find((word) => ["rename", "topic", "name"].includes(word));
    if (path.endsWith(" set") && field !== undefined && values.length > 0)
      return { path, rest: [object, `${field === "rename" ? "name" : field}=${values.join(" ")}`, ...flags] };
    if (path === "reminder set" && values.length > 0 && flags.length === 0)
      return { path, rest: [object, "--at", values.join(" ")] };
    if (path === "blocklist set" && !flags.includes("--add"))
      return values.length > 0
        ? { path, rest: [object, ...values.flatMap((word) => ["--add", word]), ...flags] }
        : { path: "blocklist create", rest };
    if (path === "send" && isWord(rest[0])) {
      const sign = /^(?:dm|msg|tell|whisper|users?)$/.test(first) ? "@" : "#";
      return { path, rest: [`${sign}${rest[0]}`, ...rest.slice(1)] };
    }
    return { path, rest };
  }

  /** The best guess as a line, or the help of its command if the arguments do not fit. */
  line(words: readonly string[]): GuessedLine | undefined {
    const guesses = this.of(words);
    const [best] = guesses;
    if (best === undefined) return undefined;
    const paths = [...new Set(guesses.map(({ path }) => path))].slice(0, 3);
    const rest = this.#fits(best) ? best.rest.map(shellWord) : ["--help"];
    return { paths, hint: ["parley", best.path, ...rest].join(" ") };
  }
}

/** What is said of a line that names no command. Flags before the command are kept behind it. */
export function unknownCommand(
  tree: CommandTree,
  argv: readonly string[],
  extensions: readonly string[],
): { message?: string; hint?: string } {
  const at = tree.firstWordAt(argv);
  if (at < 0) return {};
  const words = [...argv.slice(at), ...argv.slice(0, at)];
  const noun = NOUNS[words[0]!] ?? words[0]!;
  const depth = `${noun} ${words[1]}` in tree.nouns ? 3 : noun in tree.nouns ? 2 : 1;
  const name = words.slice(0, depth).join(" ");
  const guess = new Guesser(tree).line(words);
  const alike = depth === 1 ? nearest(name, extensions, []) : [];
  const paths = [...(guess?.paths.slice(0, alike.length > 0 ? 2 : 3) ?? []), ...alike].slice(0, 3);
  if (paths.length === 0) return { message: `unknown command '${name}'` };
  const list = [paths.slice(0, -1).join(", "), paths.at(-1)].filter(Boolean).join(" or ");
  const hint = guess?.hint ?? ["parley", alike[0]!, ...argv.slice(at + 1).map(shellWord)].join(" ");
  return { message: `unknown command '${name}'; did you mean ${list}?`, hint };
}

/** The command of another name that a known one was taken for: `history '#ops'` means the messages. */
export function otherCommand(tree: CommandTree, argv: readonly string[]): string | undefined {
  const [first = "", ...rest] = argv;
  const [other] = tree.find(first) ? meant(first, rest) : [];
  const row = other && tree.find(other.path);
  return row && fits(row.args, rest) ? ["parley", other.path, ...rest.map(shellWord)].join(" ") : undefined;
}

/** Flags of other tools' `send` → the sign before their value. */
const SEND_FLAGS: Readonly<Record<string, string>> = {
  "--to": "@",
  "--user": "@",
  "--text": "",
  "--message": "",
  "-m": "",
};

/** `send --to bo hi` as `send @bo hi`. */
export function sendHint(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => Object.hasOwn(SEND_FLAGS, word));
  const [flag = "", value] = at < 0 ? [] : argv.slice(at, at + 2);
  if (argv[0] !== "send" || value === undefined) return undefined;
  const sign = SEND_FLAGS[flag]!;
  const others = [...argv.slice(1, at), ...argv.slice(at + 2)];
  const words = sign === "" ? [...others, value] : [`${sign}${value.replace(/^@/, "")}`, ...others];
  return sendHint(["send", ...words]) ?? ["parley", "send", ...words.map(shellWord)].join(" ");
}

/** The line with a word written as a channel and, where it may be one, as a person. */
export function channelHint(argv: readonly string[], { word }: NotAChannel): string | undefined {
  if (!/^[\w-]+$/.test(word)) return undefined;
  const line = (text: string): string =>
    ["parley", ...argv.map((one) => shellWord(one === word ? text : one))].join(" ");
  return `${line(`#${word}`)}, or ${line(`@${word}`)}`;
}
