/** The choices of the palette (Ctrl-P): actions, command lines and settings. */
import { commands } from "../../../commands/table.gen.ts";
import { chatPaths } from "../../../commands/line.ts";
import { showChord } from "../../input/chord.ts";
import { composerCommandHint, composerCommandNames } from "../../keys/composer-commands.ts";
import { SETTINGS, settingKeys, type SettingRow } from "../../../config/settings.ts";
import { actionRow, type ActionName, type KeyContext } from "../../keys/action-table.ts";
import { MISSING_FEATURES } from "../../keys/missing-features.ts";
import { chordsFor, paletteActions, type KeyTable } from "../../keys/lookup.ts";
import { foreignAliasesOf } from "../../keys/aliases.ts";
import type { Choice } from "../../screen/popup.ts";

/** Destructive actions. */
const DESTRUCTIVE: ReadonlySet<ActionName> = new Set([
  "remove",
  "removeForMe",
  "removeForGood",
  "drop",
  "leaveChannel",
  "pollEnd",
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
  runs: `/${name}`,
}));

/** One line per setting, which opens the settings list at it. */
const settingLines = settingKeys.map((key): Choice => {
  const { words: detail, also = "" }: SettingRow = SETTINGS[key];
  return {
    label: `/settings ${key}`,
    detail,
    runs: `/settings ${key}`,
    ...(also && { keywords: also }),
  };
});

/** What to do instead of a missing feature, found only by whole words. */
const missingFeatures = MISSING_FEATURES.map(({ title, advice, keywords }): Choice => ({
  label: title,
  note: advice,
  missing: true,
  keywords,
}));

/** Actions of these contexts with their keys, then every command line. */
export function paletteChoices(table: KeyTable, contexts: readonly KeyContext[]): Choice[] {
  const actions = paletteActions(contexts).map((name: ActionName): Choice => {
    const chord = chordsFor(table, name, contexts)[0];
    return {
      label: actionRow(name).title,
      clauses: true,
      runs: name,
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
      detail: commands.row(path).summary,
      ...aliasesOf(path),
      // A command that asks for confirmation is destructive.
      ...(commands.row(path).asks && { destructive: true }),
      runs: `/${path}`,
    }));
  return [...actions, ...lines, ...composerLines, ...settingLines, ...missingFeatures];
}
