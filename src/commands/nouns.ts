/** The nouns of commands: what each is about, where the help lists it, and its plural and short forms. */
import type { HelpGroup } from "./base/define-command.ts";

interface Noun {
  /** One sentence for the help, without a full stop. */
  summary: string;
  /** Nouns within a noun have none. */
  group?: HelpGroup;
  /** Plural and short forms. */
  aliases?: string;
  /** The order of its verbs in lists; those that are not named follow by name. */
  verbs?: string;
}

/** In the order of lists. */
const NOUN_TABLE: Readonly<Record<string, Noun>> = {
  message: {
    summary: "Read and write messages",
    group: "Talking",
    aliases: "messages msg",
    verbs: `send list get edit delete undelete history translate commit link open react unreact reactions replies pin
      unpin action flag unflag`,
  },
  channel: {
    summary: "Find, create and manage channels",
    group: "Talking",
    aliases: "channels",
    verbs: `list get create join leave hide unhide read unread mute unmute delete batch export set unset replace truncate
      freeze unfreeze pin unpin archive unarchive watchers read-state invite accept reject`,
  },
  member: {
    summary: "Manage the members of a channel",
    group: "People",
    aliases: "members",
    verbs: "list add remove role promote demote set ban shadow-ban unban",
  },
  user: {
    summary: "Find and manage people",
    group: "People",
    aliases: "users",
    verbs: `list get upsert set unset presence mute unmute muted block unblock blocked deactivate reactivate
      delete restore export guest revoke ban unban flag`,
  },
  thread: {
    summary: "Follow threads",
    group: "Talking",
    aliases: "threads",
    verbs: "list get reply read mark-unread set unset",
  },
  poll: {
    summary: "Create polls, vote and see results",
    group: "Talking",
    aliases: "polls",
    verbs: "create get results vote unvote votes close set delete list option",
  },
  "poll option": { summary: "Manage the options of a poll", verbs: "add set remove" },
  location: {
    summary: "Share your location",
    group: "Talking",
    aliases: "locations",
    verbs: "share update stop list",
  },
  draft: {
    summary: "Manage your drafts",
    group: "Talking",
    aliases: "drafts",
    verbs: "list get set delete",
  },
  outbox: {
    summary: "Manage messages waiting on this machine to be sent",
    group: "Talking",
    verbs: "list retry drop",
  },
  reminder: {
    summary: "Manage reminders and bookmarks",
    group: "Talking",
    aliases: "reminders",
    verbs: "set list remove",
  },
  moderation: {
    summary: "Review bans, flags and reports",
    group: "Moderation",
    verbs: "ban future-bans flags reports review queue act logs",
  },
  "moderation ban": { summary: "Inspect bans" },
  device: {
    summary: "Manage your push devices",
    group: "People",
    aliases: "devices",
    verbs: "list add remove",
  },
  push: {
    summary: "Manage push notifications",
    group: "People",
    verbs: "preferences template test provider",
  },
  "push template": {
    summary: "Render, store and switch the app's push templates",
    verbs: "list set enable disable render",
  },
  "push provider": { summary: "Manage the app's push providers", verbs: "list set delete" },
  app: { summary: "Manage the settings of the app", group: "Operations", verbs: "get set diff backup" },
  "channel-type": {
    summary: "Manage channel types and what their channels can do",
    group: "Operations",
    aliases: "channel-types",
    verbs: "list get create set delete",
  },
  role: {
    summary: "Manage the roles of users and members",
    group: "Operations",
    aliases: "roles",
    verbs: "list create delete",
  },
  permission: {
    summary: "Manage permissions and who has them",
    group: "Operations",
    aliases: "permissions",
    verbs: "list get create set delete grant revoke",
  },
  command: {
    summary: "Manage the app's own slash commands",
    group: "Operations",
    aliases: "commands",
    verbs: "list get create set delete",
  },
  blocklist: {
    summary: "Manage lists of words that messages are checked for",
    group: "Moderation",
    aliases: "blocklists",
    verbs: "list get create set delete",
  },
  import: {
    summary: "Import people, channels and messages; a started import cannot be cancelled",
    group: "Operations",
    aliases: "imports",
    verbs: "validate upload get list wait convert",
  },
  archive: {
    summary: "Keep archives of channels in a folder",
    group: "Talking",
    aliases: "archives",
    verbs: "create update verify stats show view search merge",
  },
  gdpr: {
    summary: "Export or delete everything held about a person, with a proof file",
    group: "Operations",
    verbs: "export delete",
  },
  task: {
    summary: "Follow the provider's background tasks",
    group: "Operations",
    aliases: "tasks",
    verbs: "get wait",
  },
  campaign: {
    summary: "Send one message to many people",
    group: "Operations",
    aliases: "campaigns",
    verbs: `new check preview test create set get list start schedule unschedule stop watch stats report continue
      clone diff delete optout`,
  },
  "campaign optout": {
    summary: "Manage the list of people who have opted out of campaigns",
    verbs: "list add remove",
  },
  segment: {
    summary: "Manage the audiences of campaigns",
    group: "Operations",
    aliases: "segments",
    verbs: "create set get list add remove targets has size diff sync delete",
  },
  event: { summary: "Send and listen to events", group: "Talking", aliases: "events" },
  link: { summary: "Preview links", group: "Talking", aliases: "links" },
  file: { summary: "Manage uploaded files", group: "Talking" },
  profile: { summary: "Manage profiles", group: "Setup", verbs: "list show data add use remove test" },
  config: { summary: "Manage settings", group: "Setup", verbs: "list get set unset edit explain path" },
  alias: { summary: "Manage aliases for command lines", group: "Setup", verbs: "set list remove" },
  extension: { summary: "Find your own commands: programs called parley-NAME", group: "Setup" },
  local: {
    summary: "Run and control the embedded provider",
    group: "Local",
    verbs: "start stop status reset token logs exec seed import export coverage fault clock robot snapshot",
  },
  "local fault": { summary: "Make requests fail, wait or break off", verbs: "add list clear" },
  "local clock": { summary: "Show and advance the embedded provider's clock", verbs: "show advance" },
  "local robot": {
    summary: "Make robots write, react, vote, type and move",
    verbs: "say react vote type move flood",
  },
  "local snapshot": {
    summary: "Save and restore snapshots of the embedded provider",
    verbs: "save load list delete",
  },
  screen: { summary: "Control an open chat screen", group: "Scripts" },
  audit: { summary: "Inspect the audit log of this machine", group: "Scripts" },
  webhook: {
    summary: "List and check the app's hooks; receive and replay webhooks here",
    group: "Scripts",
    verbs: "list check listen verify replay",
  },
  token: { summary: "Inspect tokens", group: "Scripts", verbs: "decode check" },
};

const rows = Object.entries(NOUN_TABLE);

const listed = (text = ""): string[] => text.split(/\s+/).filter(Boolean);

/** Plural and short forms of nouns. */
export const NOUNS: Readonly<Record<string, string>> = Object.fromEntries(
  rows.flatMap(([noun, { aliases }]) => listed(aliases).map((alias) => [alias, noun])),
);

/** Help text of each noun. */
export const NOUN_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  rows.map(([noun, { summary }]) => [noun, summary]),
);

export const groupOfNoun = (noun: string): HelpGroup | undefined =>
  Object.hasOwn(NOUN_TABLE, noun) ? NOUN_TABLE[noun]!.group : undefined;

/** Words in the order of a list of names; those that are not named follow by name. */
export function inOrder(words: readonly string[], names: readonly string[]): string[] {
  const rank = new Map(names.map((name, i) => [name, i]));
  const rankOf = (word: string): number => rank.get(word) ?? names.length;
  return words.toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

/** Paths of commands in the order of lists: by their nouns, then by the verbs of each; commands of one word are last. */
export function orderedPaths(paths: readonly string[], noun = ""): string[] {
  const start = noun && `${noun} `;
  const next = new Set(paths.map((path) => path.slice(start.length).split(" ", 1)[0]!));
  const names = noun === "" ? Object.keys(NOUN_TABLE) : listed(NOUN_TABLE[noun]?.verbs);
  return inOrder([...next], names).flatMap((word) => {
    const path = start + word;
    const below = paths.filter((one) => one.startsWith(`${path} `));
    return [...(paths.includes(path) ? [path] : []), ...(below.length ? orderedPaths(below, path) : [])];
  });
}
