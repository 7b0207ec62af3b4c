/** Reads the user's key file, one binding a line, over a key profile; faults are reported with their line. */
import { didYouMean } from "../../text/spelling.ts";
import { parseChord, showChord } from "../input/chord.ts";
import { keyPlaceOf, panelDefinitions } from "../ports/panels.ts";
import { FORBIDDEN, KEY_TABLES } from "./key-tables.ts";
import {
  actionNames,
  actionRow,
  currentName,
  isAction,
  type ActionName,
  type KeyContext,
} from "../keys/action-table.ts";
import type { Binding, KeyMap, KeyProfile, KeyTable } from "../keys/lookup.ts";
import { macroOf, MAX_PAUSE_MS, MAX_STEPS, pauseOf, bindingSteps } from "../keys/macros.ts";

interface KeyFileContent {
  table: KeyTable;
  /** Sentences that name the file and the line. */
  faults: string[];
}

/** One valid line; `binding` is undefined where the line removes the keys (`none`). */
interface KeyLine {
  context: KeyContext;
  keys: string;
  binding: Binding | undefined;
}

const contexts = (): KeyContext[] => Object.keys(KEY_TABLES.default);

/** Contexts in which letters are text, so a chord cannot begin with a single letter. */
const TEXT_CONTEXTS: ReadonlySet<KeyContext> = new Set<KeyContext>([
  "write",
  "complete",
  "popup",
  "chooseFiles",
  "form",
]);

const isTextContext = (context: KeyContext): boolean =>
  TEXT_CONTEXTS.has(context) ||
  panelDefinitions().some((panel) => panel.line && keyPlaceOf(panel) === context);

/** The content of a new key file. */
export const TEMPLATE = `# Your own keys, over those of the profile (setting keys). A line: where, keys, what they do.
#   anywhere  Ctrl-Y     goto
#   browse    g r        reply
#   write     Ctrl-X s   /reminder list
#   browse    d          none
#   anywhere  F6         /mute 1h ; nextUnread
# Where: anywhere, ${contexts()
  .filter((place) => place !== "global")
  .join(", ")}.
# Several steps have a semicolon between them; a pause is a step, too (wait 500ms).
# Names of actions and how keys are written: docs/keys.md. The file is read again when it changes.
`;

/** Merges the lines of a key file into a profile. A line with a fault is skipped; `file` is its name in the faults. */
export function readKeys(text: string, file: string, profile: KeyProfile): KeyFileContent {
  const faults: string[] = [];
  const lines = new Map<KeyContext, Map<string, { binding: Binding | undefined; line: number }>>();
  text.split(/\r?\n/).forEach((raw, i) => {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) return;
    const parsed = parseLine(line);
    const fault = typeof parsed === "string" ? parsed : conflict(lines.get(parsed.context), parsed.keys);
    if (fault !== undefined) return void faults.push(`${file} line ${i + 1}: ${fault}`);
    const { context, keys, binding } = parsed as KeyLine;
    lines.set(context, (lines.get(context) ?? new Map()).set(keys, { binding, line: i + 1 }));
  });
  const linesOf = (context: KeyContext): KeyEntries =>
    [...(lines.get(context) ?? [])].map(([keys, { binding }]) => [keys, binding] as const);
  const allGlobalLines = linesOf("global");
  const table = { ...KEY_TABLES[profile] } as Record<KeyContext, KeyMap>;
  for (const context of contexts()) {
    const globalLines = ISOLATED_CONTEXTS.has(context) ? [] : allGlobalLines;
    if (lines.has(context) || globalLines.length > 0)
      table[context] = mergeKeys(table[context] ?? {}, linesOf(context), globalLines);
  }
  if (!sends(table)) faults.push(`${file}: ${NO_SEND}`);
  return { table, faults };
}

/** The fault of keys of which none sends a message. */
export const NO_SEND =
  "no key is left that sends a message; one is given by a line such as: write Ctrl-J send";

const sends = ({ write }: KeyTable): boolean =>
  Object.values(write).some((binding) => bindingSteps(binding).includes("send"));

type KeyEntries = readonly (readonly [keys: string, Binding | undefined])[];

const isPrefix = (a: string, b: string): boolean => b.startsWith(`${a} `);

/** The user's keys replace the profile's where they are equal or one is the beginning of the other. */
function mergeKeys(map: KeyMap, entries: KeyEntries, globalEntries: KeyEntries): KeyMap {
  const unchanged = Object.entries(map).filter(([keys]) =>
    [...entries, ...globalEntries].every(
      ([userKeys]) => userKeys !== keys && !isPrefix(userKeys, keys) && !isPrefix(keys, userKeys),
    ),
  );
  const added = entries.filter((entry): entry is readonly [string, Binding] => entry[1] !== undefined);
  return Object.fromEntries([...added, ...unchanged]);
}

/** The fault of a line whose keys an earlier line already uses. */
function conflict(
  earlier: ReadonlyMap<string, { line: number }> | undefined,
  keys: string,
): string | undefined {
  for (const [earlierKeys, { line }] of earlier ?? []) {
    if (earlierKeys === keys) return `${showKeys(keys)} is already bound here, in line ${line}`;
    if (isPrefix(earlierKeys, keys) || isPrefix(keys, earlierKeys))
      return `${showKeys(keys)} and ${showKeys(earlierKeys)} of line ${line} begin alike: the longer one could never be reached`;
  }
  return undefined;
}

const showKeys = (keys: string): string => keys.split(" ").map(showChord).join(" ");

/** The parsed line, or a sentence that says what is wrong with it. */
export function parseLine(line: string): KeyLine | string {
  const [head = "", ...further] = bindingSteps(line);
  const [where = "", ...parts] = head.split(/\s+/);
  const context = where === "anywhere" ? "global" : contexts().find((name) => name === where);
  if (!context) return `there is no place '${where}'${didYouMean(where, ["anywhere", ...contexts()])}`;
  const slash = parts.findIndex((word, i) => i > 0 && /^\/\S/.test(word));
  const at = slash > 0 ? slash : parts.length - 1;
  if (at < 1) return "a line is where, keys and what they do, such as: browse g r reply";
  const keys = parseChords(parts.slice(0, at), context);
  if (typeof keys === "string") return keys;
  const steps = [parts.slice(at).join(" "), ...further].map(currentName);
  const isNone = steps.length === 1 && steps[0] === "none";
  const fault = isNone ? undefined : (actionProblem(steps[0]!, context) ?? stepsProblem(steps));
  return fault ?? { context, keys: keys.join(" "), binding: isNone ? undefined : macroOf(steps) };
}

/** What is wrong with the steps after the first, which may belong to any place: the first one can lead there. */
function stepsProblem(steps: readonly string[]): string | undefined {
  if (steps.length > MAX_STEPS) return `a key has at most ${MAX_STEPS} steps`;
  for (const step of steps.slice(1)) {
    const pause = pauseOf(step);
    if (pause !== undefined && pause > MAX_PAUSE_MS) return `a pause is at most ${MAX_PAUSE_MS / 1000}s long`;
    if (pause === undefined && !step.startsWith("/") && !isAction(step)) return unknownAction(step, "global");
  }
  return undefined;
}

const unknownAction = (action: string, context: KeyContext): string =>
  `there is no action '${action}'${likeAction(action, context)}`;

/** The chords, or a sentence that says what is wrong with them. */
function parseChords(words: readonly string[], context: KeyContext): string[] | string {
  const chords: string[] = [];
  for (const word of words) {
    const chord = parseChord(word);
    if (chord === undefined) return `'${word}' is not a key`;
    if ((FORBIDDEN as readonly string[]).includes(chord))
      return `${showChord(chord)} cannot be used: terminals send it as another key or do not pass it on`;
    chords.push(chord);
  }
  const first = chords[0]!;
  if (isTextContext(context) && [...first].length === 1)
    return `${first} is text here: begin with Ctrl, Alt or a key that has a name`;
  return chords;
}

/** The words of a name, `pinMessage` and `pin-message` alike. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");

/** Suggests the action of this place whose description has all words of the name, else one that is spelled like it. */
function likeAction(name: string, context: KeyContext): string {
  const asked = wordsOf(name);
  const isDescribed = (action: ActionName): boolean => {
    const { title, keywords = "", contexts: places } = actionRow(action);
    const described = [...wordsOf(action), ...wordsOf(title), ...wordsOf(keywords)];
    return places.includes(context) && asked.every((word) => described.includes(word));
  };
  const described = actionNames.find(isDescribed);
  return described === undefined ? didYouMean(name, actionNames) : `, did you mean '${described}'`;
}

function actionProblem(action: string, context: KeyContext): string | undefined {
  if (action.startsWith("/")) return undefined;
  if (!isAction(action)) return unknownAction(action, context);
  const row = actionRow(action);
  if (row.contexts.includes(context) || (row.contexts.includes("global") && !ISOLATED_CONTEXTS.has(context)))
    return undefined;
  return `${action} does nothing here; it belongs to: ${row.contexts.map((name) => (name === "global" ? "anywhere" : name)).join(", ")}`;
}

/** Contexts in which global bindings do not apply. */
const ISOLATED_CONTEXTS: ReadonlySet<KeyContext> = new Set<KeyContext>(["popup", "chooseFiles", "form"]);
