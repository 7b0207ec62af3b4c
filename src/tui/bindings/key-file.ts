/** Reads the person's own keys, one a line, over a key profile; mistakes are reported with their line. */
import { didYouMean } from "../../text/spelling.ts";
import { parseChord, showChord } from "../input/chord.ts";
import { FORBIDDEN, KEY_TABLES } from "./key-tables.ts";
import { actionNames, actionRow, isAction, type Where } from "../keys/action-table.ts";
import type { Binding, KeyMap, KeyProfile, KeyTable } from "../keys/lookup.ts";

interface ReadKeys {
  table: KeyTable;
  /** Sentences with the file and the line. */
  faults: string[];
}

/** One good line: keys as in a table, and what they do; nothing where they are taken away. */
interface KeyLine {
  where: Where;
  keys: string;
  binding: Binding | undefined;
}

const PLACES = Object.keys(KEY_TABLES.default) as Where[];

/** Where letters are text: no key of one letter can stand there. */
const TEXT_PLACES: ReadonlySet<Where> = new Set<Where>([
  "write",
  "complete",
  "search",
  "popup",
  "chooseFiles",
  "form",
]);

/** What a new file begins with. */
export const TEMPLATE = `# Your own keys, over those of the profile (setting keys). A line: where, keys, what they do.
#   anywhere  Ctrl-Y     goto
#   browse    g r        reply
#   write     Ctrl-X s   /reminder list
#   browse    d          none
# Where: anywhere, ${PLACES.filter((place) => place !== "global").join(", ")}.
# Names of actions and how keys are written: docs/keys.md. The file is read again when it changes.
`;

/** Lays the lines of a file over a profile; `file` names it in faults. A line with a fault changes nothing. */
export function readKeys(text: string, file: string, profile: KeyProfile): ReadKeys {
  const faults: string[] = [];
  const own = new Map<Where, Map<string, { binding: Binding | undefined; line: number }>>();
  text.split(/\r?\n/).forEach((raw, i) => {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) return;
    const read = readLine(line);
    const fault = typeof read === "string" ? read : clash(own.get(read.where), read.keys);
    if (fault !== undefined) return void faults.push(`${file} line ${i + 1}: ${fault}`);
    const { where, keys, binding } = read as KeyLine;
    own.set(where, (own.get(where) ?? new Map()).set(keys, { binding, line: i + 1 }));
  });
  const linesOf = (where: Where): OwnKeys =>
    [...(own.get(where) ?? [])].map(([keys, { binding }]) => [keys, binding] as const);
  const everywhere = linesOf("global");
  const table = { ...KEY_TABLES[profile] } as Record<Where, KeyMap>;
  for (const where of PLACES) {
    const away = TEXT_ONLY.has(where) ? [] : everywhere;
    if (own.has(where) || away.length > 0) table[where] = laidOver(table[where], linesOf(where), away);
  }
  return { table, faults };
}

type OwnKeys = readonly (readonly [keys: string, Binding | undefined])[];

const begins = (a: string, b: string): boolean => b.startsWith(`${a} `);

/** Keys of the profile give way to the person's own, here or anywhere: the same ones, their beginnings and what they begin. */
function laidOver(map: KeyMap, own: OwnKeys, everywhere: OwnKeys): KeyMap {
  const kept = Object.entries(map).filter(([keys]) =>
    [...own, ...everywhere].every(([mine]) => mine !== keys && !begins(mine, keys) && !begins(keys, mine)),
  );
  const added = own.filter((entry): entry is readonly [string, Binding] => entry[1] !== undefined);
  return Object.fromEntries([...added, ...kept]);
}

/** Two lines of a file that cannot both hold. */
function clash(known: ReadonlyMap<string, { line: number }> | undefined, keys: string): string | undefined {
  for (const [other, { line }] of known ?? []) {
    if (other === keys) return `${shown(keys)} has a meaning here already, in line ${line}`;
    if (begins(other, keys) || begins(keys, other))
      return `${shown(keys)} and ${shown(other)} of line ${line} begin alike: the longer one could never be reached`;
  }
  return undefined;
}

const shown = (keys: string): string => keys.split(" ").map(showChord).join(" ");

/** A line, or what is wrong with it. */
function readLine(line: string): KeyLine | string {
  const [place = "", ...rest] = line.split(/\s+/);
  const where = place === "anywhere" ? "global" : PLACES.find((one) => one === place);
  if (!where) return `there is no place '${place}'${didYouMean(place, ["anywhere", ...PLACES])}`;
  const slash = rest.findIndex((word, i) => i > 0 && /^\/\S/.test(word));
  const at = slash > 0 ? slash : rest.length - 1;
  if (at < 1) return "a line is where, keys and what they do, such as: browse g r reply";
  const keys = readKeysOf(rest.slice(0, at), where);
  if (!keys.startsWith("\0")) return keys;
  const named = rest.slice(at).join(" ");
  const binding = named === "none" ? undefined : named;
  const fault = binding === undefined ? undefined : actionProblem(binding, where);
  return fault ?? { where, keys: keys.slice(1), binding: binding as Binding | undefined };
}

/** The keys behind a zero, or what is wrong with them. */
function readKeysOf(written: readonly string[], where: Where): string {
  const chords: string[] = [];
  for (const word of written) {
    const chord = parseChord(word);
    if (chord === undefined) return `'${word}' is no key`;
    if ((FORBIDDEN as readonly string[]).includes(chord))
      return `${showChord(chord)} cannot be told from another key, or the terminal keeps it for itself`;
    chords.push(chord);
  }
  const first = chords[0]!;
  if (TEXT_PLACES.has(where) && [...first].length === 1)
    return `${first} is text here: begin with Ctrl, Alt or a key that has a name`;
  return `\0${chords.join(" ")}`;
}

function actionProblem(named: string, where: Where): string | undefined {
  if (named.startsWith("/")) return undefined;
  if (!isAction(named)) return `there is no action '${named}'${didYouMean(named, actionNames)}`;
  const row = actionRow(named);
  if (row.where.includes(where) || (row.where.includes("global") && !TEXT_ONLY.has(where))) return undefined;
  return `${named} does nothing here; it belongs to: ${row.where.map((one) => (one === "global" ? "anywhere" : one)).join(", ")}`;
}

/** Places in which nothing from outside works. */
const TEXT_ONLY: ReadonlySet<Where> = new Set<Where>(["popup", "chooseFiles", "form"]);
