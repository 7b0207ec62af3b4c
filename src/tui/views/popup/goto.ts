/** Choices and ranking of the goto list (Ctrl-K) and the palette (Ctrl-P). */
import { Fzf } from "fzf";
import { commands } from "../../../commands/index.ts";
import { chatPaths, needsArguments } from "../../../commands/line.ts";
import type { Core } from "../../../core/core.ts";
import { fold } from "../../../text/fold.ts";
import { shortText } from "../../../model/message-words.ts";
import type { HeldMessage, State } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { showChord } from "../../input/chord.ts";
import { composerCommandHint, composerCommandNames, composerCommand } from "../../keys/composer-commands.ts";
import { SETTINGS, settingKeys, type SettingRow } from "../../../config/settings.ts";
import { actionRow, isAction, type ActionName, type KeyContext } from "../../keys/action-table.ts";
import { MISSING_FEATURES } from "../../keys/missing-features.ts";
import { chordsFor, paletteActions, type KeyTable } from "../../keys/lookup.ts";
import { foreignAliasesOf } from "../../keys/aliases.ts";
import { channelTitle } from "../../../model/channels.ts";
import type { Choice } from "../../screen/popup.ts";

const LIMIT = 500;

/**
 * Messages that, or whose changes, have not reached the provider; `value` is `message:<id> <cid> [<parent>]`. A failed message that is
 * no longer shown anywhere, such as a reply to a deleted thread, is `back:<id> <cid>`: its text is put back into the composer.
 */
export function unsentChoices(state: State, rows: ReturnType<Core["unsent"]>): Choice[] {
  const found = new Map<string, HeldMessage>();
  for (const entry of state.channels.values())
    for (const { sets } of [entry, ...entry.threads.values()])
      for (const { messages } of sets)
        for (const message of messages)
          if (message.pendingChange || message.status === "sending" || message.status === "failed")
            found.set(message.id, message);
  const where = ({ cid, parent_id, show_in_channel }: HeldMessage): string =>
    parent_id === undefined || show_in_channel ? cid : `${cid} ${parent_id}`;
  const titleOf = (cid: string): string => {
    const entry = state.channels.get(cid);
    return entry ? channelTitle(entry, state.me?.id) : cid;
  };
  const mark = (failed: boolean): string => (failed ? words.message.failed : words.message.sending);
  const loaded = [...found.values()].map((message) => ({
    label: shortText(message),
    detail: titleOf(message.cid),
    value: `message:${message.id} ${where(message)}`,
    mark: mark(message.status === "failed"),
  }));
  const notLoaded = rows.filter((row) => !found.has(row.id) && row.send_at === undefined && !row.busy);
  return [
    ...loaded,
    ...notLoaded.map(({ id, cid, kind, state: at, text = "" }) => ({
      label: cleanLine(text),
      detail: titleOf(cid),
      value: `${kind === "send" && at === "failed" && state.channels.has(cid) ? "back" : "message"}:${id} ${cid}`,
      mark: mark(at === "failed"),
    })),
  ];
}

/** Destructive actions. */
const DESTRUCTIVE: ReadonlySet<ActionName> = new Set([
  "remove",
  "removeForMe",
  "removeForGood",
  "drop",
  "leaveChannel",
  "pollEnd",
  "campaignStop",
]);

const keywordsOf = (name: ActionName): Pick<Choice, "keywords"> => {
  const { keywords } = actionRow(name);
  return keywords === undefined ? {} : { keywords };
};

/** The aliases of a line or command. */
const aliasesOf = (path: string): Pick<Choice, "keywords"> => {
  const aliases = foreignAliasesOf(path).join(" ");
  return aliases === "" ? {} : { keywords: aliases };
};

/** The lines of the composer. */
const composerLines = composerCommandNames.map((name): Choice => ({
  label: `/${name}`,
  detail: composerCommandHint(name),
  ...aliasesOf(name),
  value: `line:${composerCommand(name).needsArguments ? "write" : "run"}:/${name}`,
}));

/** One line per setting, which opens the settings list at it. */
const settingLines = settingKeys.map((key): Choice => {
  const { words: detail, also = "" }: SettingRow = SETTINGS[key];
  return {
    label: `/settings ${key}`,
    detail,
    value: `line:run:/settings ${key}`,
    ...(also && { keywords: also }),
  };
});

const NOTE_ONLY = "say:";

const isMissingFeature = ({ value }: Choice): boolean => value.startsWith(NOTE_ONLY);

/** What to do instead of a missing feature, found only by whole words. */
const missingFeatures = MISSING_FEATURES.map(({ title, advice, keywords }): Choice => ({
  label: title,
  note: advice,
  value: `${NOTE_ONLY}${advice}`,
  keywords,
}));

/** Actions of these contexts with their keys, then every command line; `value` `action:…` or `line:/…`. */
export function paletteChoices(table: KeyTable, contexts: readonly KeyContext[]): Choice[] {
  const actions = paletteActions(contexts).map((name: ActionName): Choice => {
    const chord = chordsFor(table, name, contexts)[0];
    return {
      label: actionRow(name).title,
      clauses: true,
      value: `action:${name}`,
      ...keywordsOf(name),
      ...(DESTRUCTIVE.has(name) && { destructive: true }),
      ...(chord ? { mark: chord.split(" ").map(showChord).join(" ") } : {}),
    };
  });
  const ownLines: readonly string[] = composerCommandNames;
  const lines = chatPaths()
    .filter((path) => !ownLines.includes(path))
    .map((path): Choice => ({
      label: `/${path}`,
      detail: commands[path]!.summary,
      ...aliasesOf(path),
      // A command that asks for confirmation is destructive.
      ...(commands[path]!.confirm && { destructive: true }),
      value: `line:${needsArguments(path) ? "write" : "run"}:/${path}`,
    }));
  return [...actions, ...lines, ...composerLines, ...settingLines, ...missingFeatures];
}

const wordsOf = (text: string): string[] => fold(text).split(/[^\p{L}\p{M}\p{N}-]+/u);
const queryWords = (query: string): string[] => wordsOf(query).filter((word) => word !== "");

/** How a choice matches a query, the best first: all words are its first or last one, in its name, in its description, begin words, are parts of its name, or only letters match. */
const FIT = { end: 0, name: 1, description: 2, beginning: 3, part: 4, scattered: 5 } as const;
type Fit = (typeof FIT)[keyof typeof FIT];

function matchRank({ label, detail = "", keywords = "" }: Choice, query: readonly string[]): Fit {
  const nameWords = wordsOf(`${label} ${keywords}`);
  const detailWords = wordsOf(detail);
  const all = (test: (word: string) => boolean): boolean => query.length > 0 && query.every(test);
  // The first word identifies an action, the first or last word a command.
  const path = wordsOf(label.replace(/^\//, ""));
  const ends = [...wordsOf(keywords), path[0], ...(label.startsWith("/") ? [path.at(-1)] : [])];
  if (all((word) => ends.includes(word))) return FIT.end;
  if (all((word) => nameWords.includes(word))) return FIT.name;
  if (all((word) => nameWords.includes(word) || detailWords.includes(word))) return FIT.description;
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
  !isMissingFeature(item) && fit <= (item.destructive ? FIT.description : FIT.part);

/** Where a destructive choice comes among the others: never before a choice that fits as well, without the words of its name last. */
const destructiveRank = (fit: Fit): number =>
  fit === FIT.end ? FIT.end + 0.5 : fit === FIT.name ? FIT.description + 0.5 : FIT.scattered + 1 + fit;

/** Filters and ranks choices: whole words first, scattered letters only if nothing else matches; destructive ones match only words. Without a query returns all. */
export function filterChoices(choices: readonly Choice[], query: string): Choice[] {
  if (query.trim() === "") return choices.filter((choice) => !isMissingFeature(choice)).slice(0, LIMIT);
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
      isMissingFeature(item)
        ? fit <= FIT.name
        : fit <= FIT.beginning || (shown.has(item) && !item.destructive),
    );
  const found = matching.some(isClear) ? matching.filter(({ fit }) => fit < FIT.scattered) : matching;
  // Half ranks come between the fits. A destructive choice comes first only if words of its name were typed in full and nothing else has them.
  const whole = query.trim().toLowerCase();
  const rank = ({ item, fit }: (typeof found)[number]): number =>
    isMissingFeature(item)
      ? FIT.name + 0.5
      : item.destructive
        ? destructiveRank(fit)
        : item.label.toLowerCase() === whole
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

export function actionOf(value: string): ActionName | undefined {
  const name = value.startsWith("action:") ? value.slice(7) : "";
  return isAction(name) ? name : undefined;
}
