/** Reads the user's key file, one binding a line, over a key profile; faults are reported with their line. */
import { didYouMean } from "../../text/spelling.ts";
import { parseChord, showChord } from "../input/chord.ts";
import { FORBIDDEN, KEY_TABLES } from "./key-tables.ts";
import { actionNames, actionRow, isAction, type Where } from "../keys/action-table.ts";
import type { Binding, KeyMap, KeyProfile, KeyTable } from "../keys/lookup.ts";

interface ReadKeys {
  table: KeyTable;
  /** Sentences that name the file and the line. */
  faults: string[];
}

/** One valid line; `binding` is undefined where the line removes the keys (`none`). */
interface KeyLine {
  where: Where;
  keys: string;
  binding: Binding | undefined;
}

const CONTEXTS = Object.keys(KEY_TABLES.default) as Where[];

/** Contexts in which letters are text, so a chord cannot begin with a single letter. */
const TEXT_CONTEXTS: ReadonlySet<Where> = new Set<Where>([
  "write",
  "complete",
  "search",
  "popup",
  "chooseFiles",
  "form",
]);

/** The content of a new key file. */
export const TEMPLATE = `# Your own keys, over those of the profile (setting keys). A line: where, keys, what they do.
#   anywhere  Ctrl-Y     goto
#   browse    g r        reply
#   write     Ctrl-X s   /reminder list
#   browse    d          none
# Where: anywhere, ${CONTEXTS.filter((place) => place !== "global").join(", ")}.
# Names of actions and how keys are written: docs/keys.md. The file is read again when it changes.
`;

/** Merges the lines of a key file into a profile. A line with a fault is skipped; `file` is its name in the faults. */
export function readKeys(text: string, file: string, profile: KeyProfile): ReadKeys {
  const faults: string[] = [];
  const own = new Map<Where, Map<string, { binding: Binding | undefined; line: number }>>();
  text.split(/\r?\n/).forEach((raw, i) => {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) return;
    const read = readLine(line);
    const fault = typeof read === "string" ? read : conflict(own.get(read.where), read.keys);
    if (fault !== undefined) return void faults.push(`${file} line ${i + 1}: ${fault}`);
    const { where, keys, binding } = read as KeyLine;
    own.set(where, (own.get(where) ?? new Map()).set(keys, { binding, line: i + 1 }));
  });
  const linesOf = (where: Where): OwnKeys =>
    [...(own.get(where) ?? [])].map(([keys, { binding }]) => [keys, binding] as const);
  const everywhere = linesOf("global");
  const table = { ...KEY_TABLES[profile] } as Record<Where, KeyMap>;
  for (const where of CONTEXTS) {
    const everywhereHere = ISOLATED_CONTEXTS.has(where) ? [] : everywhere;
    if (own.has(where) || everywhereHere.length > 0)
      table[where] = mergeKeys(table[where], linesOf(where), everywhereHere);
  }
  return { table, faults };
}

type OwnKeys = readonly (readonly [keys: string, Binding | undefined])[];

const isPrefix = (a: string, b: string): boolean => b.startsWith(`${a} `);

/** The user's keys replace the profile's where they are equal or one is the beginning of the other. */
function mergeKeys(map: KeyMap, own: OwnKeys, everywhere: OwnKeys): KeyMap {
  const unchanged = Object.entries(map).filter(([keys]) =>
    [...own, ...everywhere].every(
      ([mine]) => mine !== keys && !isPrefix(mine, keys) && !isPrefix(keys, mine),
    ),
  );
  const added = own.filter((entry): entry is readonly [string, Binding] => entry[1] !== undefined);
  return Object.fromEntries([...added, ...unchanged]);
}

/** The fault of a line whose keys an earlier line already uses. */
function conflict(
  earlier: ReadonlyMap<string, { line: number }> | undefined,
  keys: string,
): string | undefined {
  for (const [other, { line }] of earlier ?? []) {
    if (other === keys) return `${showKeys(keys)} is already bound here, in line ${line}`;
    if (isPrefix(other, keys) || isPrefix(keys, other))
      return `${showKeys(keys)} and ${showKeys(other)} of line ${line} begin alike: the longer one could never be reached`;
  }
  return undefined;
}

const showKeys = (keys: string): string => keys.split(" ").map(showChord).join(" ");

/** The parsed line, or a sentence that says what is wrong with it. */
function readLine(line: string): KeyLine | string {
  const [context = "", ...parts] = line.split(/\s+/);
  const where = context === "anywhere" ? "global" : CONTEXTS.find((name) => name === context);
  if (!where) return `there is no place '${context}'${didYouMean(context, ["anywhere", ...CONTEXTS])}`;
  const slash = parts.findIndex((word, i) => i > 0 && /^\/\S/.test(word));
  const at = slash > 0 ? slash : parts.length - 1;
  if (at < 1) return "a line is where, keys and what they do, such as: browse g r reply";
  const keys = readKeysOf(parts.slice(0, at), where);
  if (typeof keys === "string") return keys;
  const action = parts.slice(at).join(" ");
  const binding = action === "none" ? undefined : action;
  const fault = binding === undefined ? undefined : actionProblem(binding, where);
  return fault ?? { where, keys: keys.join(" "), binding: binding as Binding | undefined };
}

/** The chords, or a sentence that says what is wrong with them. */
function readKeysOf(written: readonly string[], where: Where): string[] | string {
  const chords: string[] = [];
  for (const word of written) {
    const chord = parseChord(word);
    if (chord === undefined) return `'${word}' is not a key`;
    if ((FORBIDDEN as readonly string[]).includes(chord))
      return `${showChord(chord)} cannot be used: terminals send it as another key or do not pass it on`;
    chords.push(chord);
  }
  const first = chords[0]!;
  if (TEXT_CONTEXTS.has(where) && [...first].length === 1)
    return `${first} is text here: begin with Ctrl, Alt or a key that has a name`;
  return chords;
}

function actionProblem(action: string, where: Where): string | undefined {
  if (action.startsWith("/")) return undefined;
  if (!isAction(action)) return `there is no action '${action}'${didYouMean(action, actionNames)}`;
  const row = actionRow(action);
  if (row.where.includes(where) || (row.where.includes("global") && !ISOLATED_CONTEXTS.has(where)))
    return undefined;
  return `${action} does nothing here; it belongs to: ${row.where.map((name) => (name === "global" ? "anywhere" : name)).join(", ")}`;
}

/** Contexts in which global bindings do not apply. */
const ISOLATED_CONTEXTS: ReadonlySet<Where> = new Set<Where>(["popup", "chooseFiles", "form"]);
