/** The table of slash commands that exist only in the composer, for completion, the palette and help. */
import { findCommand } from "../../commands/line.ts";

/** What the arguments are completed from. */
export type CompletionSource =
  | "snippet"
  | "user"
  | "member"
  | "channel"
  | "file"
  | "attached"
  | "theme"
  | "profile"
  | "setting"
  | "keyLine";

interface ComposerCommand {
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

const command = (summary: string, options: Omit<ComposerCommand, "summary"> = {}): ComposerCommand => ({
  summary,
  ...options,
});

const COMPOSER_COMMANDS = {
  help: command("Show the keys and the commands of the box", { args: "[WORD]" }),
  campaigns: command("Campaigns of the app, if the profile has its secret; with an id watch that one", {
    args: "[ID]",
  }),
  tour: command("A two-minute tour and your progress; off ends it", { args: "[off]" }),
  quit: command("Quit Parley"),
  search: command("Search all channels, or open the search", { args: "[WORDS]" }),
  dm: command("Open the direct channel with one person or several; text after the names is sent", {
    args: "@user [@user] [TEXT]",
    completes: "user",
    needsArguments: true,
  }),
  only: command("Write to some members only, until /only - ends it; text after the names is sent", {
    args: "@user [@user] [TEXT] or -",
    completes: "member",
    needsArguments: true,
  }),
  go: command("Go to a channel, a person or a view; alone shows a list", {
    args: "[NAME]",
    completes: "channel",
  }),
  split: command("Two channels side by side: this one and another; alone closes the half without the focus", {
    args: "[#channel]",
    completes: "channel",
  }),
  who: command("Who is in this channel; with a name, about that person", {
    args: "[@user]",
    completes: "user",
  }),
  join: command("Join a channel and open it; alone lists open channels", {
    args: "[#channel]",
    completes: "channel",
  }),
  leave: command("Leave this channel; asks first", { withoutArguments: true }),
  invite: command("Add people to this channel; alone opens a form", { args: "[@user]", completes: "user" }),
  topic: command("Show or change the topic of this channel; - removes it", { args: "[TEXT]" }),
  mute: command("Mute this channel, for a time or until you unmute it", { args: "[TIME]" }),
  unmute: command("Unmute this channel", { withoutArguments: true }),
  section: command("Put this channel in a section of the list; - takes it out", { args: "[NAME]" }),
  schedule: command("Send a message at a time; alone lists scheduled messages", { args: "[TIME TEXT]" }),
  new: command("Make a channel, in a form", { args: "[NAME]" }),
  rename: command("Rename this channel; alone opens a form for name, topic and picture", {
    args: "[NAME]",
  }),
  me: command("Your name, status and picture; with text, say in italics what you do", {
    args: "[TEXT]",
  }),
  notices: command("Read the last notices again", { withoutArguments: true }),
  reconnect: command("Reconnect now", { withoutArguments: true }),
  profile: command("Go to another profile, or choose one", { args: "[NAME]", completes: "profile" }),
  login: command("Sign in to a provider: another one, or this one again"),
  nick: command("Change the name that others see", { args: "NAME", needsArguments: true }),
  theme: command("Choose the theme of the screen, or set the one you name", {
    args: "[NAME]",
    completes: "theme",
  }),
  dnd: command("No notifications for a time; off ends it", { args: "[2h, 18:30 or off]" }),
  notify: command("Notifications for this channel: all, mentions, none or default", { args: "[LEVEL]" }),
  status: command("Set the status beside your name; without text, clear it", { args: "[TEXT]" }),
  keys: command("Edit your own keys in $EDITOR, or bind keys to an action", {
    args: "[WHERE KEYS ACTION]",
    completes: "keyLine",
  }),
  settings: command("See and change the settings", { args: "[NAME [VALUE]]", completes: "setting" }),
  attach: command("Attach files to the message; alone shows a list", {
    args: "[FILE] [FILE]",
    completes: "file",
  }),
  detach: command("Remove files and link previews from the message", {
    args: "[NAME]",
    completes: "attached",
  }),
  snippet: command("Insert a text of your own; add, remove and list manage them", {
    args: "[NAME | add NAME TEXT | remove NAME]",
    completes: "snippet",
  }),
  files: command("The files, pictures and links of this channel"),
  poll: command("New poll, in a form", { args: "[QUESTION]" }),
  location: command("Share where you are: a place, or live for a while", { withoutArguments: true }),
  inbox: command("Inbox: mentions, direct and unread channels", { withoutArguments: true }),
  threads: command("The threads you take part in", { withoutArguments: true }),
  later: command("Your reminders and what you saved for later", { withoutArguments: true }),
  react: command("React to the message with an emoji from a list", { withoutArguments: true }),
  quote: command("Quote the message", { withoutArguments: true }),
  copy: command("Copy the text of the message", { withoutArguments: true }),
  undo: command("Undo the last pin, reaction or delete", { withoutArguments: true }),
  reply: command("Reply to the message in its thread", { withoutArguments: true }),
  edit: command("Edit my last message", { withoutArguments: true }),
  forward: command("Forward the message to a channel or a person; alone shows a list", {
    args: "[#channel or @user]",
  }),
  save: command("Save the message for later, or remove it from Later", { withoutArguments: true }),
  remind: command("Be reminded of the message at a time; alone shows a list", { args: "[TIME]" }),
  translate: command("Translate the message, or show its original", { withoutArguments: true }),
  report: command("Report the message to the moderators, with a reason from a list", {
    withoutArguments: true,
  }),
  flag: command("Report the message, with a reason from a list; with a name, that person", {
    args: "[@user]",
    completes: "user",
    withoutArguments: true,
  }),
  vote: command("Vote in the poll, or change my vote", { withoutArguments: true }),
  pins: command("The pinned messages of this channel", { withoutArguments: true }),
  drafts: command("Drafts: texts you have not sent", { withoutArguments: true }),
} as const satisfies Record<string, ComposerCommand>;

export type ComposerCommandName = keyof typeof COMPOSER_COMMANDS;

export const composerCommandNames = Object.keys(COMPOSER_COMMANDS) as ComposerCommandName[];

export const composerCommand = (name: ComposerCommandName): ComposerCommand => COMPOSER_COMMANDS[name];

/** The detail shown in a completion list: usage and description. */
export const composerCommandHint = (name: ComposerCommandName): string => {
  const { args, summary } = composerCommand(name);
  return args === undefined ? summary : `${args} · ${summary}`;
};

/** `/poll create …` and `/remind ID --in 2h` are Parley commands that begin like one of this table. */
const isParleyCommand = (name: ComposerCommandName, rest: string): boolean =>
  (name === "poll" && findCommand(`poll ${rest}`) !== undefined) ||
  (name === "remind" && /(^|\s)--[a-z]/.test(rest));

/** Tells `/mute 2h`, `/unmute` and `/flag` apart from the provider's commands of the same name, which take `@user`. */
const takesPrecedence = (name: ComposerCommandName, rest: string): boolean =>
  (name === "mute" && !rest.startsWith("@")) || ((name === "unmute" || name === "flag") && rest === "");

/** Whether the command exists besides a provider command of the same name. */
export const coexistsWithProvider = (name: string): name is ComposerCommandName =>
  Object.hasOwn(COMPOSER_COMMANDS, name) && takesPrecedence(name as ComposerCommandName, "");

/** Parley commands that, without arguments, open the same form, list or view as a command of this table. */
const EQUIVALENT_COMMANDS: Readonly<Record<string, ComposerCommandName>> = {
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

/** Parses a command of this table; a provider command of the same name takes precedence. */
export function parseComposerCommand(
  text: string,
  providerCommands: readonly string[],
): { name: ComposerCommandName; rest: string } | undefined {
  const found = /^\/([a-z]+)(?:\s+([\s\S]*))?$/i.exec(text.trim());
  const name = found?.[1]!.toLowerCase() ?? "";
  const rest = found?.[2] ?? "";
  const whole = `${name} ${rest}`.trim();
  if (Object.hasOwn(EQUIVALENT_COMMANDS, whole)) return { name: EQUIVALENT_COMMANDS[whole]!, rest: "" };
  if (!Object.hasOwn(COMPOSER_COMMANDS, name)) return undefined;
  const known = name as ComposerCommandName;
  if (rest !== "" && (composerCommand(known).withoutArguments || isParleyCommand(known, rest)))
    return undefined;
  return providerCommands.includes(known) && !takesPrecedence(known, rest)
    ? undefined
    : { name: known, rest };
}
