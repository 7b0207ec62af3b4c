/** Finds and ranks the choices of a picker that match what is typed. */
import { Fzf } from "fzf";
import { fold } from "../../text/fold.ts";
import type { Choice } from "./popup.ts";

const LIMIT = 500;

const wordsOf = (text: string): string[] => fold(text).split(/[^\p{L}\p{M}\p{N}-]+/u);
const queryWords = (query: string): string[] => wordsOf(query).filter((word) => word !== "");

/**
 * How a choice matches a query, the best first: its title begins with the words, all words are its keywords or the last one of a command, in its name, in its description, its title
 * begins with the letters, words begin with them, they are parts of its name, or only letters match. What is seen comes before a hidden keyword.
 */
const FIT = {
  title: 0,
  end: 0.2,
  name: 1,
  description: 2,
  titleBeginning: 2.9,
  beginning: 3,
  part: 4,
  scattered: 5,
} as const;
type Fit = (typeof FIT)[keyof typeof FIT];

/** Whether a title begins with these words, of which the last one may be unfinished. */
const beginsWith = (title: readonly string[], query: readonly string[]): boolean =>
  query.length > 0 &&
  query.every((word, i) => (i < query.length - 1 ? title[i] === word : title[i]?.startsWith(word) === true));

function matchRank({ label, detail = "", keywords = "" }: Choice, query: readonly string[]): Fit {
  const nameWords = wordsOf(`${label} ${keywords}`);
  const detailWords = wordsOf(detail);
  const all = (test: (word: string) => boolean): boolean => query.length > 0 && query.every(test);
  // The first word identifies an action, the first or last word a command.
  const path = queryWords(label);
  const ends = [...wordsOf(keywords), path[0], ...(label.startsWith("/") ? [path.at(-1)] : [])];
  const isTitle = !label.startsWith("/");
  if (isTitle && query[0] === path[0] && all((word) => path.includes(word))) return FIT.title;
  if (isTitle && query.length > 1 && beginsWith(path, query)) return FIT.title;
  if (all((word) => ends.includes(word))) return FIT.end;
  if (all((word) => nameWords.includes(word))) return FIT.name;
  if (all((word) => nameWords.includes(word) || detailWords.includes(word))) return FIT.description;
  if (isTitle && beginsWith(path, query)) return FIT.titleBeginning;
  if (all((word) => [...nameWords, ...detailWords].some((one) => one.startsWith(word)))) return FIT.beginning;
  const name = fold(label);
  return all((word) => name.includes(word)) ? FIT.part : FIT.scattered;
}

/** Fuzzy search, best match first; equal matches in the given order. */
function fuzzy(choices: readonly Choice[], query: string, text: (choice: Choice) => string): Choice[] {
  // The library's own types cannot be resolved under nodenext.
  interface Found {
    item: Choice;
  }
  const order = new Map(choices.map((choice, i) => [choice, i]));
  const fzf = new Fzf(choices as Choice[], {
    selector: text,
    limit: LIMIT,
    casing: "case-insensitive",
    // Keeps channels before people for equal matches.
    tiebreakers: [(a: Found, b: Found) => order.get(a.item)! - order.get(b.item)!],
  }) as { find(query: string): Found[] };
  return fzf.find(query.trim()).map(({ item }) => item);
}

/** Whether a match has the words or parts of them, not just their letters scattered. Of a destructive choice only whole words count. */
const isClear = ({ item, fit }: { item: Choice; fit: number }): boolean =>
  !item.missing && fit <= (item.destructive ? FIT.description : FIT.part);

/** Where a destructive choice comes among the others: never before a choice that fits as well, without the words of its name last. */
const destructiveRank = (fit: Fit): number =>
  fit <= FIT.end ? FIT.end + 0.5 : fit === FIT.name ? FIT.description + 0.5 : FIT.scattered + 1 + fit;

/** Filters and ranks choices: whole words first, scattered letters only if nothing else matches; destructive ones match only words. Without a query returns all. */
export function filterChoices(choices: readonly Choice[], query: string): Choice[] {
  if (query.trim() === "") return choices.filter((choice) => !choice.missing).slice(0, LIMIT);
  const terms = queryWords(query);
  const fits = new Map(choices.map((item) => [item, matchRank(item, terms)]));
  const inOrder = new Set(
    fuzzy(choices, query, ({ label, detail = "", keywords = "" }) => `${label} ${detail} ${keywords}`),
  );
  const shown = new Set(fuzzy(choices, query, ({ label }) => label));
  // Words match in any order; letters only in order and only in the visible label.
  const named = choices.filter((item) => fits.get(item)! <= FIT.beginning && !inOrder.has(item));
  const matching = [...inOrder, ...named]
    .map((item) => ({ item, fit: fits.get(item)! }))
    .filter(({ item, fit }) =>
      item.missing ? fit <= FIT.name : fit <= FIT.beginning || (shown.has(item) && !item.destructive),
    );
  const found = matching.some(isClear) ? matching.filter(({ fit }) => fit < FIT.scattered) : matching;
  // Half ranks come between the fits. A destructive choice comes first only if words of its name were typed in full and nothing else has them.
  const whole = query.trim().toLowerCase();
  const rank = ({ item, fit }: (typeof found)[number]): number =>
    item.missing
      ? FIT.name + 0.5
      : item.destructive
        ? destructiveRank(fit)
        : [item.label, item.named].some((name) => name?.toLowerCase() === whole)
          ? -1
          : fit;
  return found.toSorted((a, b) => rank(a) - rank(b)).map(({ item }) => item);
}

/** Actions offered in the goto list: matched by words only, without destructive ones. */
export function filterActions(choices: readonly Choice[], query: string): Choice[] {
  const terms = queryWords(query);
  return filterChoices(choices, query).filter(
    (choice) => choice.destructive !== true && matchRank(choice, terms) <= FIT.beginning,
  );
}
