/** Prints docs/commands.md and docs/settings.md from the program's tables. */
import { flagName } from "../../commands/base/args.ts";
import { ALIASES, commands } from "../../commands/table.gen.ts";
import { ATTRIBUTES, BUILT_IN_THEMES, COLOURS, ROLES } from "../../config/themes.ts";
import { SETTINGS, settingKeys, type SettingRow } from "../../config/settings.ts";
import { EXITS } from "../base/exit.ts";
import type { CommandTree } from "../base/command-tree.ts";
import { GLOBALS, shownFlags } from "../base/globals.ts";
import { examplesOf, usageOf } from "./help.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

function section(tree: CommandTree, path: string): string {
  const definition = tree.definition(path);
  const parts = [
    `### parley ${path}`,
    `${definition.summary}.${tree.needsSecret(path) ? " Needs the app's secret." : ""}`,
    `\`\`\`\n${usageOf(tree, path)}\n\`\`\``,
  ];
  const rows = Object.entries(definition.args).map(([name, row]) => [
    `\`${row.positional ? flagName(name) : `${row.short ? `-${row.short}, ` : ""}--${flagName(name)}`}\``,
    cell(row.help),
  ]);
  if (rows.length) parts.push(table(["", ""], rows));
  const examples = examplesOf(tree, path);
  if (examples.length) parts.push(`\`\`\`sh\n${examples.join("\n")}\n\`\`\``);
  return parts.join("\n\n");
}

export function commandsPage(tree: CommandTree): string {
  const sections = (paths: readonly string[]): string[] => paths.map((path) => section(tree, path));
  return [
    "# Commands",
    "Printed from the command tables by `npm run docs`; a test compares. [Recipes](recipes.md) put them together.",
    "## Shared by the shell and the chat box",
    "Commands that do not need the app's secret also work in the chat box: `/channel mute`. `import validate`,",
    "`import convert` and `user guest` work in the shell only.",
    ...sections(commands.paths),
    "## Shell only",
    ...sections(tree.visiblePaths().filter((path) => tree.shell.has(path))),
    "## Short forms in the chat box",
    "A command of the provider with the same name takes precedence.",
    table(
      ["word", "command"],
      Object.entries(ALIASES).map(([word, path]) => [`\`/${word}\``, `\`/${path}\``]),
    ),
    "## Global flags",
    table(
      ["flag", ""],
      GLOBALS.map((row) => [`\`${shownFlags(row)}\``, cell(row.help)]),
    ),
    "## Exit codes",
    table(
      ["code", "meaning"],
      EXITS.map((row) => [String(row.code), cell(row.words)]),
    ),
  ]
    .join("\n\n")
    .concat("\n");
}

export function settingsPage(): string {
  const rows = settingKeys.map((key) => {
    const row: SettingRow = SETTINGS[key];
    return [
      `\`${key}\``,
      row.choices ? row.choices.join(", ") : row.type,
      row.default === ""
        ? ""
        : `\`${row.type === "duration" ? `${Number(row.default) / 1000}s` : row.default}\``,
      (row.env ?? []).map((name) => `\`${name}\``).join(" "),
      row.flag ? `\`${row.flag}\`` : "",
      cell(row.words),
    ];
  });
  return [
    "# Settings",
    "Printed from the settings table by `npm run docs`; a test compares. Sources in order of precedence: a flag, the",
    "environment, `.parley.json` of the project, the user's config file (`parley config path`), the default.",
    "`parley config explain <setting>` shows where a value comes from. An unknown name is an error.",
    "",
    table(["setting", "values", "default", "environment", "flag", ""], rows),
    "",
    "## Themes",
    "`/theme` on the screen lists them and previews the selected one; Enter applies it, Esc cancels. On a terminal with",
    "16 colours they use the terminal's palette; with NO_COLOR only symbols, bold and underline remain.",
    "",
    table(
      ["theme", ""],
      Object.entries(BUILT_IN_THEMES).map(([name, words]) => [`\`${name}\``, words]),
    ),
    "",
    "A custom theme is a JSON file `NAME.json` in the folder `themes` beside the config file, selected by its name. It is",
    "reloaded when it changes; `parley doctor` and a notice name the line of an error. `base` is the theme that provides",
    'missing keys, `authors` a list of colours for names. Every other key is a style such as `"bold #7aa2f7 on',
    '#16161e"`: a text colour, a background colour after `on` (both as `#rrggbb` or by name), and',
    `${ATTRIBUTES.join(", ")}.`,
    `Named colours: ${COLOURS.join(", ")}.`,
    "",
    table(
      ["key", "used for"],
      Object.entries(ROLES).map(([role, words]) => [`\`${role}\``, words]),
    ),
  ]
    .join("\n")
    .concat("\n");
}
