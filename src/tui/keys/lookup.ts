/** Looks up the binding of a chord, and the chords of an action (specification/screen.md §4). */
import {
  actionNames,
  actionRow,
  type ActionName,
  type KeyContext,
  type ScreenContext,
} from "./action-table.ts";

/** A screen action, a command line to run as if it had been typed, or several of them and pauses (keys/macros.ts). */
export type Binding = ActionName | `/${string}` | `${string} ; ${string}`;
/** Maps a chord (`C-k`) or a sequence of chords (`g g`) to its binding. */
export type KeyMap = Readonly<Record<string, Binding>>;
export type KeyTable = Readonly<Record<ScreenContext, KeyMap> & { [panel: string]: KeyMap }>;
/** Each binding of a place with its keys, in the order of the table: digits, which an object puts first, come last. */
export function keysByBinding(keys: KeyMap): Map<Binding, string[]> {
  const isDigit = (chords: string): number => Number(/^\d$/.test(chords));
  const found = new Map<Binding, string[]>();
  for (const [chords, binding] of Object.entries(keys).toSorted(([a], [b]) => isDigit(a) - isDigit(b)))
    found.set(binding, [...(found.get(binding) ?? []), chords]);
  return found;
}
/** The profiles with a table of their own in each view. */
export type FullProfile = "default" | "vim" | "emacs";
/** `minimal` is what is left of the default without letters over messages and without Alt (key-tables.ts). */
export type KeyProfile = FullProfile | "minimal";

type Lookup =
  | { kind: "binding"; binding: Binding }
  /** The beginning of a sequence of chords. */
  | { kind: "prefix" }
  | { kind: "none" };

/** Keys that mean the same with Shift, which is often still held, unless a table has them with it. */
const WITH_SHIFT =
  /^((?:[CAD]-)*)S-((?:[CAD]-)*(?:backspace|delete|esc|space|up|down|left|right|home|end|pageup|pagedown))$/;

/** The binding of a chord in the first context that has one; `pending` are the chords pressed before it. */
export function lookup(
  table: KeyTable,
  contexts: readonly KeyContext[],
  chord: string,
  pending?: string,
): Lookup {
  const found = lookupExactly(table, contexts, chord, pending);
  const [, before, after] = (found.kind === "none" && WITH_SHIFT.exec(chord)) || [];
  return before === undefined ? found : lookupExactly(table, contexts, `${before}${after}`, pending);
}

function lookupExactly(
  table: KeyTable,
  contexts: readonly KeyContext[],
  chord: string,
  pending?: string,
): Lookup {
  const sequence = pending === undefined ? chord : `${pending} ${chord}`;
  for (const context of contexts) {
    const map = table[context] ?? {};
    const binding = map[sequence];
    if (binding !== undefined) return { kind: "binding", binding };
    if (Object.keys(map).some((keys) => keys.startsWith(`${sequence} `))) return { kind: "prefix" };
  }
  return { kind: "none" };
}

/** Whether no letter is a key over messages: then each begins a text. */
export const isWithoutLetters = ({ browse }: Pick<KeyTable, "browse">): boolean =>
  !Object.keys(browse).some((chords) => /^\p{L}(?: |$)/u.test(chords));

/** The chords of an action, in table order; the first is the one to show. */
export function chordsFor(table: KeyTable, action: ActionName, contexts?: readonly KeyContext[]): string[] {
  const searched: readonly KeyContext[] = contexts ?? actionRow(action).contexts;
  const chords: string[] = [];
  for (const context of new Set<KeyContext>([...searched, "global"]))
    for (const [chord, binding] of Object.entries(table[context] ?? {}))
      if (binding === action && !chords.includes(chord)) chords.push(chord);
  return chords;
}

/** The actions the palette offers in these contexts. */
export function paletteActions(contexts: readonly KeyContext[]): ActionName[] {
  return actionNames.filter((name) => {
    const row = actionRow(name);
    return !row.keyOnly && row.contexts.some((context) => contexts.includes(context));
  });
}
