/** Manual pages in roff: one for the program and one for each command, from the same tables as the help. */
import { flagName, flagRows, positionalRows } from "../../commands/base/args.ts";
import type { ArgRow } from "../../commands/base/define-command.ts";
import type { CommandTree } from "../base/command-tree.ts";
import { EXITS } from "../base/exit.ts";
import { GLOBALS } from "../base/globals.ts";
import { examplesOf, groups, usageOf } from "./help.ts";

const escapeRoff = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replaceAll("`", "\\(ga")
    .replace(/^\./gm, "\\&.")
    .replace(/[^\n -~]/gu, (c) => `\\[u${c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`);

/** A bold term with its explanation. */
const item = (term: string, words: string): string => `.TP\n.B ${escapeRoff(term)}\n${escapeRoff(words)}`;

const head = (name: string, version: string): string =>
  `.TH "${name.toUpperCase()}" "1" "" "parley ${version}" ""`;

const pageOf = (path: string): string => `parley-${path.replaceAll(" ", "-")}`;

/** `-s, --since <time>`, as in the help. */
function flagTerm(name: string, { short, kind, value, choices }: ArgRow): string {
  const shownValue = kind === "flag" ? "" : ` <${value ?? choices?.join("|") ?? kind}>`;
  return `${short ? `-${short}, ` : ""}--${flagName(name)}${shownValue}`;
}

function commandPage(tree: CommandTree, path: string, version: string): string {
  const { summary, args } = tree.definition(path);
  const positionals = positionalRows(args);
  const flags = flagRows(args);
  const examples = examplesOf(tree, path);
  return [
    head(pageOf(path), version),
    `.SH NAME\n${escapeRoff(pageOf(path))} \\- ${escapeRoff(summary)}`,
    `.SH SYNOPSIS\n.B ${escapeRoff(usageOf(tree, path))}`,
    ...(tree.needsSecret(path) ? [".SH DESCRIPTION\nNeeds the app\\(aqs secret: see parley help ops."] : []),
    ...(positionals.length
      ? [".SH ARGUMENTS", ...positionals.map(([name, row]) => item(flagName(name), row.help))]
      : []),
    ...(flags.length
      ? [".SH OPTIONS", ...flags.map(([name, row]) => item(flagTerm(name, row), row.help))]
      : []),
    ...(examples.length ? [`.SH EXAMPLES\n.nf\n${examples.map(escapeRoff).join("\n")}\n.fi`] : []),
    ".SH SEE ALSO\n.BR parley (1)",
  ]
    .join("\n")
    .concat("\n");
}

function programPage(tree: CommandTree, version: string): string {
  const all = tree.visiblePaths();
  const blocks = groups(tree).flatMap(({ title, words }) => [
    `.SS ${escapeRoff(title)}`,
    ...words
      .flatMap((word) => all.filter((path) => path === word || path.startsWith(`${word} `)))
      .map((path) => item(pageOf(path), tree.definition(path).summary)),
  ]);
  return [
    head("parley", version),
    ".SH NAME\nparley \\- chat in the terminal, for people and for scripts",
    ".SH SYNOPSIS\n.B parley\n[flags]\n.br\n.B parley\n<command> [flags]",
    ".SH COMMANDS\nEach has a page of its own.",
    ...blocks,
    ".SH OPTIONS\nOf every command.",
    ...GLOBALS.map(({ flags, help }) => item(flags, help)),
    ".SH EXIT STATUS",
    ...EXITS.map(({ code, words }) => item(String(code), words)),
  ]
    .join("\n")
    .concat("\n");
}

/** The name (without section) and text of every page. */
export const manPages = (tree: CommandTree, version: string): [name: string, text: string][] => [
  ["parley", programPage(tree, version)],
  ...tree.visiblePaths().map((path): [string, string] => [pageOf(path), commandPage(tree, path, version)]),
];
