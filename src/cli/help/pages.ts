/** The pages docs/commands.md and docs/settings.md, printed from the tables that the program runs on. */
import { flagName } from "../../commands/base/args.ts";
import { ALIASES, commands } from "../../commands/index.ts";
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
    `\`${row.place ? flagName(name) : `${row.short ? `-${row.short}, ` : ""}--${flagName(name)}`}\``,
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
    "Printed from the command tables by `npm run docs`; a test compares.",
    "## On the service",
    "Each of these that does not need the app's secret is also a line of the chat box: `/channel mute`. `import validate`,",
    "`import convert` and `user guest` are of the shell alone.",
    ...sections(Object.keys(commands)),
    "## Of the shell",
    ...sections(tree.paths().filter((path) => tree.shell[path])),
    "## Single words of the chat box",
    "A command of the provider with the same name wins.",
    table(
      ["word", "stands for"],
      Object.entries(ALIASES).map(([word, path]) => [`\`/${word}\``, `\`/${path}\``]),
    ),
    "## Flags of every command",
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
    "Printed from the settings table by `npm run docs`; a test compares. A flag wins over the environment, that over",
    "`.parley.json` of the project, that over the user's config file (`parley config path`), that over the default.",
    "`parley config explain <setting>` says where a value comes from. A name that is not here is an error.",
    "",
    table(["setting", "values", "default", "environment", "flag", ""], rows),
    "",
    "## Themes",
    "`/theme` on the screen lists them, and shows each as the cursor comes to it; Enter keeps it, Esc leaves all as it was.",
    "With 16 colours they are drawn in the terminal's own; with NO_COLOR signs, bold and underlined letters stay.",
    "",
    table(
      ["theme", ""],
      Object.entries(BUILT_IN_THEMES).map(([name, said]) => [`\`${name}\``, said]),
    ),
    "",
    "A theme of your own is a JSON file `NAME.json` in the folder `themes` beside the config file, chosen by its name. It",
    "is read again as soon as it changes; `parley doctor` and a notice name the line of a fault. `base` is the theme that",
    'gives what the file leaves out, `authors` a list of colours for names. Each other key is a style such as `"bold',
    '#7aa2f7 on #16161e"`: colours as `#rrggbb` or by name, what is behind the text after `on`, and',
    `${ATTRIBUTES.join(", ")}.`,
    `Named colours: ${COLOURS.join(", ")}.`,
    "",
    table(
      ["key", "where it is met"],
      Object.entries(ROLES).map(([role, said]) => [`\`${role}\``, said]),
    ),
  ]
    .join("\n")
    .concat("\n");
}
