/** The table of slash commands that exist only in the composer, for completion, the palette and help. */
import { findCommand } from "../../commands/line.ts";

/** What the arguments are completed from. */
export type CompletionSource =
  | "snippet"
  | "user"
  | "channel"
  | "file"
  | "attached"
  | "theme"
  | "profile"
  | "setting";

interface LineRow {
  /** Description for completion, palette and help. */
  readonly summary: string;
  /** The usage of its arguments. */
  readonly args?: string;
  readonly completes?: CompletionSource;
  /** Only without arguments; with arguments the line is a Parley command or one of the provider. */
  readonly withoutArguments?: true;
  /** It needs arguments: chosen from a list, it is put into the composer to be completed. */
  readonly needsArguments?: true;
}

const line = (words: string, more: Omit<LineRow, "summary"> = {}): LineRow => ({ summary: words, ...more });

const LINES = {
  help: line("Show the keys and the commands of the box", { args: "[WORD]" }),
  campaigns: line("Campaigns of the app, if the profile has its secret; with an id watch that one", {
    args: "[ID]",
  }),
  tour: line("A two-minute tour and your progress; off ends it", { args: "[off]" }),
  quit: line("Quit Parley"),
  search: line("Search all channels, or open the search", { args: "[WORDS]" }),
  dm: line("Open the direct channel with one person or several; text after the names is sent", {
    args: "@user [@user] [TEXT]",
    completes: "user",
    needsArguments: true,
  }),
  go: line("Go to a channel, a person or a view; alone shows a list", {
    args: "[NAME]",
    completes: "channel",
  }),
  who: line("Who is in this channel; with a name, about that person", { args: "[@user]", completes: "user" }),
  join: line("Join a channel and open it; alone lists open channels", {
    args: "[#channel]",
    completes: "channel",
  }),
  leave: line("Leave this channel; asks first", { withoutArguments: true }),
  invite: line("Add people to this channel; alone opens a form", { args: "[@user]", completes: "user" }),
  topic: line("Show or change the topic of this channel; - removes it", { args: "[TEXT]" }),
  mute: line("Mute this channel, for a time or until you unmute it", { args: "[TIME]" }),
  unmute: line("Unmute this channel", { withoutArguments: true }),
  section: line("Put this channel in a section of the list; - takes it out", { args: "[NAME]" }),
  schedule: line("Send a message at a time; alone lists scheduled messages", { args: "[TIME TEXT]" }),
  new: line("Make a channel, in a form", { args: "[NAME]" }),
  rename: line("Rename this channel; alone opens a form for name, topic and picture", {
    args: "[NAME]",
  }),
  me: line("Your name, status and picture; with text, say in italics what you do", {
    args: "[TEXT]",
  }),
  reconnect: line("Reconnect now", { withoutArguments: true }),
  profile: line("Go to another profile, or choose one", { args: "[NAME]", completes: "profile" }),
  login: line("Sign in to a provider: another one, or this one again"),
  nick: line("Change the name that others see", { args: "NAME", needsArguments: true }),
  theme: line("Choose the theme of the screen, or set the one you name", {
    args: "[NAME]",
    completes: "theme",
  }),
  dnd: line("No notifications for a time; off ends it", { args: "[2h, 18:30 or off]" }),
  notify: line("Notifications for this channel: all, mentions, none or default", { args: "[LEVEL]" }),
  status: line("Set the status beside your name; without text, clear it", { args: "[TEXT]" }),
  keys: line("Edit your own keys in $EDITOR, or bind keys to an action", {
    args: "[WHERE KEYS ACTION]",
  }),
  settings: line("See and change the settings", { args: "[NAME [VALUE]]", completes: "setting" }),
  attach: line("Attach files to the message; alone shows a list", {
    args: "[FILE] [FILE]",
    completes: "file",
  }),
  detach: line("Remove files and link previews from the message", { args: "[NAME]", completes: "attached" }),
  snippet: line("Insert a text of your own; add, remove and list manage them", {
    args: "[NAME | add NAME TEXT | remove NAME]",
    completes: "snippet",
  }),
  files: line("The files, pictures and links of this channel"),
  poll: line("New poll, in a form", { args: "[QUESTION]" }),
  location: line("Share where you are: a place, or live for a while", { withoutArguments: true }),
  inbox: line("Inbox: mentions, direct and unread channels", { withoutArguments: true }),
  threads: line("The threads you take part in", { withoutArguments: true }),
  later: line("Your reminders and what you saved for later", { withoutArguments: true }),
  react: line("React to the message with an emoji from a list", { withoutArguments: true }),
  quote: line("Quote the message", { withoutArguments: true }),
  copy: line("Copy the text of the message", { withoutArguments: true }),
  undo: line("Undo the last pin, reaction or delete", { withoutArguments: true }),
  reply: line("Reply to the message in its thread", { withoutArguments: true }),
  edit: line("Edit my last message", { withoutArguments: true }),
  forward: line("Forward the message to a channel or a person; alone shows a list", {
    args: "[#channel or @user]",
  }),
  save: line("Save the message for later, or remove it from Later", { withoutArguments: true }),
  remind: line("Be reminded of the message at a time; alone shows a list", { args: "[TIME]" }),
  translate: line("Translate the message, or show its original", { withoutArguments: true }),
  report: line("Report the message to the moderators, with a reason from a list", { withoutArguments: true }),
  flag: line("Report the message, with a reason from a list; with a name, that person", {
    args: "[@user]",
    completes: "user",
    withoutArguments: true,
  }),
  vote: line("Vote in the poll, or change my vote", { withoutArguments: true }),
  pins: line("The pinned messages of this channel", { withoutArguments: true }),
  drafts: line("Drafts: texts you have not sent", { withoutArguments: true }),
} as const satisfies Record<string, LineRow>;

export type LineName = keyof typeof LINES;

export const lineNames = Object.keys(LINES) as LineName[];

export const lineRow = (name: LineName): LineRow => LINES[name];

/** The detail shown in a completion list: usage and description. */
export const lineHint = (name: LineName): string => {
  const { args, summary } = lineRow(name);
  return args === undefined ? summary : `${args} · ${summary}`;
};

/** `/poll create …` and `/remind ID --in 2h` are Parley commands that begin like a line of this table. */
const isParleyCommand = (name: LineName, rest: string): boolean =>
  (name === "poll" && findCommand(`poll ${rest}`) !== undefined) ||
  (name === "remind" && /(^|\s)--[a-z]/.test(rest));

/** Tells `/mute 2h`, `/unmute` and `/flag` apart from the provider's commands of the same name, which take `@user`. */
const isScreenLine = (name: LineName, rest: string): boolean =>
  (name === "mute" && !rest.startsWith("@")) || ((name === "unmute" || name === "flag") && rest === "");

/** Whether a line exists besides a provider command of the same name. */
export const coexistsWithProvider = (name: string): name is LineName =>
  Object.hasOwn(LINES, name) && isScreenLine(name as LineName, "");

/** Parley commands that, without arguments, open the same form, list or view as a line. */
const LINE_OF_COMMAND: Readonly<Record<string, LineName>> = {
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

/** Parses a line of this table; a provider command of the same name takes precedence. */
export function parseBoxLine(
  text: string,
  providerCommands: readonly string[],
): { name: LineName; rest: string } | undefined {
  const found = /^\/([a-z]+)(?:\s+([\s\S]*))?$/i.exec(text.trim());
  const name = found?.[1]!.toLowerCase() ?? "";
  const rest = found?.[2] ?? "";
  const whole = `${name} ${rest}`.trim();
  if (Object.hasOwn(LINE_OF_COMMAND, whole)) return { name: LINE_OF_COMMAND[whole]!, rest: "" };
  if (!Object.hasOwn(LINES, name)) return undefined;
  const known = name as LineName;
  if (rest !== "" && (lineRow(known).withoutArguments || isParleyCommand(known, rest))) return undefined;
  return providerCommands.includes(known) && !isScreenLine(known, rest) ? undefined : { name: known, rest };
}
