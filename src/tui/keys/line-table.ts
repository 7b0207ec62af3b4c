/** The table of slash commands that exist only in the composer, for completion, the palette and help. */
import { findCommand } from "../../commands/line.ts";

/** What the arguments are completed from. */
export type Takes = "snippet" | "user" | "channel" | "file" | "attached" | "theme" | "profile" | "setting";

interface LineRow {
  /** Description for completion, palette and help. */
  readonly words: string;
  /** The usage of its arguments. */
  readonly args?: string;
  readonly takes?: Takes;
  /** Only without arguments; with arguments the line is a Parley command or one of the provider. */
  readonly alone?: true;
  /** It needs arguments: chosen from a list, it is put into the composer to be completed. */
  readonly wants?: true;
}

const line = (words: string, more: Omit<LineRow, "words"> = {}): LineRow => ({ words, ...more });

const LINES = {
  help: line("Show the keys and what can be written", { args: "[WORD]" }),
  campaigns: line("Campaigns of the app, where the profile holds its secret; a name watches that one", {
    args: "[ID]",
  }),
  tour: line("A tour of two minutes, or what is done of it; off ends it", { args: "[off]" }),
  quit: line("Leave Parley"),
  search: line("Search all channels, or open the search", { args: "[WORDS]" }),
  dm: line("Open the direct channel with somebody, or with several; words behind the names are sent", {
    args: "@user [@user] [TEXT]",
    takes: "user",
    wants: true,
  }),
  go: line("Go to a channel, a person or a view; alone by a list", { args: "[NAME]", takes: "channel" }),
  who: line("Who is in this channel; with a name who that is", { args: "[@user]", takes: "user" }),
  join: line("Become a member of a channel and open it; alone a list of those that are open", {
    args: "[#channel]",
    takes: "channel",
  }),
  leave: line("Leave this channel; asks first", { alone: true }),
  invite: line("Add people to this channel; alone by a form", { args: "[@user]", takes: "user" }),
  topic: line("What this channel is about, or change it; - takes it away", { args: "[TEXT]" }),
  mute: line("Mute this channel, for a time or until you take it back", { args: "[TIME]" }),
  unmute: line("Hear this channel again", { alone: true }),
  section: line("The section of the list that this channel stands in; - takes it out", { args: "[NAME]" }),
  schedule: line("Send it at a time; alone what waits for its time", { args: "[TIME TEXT]" }),
  new: line("Make a channel, by a form", { args: "[NAME]" }),
  rename: line("Change the name of this channel; alone name, topic and picture by a form", {
    args: "[NAME]",
  }),
  me: line("Your name, status and picture, by a form; words behind it say in italics what you do", {
    args: "[TEXT]",
  }),
  reconnect: line("Connect again now", { alone: true }),
  profile: line("Go to another profile, or choose one", { args: "[NAME]", takes: "profile" }),
  login: line("Sign in to a provider, by a form: another one, or this one again"),
  nick: line("Change the name that others see", { args: "NAME", wants: true }),
  theme: line("Choose the colours of the screen, or take the theme that is named", {
    args: "[NAME]",
    takes: "theme",
  }),
  dnd: line("No notices for a time; off ends it", { args: "[2h, 18:30 or off]" }),
  notify: line("What this channel may tell: all, mentions, none or default", { args: "[LEVEL]" }),
  status: line("Words that others see beside your name; nothing takes them away", { args: "[TEXT]" }),
  keys: line("Change your own keys in $EDITOR, or give keys a meaning", {
    args: "[WHERE KEYS ACTION]",
  }),
  settings: line("See and change the settings", { args: "[NAME [VALUE]]", takes: "setting" }),
  attach: line("Attach files to the message; alone from a list", { args: "[FILE] [FILE]", takes: "file" }),
  detach: line("Take files and link previews off again", { args: "[NAME]", takes: "attached" }),
  snippet: line("Put in a text of your own; add, remove and list manage them", {
    args: "[NAME | add NAME TEXT | remove NAME]",
    takes: "snippet",
  }),
  files: line("The files, pictures and links of this channel"),
  poll: line("Ask in a poll, by a form", { args: "[QUESTION]" }),
  location: line("Share where you are: a place, or live for a while", { alone: true }),
  inbox: line("What waits for you: mentions, direct and unread channels", { alone: true }),
  threads: line("The threads you take part in", { alone: true }),
  later: line("Your reminders and what you saved for later", { alone: true }),
  react: line("React to the message with an emoji of a list", { alone: true }),
  quote: line("Quote the message", { alone: true }),
  copy: line("Copy the text of the message", { alone: true }),
  undo: line("Take back the last pin, reaction or delete", { alone: true }),
  reply: line("Answer the message in its thread", { alone: true }),
  edit: line("Edit my last message", { alone: true }),
  forward: line("Forward the message to a channel or a person; alone by a list", {
    args: "[#channel or @user]",
  }),
  save: line("Save the message for later, or take it out again", { alone: true }),
  remind: line("Be reminded of the message at a time; alone by a list", { args: "[TIME]" }),
  translate: line("Translate the message, or show its original", { alone: true }),
  report: line("Report the message to the moderators, for a reason of a list", { alone: true }),
  flag: line("Report the message, for a reason of a list; with a name that person", {
    args: "[@user]",
    takes: "user",
    alone: true,
  }),
  vote: line("Vote in the poll, or change my vote", { alone: true }),
  pins: line("The pinned messages of this channel", { alone: true }),
  drafts: line("Where something is written and not sent", { alone: true }),
} as const satisfies Record<string, LineRow>;

export type LineName = keyof typeof LINES;

export const lineNames = Object.keys(LINES) as LineName[];

export const lineRow = (name: LineName): LineRow => LINES[name];

/** The detail shown in a completion list: usage and description. */
export const lineHint = (name: LineName): string => {
  const { args, words } = lineRow(name);
  return args === undefined ? words : `${args} · ${words}`;
};

/** `/poll create …` and `/remind ID --in 2h` are Parley commands that begin like a line of this table. */
const isCommandOfThat = (name: LineName, rest: string): boolean =>
  (name === "poll" && findCommand(`poll ${rest}`) !== undefined) ||
  (name === "remind" && /(^|\s)--[a-z]/.test(rest));

/** Tells `/mute 2h`, `/unmute` and `/flag` apart from the provider's commands of the same name, which take `@user`. */
const isOurs = (name: LineName, rest: string): boolean =>
  (name === "mute" && !rest.startsWith("@")) || ((name === "unmute" || name === "flag") && rest === "");

/** Whether a line exists besides a provider command of the same name. */
export const hasOwnMeaning = (name: string): name is LineName =>
  Object.hasOwn(LINES, name) && isOurs(name as LineName, "");

/** Parley commands that, without arguments, open the same form, list or view as a line. */
const ALONE: Readonly<Record<string, LineName>> = {
  "poll create": "poll",
  "channel create": "new",
  "location share": "location",
  "thread list": "threads",
  "reminder list": "later",
  reminders: "later",
  "member list": "who",
  members: "who",
  unread: "inbox",
};

/** Parses a line of this table; `theirs` are the provider's commands, which take precedence over a line of that name. */
export function lineIn(
  text: string,
  theirs: readonly string[],
): { name: LineName; rest: string } | undefined {
  const found = /^\/([a-z]+)(?:\s+([\s\S]*))?$/i.exec(text.trim());
  const name = found?.[1]!.toLowerCase() ?? "";
  const rest = found?.[2] ?? "";
  const asked = `${name} ${rest}`.trim();
  if (Object.hasOwn(ALONE, asked)) return { name: ALONE[asked]!, rest: "" };
  if (!Object.hasOwn(LINES, name)) return undefined;
  const known = name as LineName;
  if (rest !== "" && (lineRow(known).alone || isCommandOfThat(known, rest))) return undefined;
  return theirs.includes(known) && !isOurs(known, rest) ? undefined : { name: known, rest };
}
