/** Prints docs/keys.md from the key tables and the action table. */
import { actionNames, actionRow, type ActionName, type KeyContext } from "../keys/action-table.ts";
import { words } from "../../text/words.ts";
import { showChord } from "../input/chord.ts";
import { KEY_TABLES } from "./key-tables.ts";
import { panelSections } from "../ports/panels.ts";
import { keysByBinding, type KeyProfile } from "../keys/lookup.ts";

/** The headings of the contexts, in the order of the help on the screen. */
const sections = (): Readonly<Record<KeyContext, string>> => ({
  ...words.popups.sections,
  ...panelSections(),
});

const NOTES: Readonly<Record<string, string>> = {
  browse:
    "What others would see (delete, edit, pin, the first reaction, a vote) takes its letter twice, or Enter after it, within two seconds. Letters typed in a row are a text and move to the box; there the first Enter does not send it.",
  normal: "These come besides those of writing. Esc leads there from a text, and on to browsing.",
};

/** The note of the place in this profile. */
const noteOf = (context: string, profile: KeyProfile): string | undefined =>
  profile === "minimal" && context === "browse"
    ? "Letters are text: they go to the box at once. A digit that votes or presses a button is pressed twice, or followed by Enter."
    : NOTES[context];

const PROFILES: Readonly<Record<KeyProfile, string>> = {
  default: "Default",
  vim: "Vim",
  emacs: "Emacs",
  minimal: "Minimal",
};

const show = (chords: string): string => `\`${chords.split(" ").map(showChord).join(" ")}\``;

/** The keys of one context as a Markdown table, one row per action. */
function table(profile: KeyProfile, context: KeyContext): string {
  const rows = [...keysByBinding(KEY_TABLES[profile][context] ?? {})].map(([binding, keys]) => {
    const title = binding.startsWith("/") ? `Runs \`${binding}\`` : actionRow(binding as ActionName).title;
    return `| ${keys.map(show).join(" ")} | ${title} |`;
  });
  return ["| keys | what they do |", "|---|---|", ...rows].join("\n");
}

const ownKeysSection =
  (): string => `The file \`keys.conf\` beside the config file (\`parley config path\`; \`/keys\` opens it) lays keys of your own over those of
the profile, a line each: where, keys, what they do. \`/keys browse g r reply\` writes such a line. Keys are written as here, or
\`C-k\`, \`^K\`, \`ctrl+k\`; several with blanks between them are pressed one after the other. What they do is a name of the
table, a line such as \`/status at lunch\`, or \`none\`. Up to 20 steps have a semicolon with blanks between them, are done one after
the other, and may belong to any place but the first; \`wait 500ms\` is a pause, which another key ends together with the rest. A step
that asks a question is the last one done. An extension is bound as \`/NAME\`. The file is read again when it changes; a fault is told with its line,
by a notice and by \`parley doctor\`. Where: \`anywhere\`, ${(Object.keys(sections()) as KeyContext[])
    .filter((context) => context !== "global")
    .map((context) => `\`${context}\``)
    .join(", ")}.

\`\`\`
anywhere  Ctrl-Y     goto
browse    g r        reply
write     Ctrl-X s   /reminder list
browse    d          none
anywhere  F6         /mute 1h ; nextUnread
\`\`\``;

const actionRows = (): string[] =>
  actionNames.map((name) => {
    const { title, contexts } = actionRow(name);
    const places = contexts.map((context) => (context === "global" ? "anywhere" : context)).join(", ");
    return `| \`${name}\` | ${title} | ${places} |`;
  });

const profileParts = (profile: KeyProfile): string[] => [
  `## ${PROFILES[profile]}`,
  ...(Object.keys(sections()) as KeyContext[])
    .filter((context) => Object.keys(KEY_TABLES[profile][context] ?? {}).length > 0)
    .flatMap((context) => {
      const note = noteOf(context, profile);
      return [`### ${sections()[context]}`, ...(note === undefined ? [] : [note]), table(profile, context)];
    }),
];

export function keysPage(): string {
  const parts = [
    "# Keys",
    "Printed from the key tables by `npm run docs`; a test compares. The profile is the setting `keys` (`parley config set keys vim`). F1 shows the keys of the screen as it is.",
    "Where letters are keys, a letter of another alphabet (Cyrillic, Greek, Hebrew, Arabic, Thai, Georgian, Korean, Devanagari) is the key in its place on the keyboard: `о` is `j`. Of the Cyrillic keyboards the setting `keys.layout` chooses one; with `us` such letters are always text.",
  ];
  for (const profile of Object.keys(PROFILES) as KeyProfile[]) parts.push(...profileParts(profile));
  parts.push(
    "## Your own keys",
    ownKeysSection(),
    ["| name | what it does | where |", "|---|---|---|", ...actionRows()].join("\n"),
  );
  return `${parts.join("\n\n")}\n`;
}
