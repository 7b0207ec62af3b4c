/** All commands by full name, plural nouns, help texts of nouns, and short names of the chat line. Must be cheap to import. */
import { archiveCommands } from "./archive/index.ts";
import { threadCommands } from "./thread/index.ts";
import { pollCommands } from "./poll/index.ts";
import { locationCommands } from "./location/index.ts";
import { outboxCommands } from "./outbox/index.ts";
import { draftCommands } from "./draft/index.ts";
import { reminderCommands } from "./reminder/index.ts";
import { moderationCommands } from "./moderation/index.ts";
import { deviceCommands } from "./device/index.ts";
import { pushCommands } from "./push/index.ts";
import { appCommands } from "./app/index.ts";
import { channelTypeCommands } from "./channel-type/index.ts";
import { roleCommands } from "./role/index.ts";
import { permissionCommands } from "./permission/index.ts";
import { commandCommands } from "./command/index.ts";
import { blocklistCommands } from "./blocklist/index.ts";
import { importCommands } from "./import/index.ts";
import { exportCommands } from "./export/index.ts";
import { gdprCommands } from "./gdpr/index.ts";
import { taskCommands } from "./task/index.ts";
import { campaignCommands } from "./campaign/index.ts";
import { segmentCommands } from "./segment/index.ts";
import { eventCommands } from "./event/index.ts";
import { fileCommands } from "./file/index.ts";
import { linkCommands } from "./link/index.ts";
import { channelCommands } from "./channel/index.ts";
import type { Command } from "./base/define-command.ts";
import { memberCommands } from "./member/index.ts";
import { messageCommands } from "./message/index.ts";
import apply from "./apply.ts";
import ask from "./ask.ts";
import limits from "./limits.ts";
import plan from "./plan.ts";
import unread from "./unread.ts";
import search from "./search.ts";
import upload from "./upload.ts";
import wait from "./wait.ts";
import { userCommands } from "./user/index.ts";

const all = {
  ...messageCommands,
  ...channelCommands,
  ...memberCommands,
  ...userCommands,
  ...threadCommands,
  ...pollCommands,
  ...locationCommands,
  ...draftCommands,
  ...outboxCommands,
  ...reminderCommands,
  ...moderationCommands,
  ...deviceCommands,
  ...pushCommands,
  ...appCommands,
  plan,
  apply,
  limits,
  ...channelTypeCommands,
  ...roleCommands,
  ...permissionCommands,
  ...commandCommands,
  ...blocklistCommands,
  ...importCommands,
  ...exportCommands,
  ...archiveCommands,
  ...gdprCommands,
  ...taskCommands,
  ...campaignCommands,
  ...segmentCommands,
  ...eventCommands,
  ...linkCommands,
  ...fileCommands,
  unread,
  search,
  upload,
  ask,
  wait,
};

/** Path such as `channel mute` → definition; argument types are erased, `fillArgs` checks them. */
export const commands: Readonly<Record<string, Command>> = all as unknown as Record<string, Command>;

/** Plural and short forms of nouns. */
export const NOUNS: Readonly<Record<string, string>> = {
  messages: "message",
  msg: "message",
  channels: "channel",
  members: "member",
  users: "user",
  tasks: "task",
  imports: "import",
  archives: "archive",
  campaigns: "campaign",
  segments: "segment",
  threads: "thread",
  links: "link",
  events: "event",
  devices: "device",
  polls: "poll",
  locations: "location",
  drafts: "draft",
  reminders: "reminder",
  "channel-types": "channel-type",
  roles: "role",
  permissions: "permission",
  commands: "command",
  blocklists: "blocklist",
};

/** Help text of each noun. */
export const NOUN_WORDS: Readonly<Record<string, string>> = {
  message: "Read and write messages",
  thread: "Follow threads",
  link: "Preview links",
  file: "Manage uploaded files",
  event: "Send and listen to events",
  channel: "Find, create and manage channels",
  member: "Manage the members of a channel",
  moderation: "Review bans, flags and reports",
  "moderation ban": "Inspect bans",
  user: "Find and manage people",
  device: "Manage your push devices",
  push: "Manage push notifications",
  "push provider": "Manage the app's push providers",
  app: "Manage the settings of the app",
  "channel-type": "Manage channel types and what their channels can do",
  role: "Manage the roles of users and members",
  permission: "Manage permissions and who has them",
  command: "Manage the app's own slash commands",
  blocklist: "Manage lists of words that messages are checked for",
  poll: "Create polls, vote and see results",
  "poll option": "Manage the options of a poll",
  location: "Share your location",
  draft: "Manage your drafts",
  outbox: "Manage messages waiting on this machine to be sent",
  reminder: "Manage reminders and bookmarks",
  campaign: "Send one message to many people",
  "campaign optout": "Manage the list of people who have opted out of campaigns",
  segment: "Manage the audiences of campaigns",
  import: "Import people, channels and messages; a started import cannot be cancelled",
  archive: "Keep archives of channels in a folder",
  gdpr: "Export or delete everything held about a person, with a proof file",
  task: "Follow the provider's background tasks",
};

/** Short names in the chat line (`/edit`); a provider command of the same name wins (specification/command-line.md §7). */
export const ALIASES: Readonly<Record<string, string>> = {
  edit: "message edit",
  delete: "message delete",
  react: "message react",
  unreact: "message unreact",
  pin: "message pin",
  unpin: "message unpin",
  replies: "message replies",
  reactions: "message reactions",
  translate: "message translate",
  reply: "thread reply",
  threads: "thread list",
  open: "message open",
  report: "message flag",
  preview: "link preview",
  channels: "channel list",
  create: "channel create",
  join: "channel join",
  leave: "channel leave",
  hide: "channel hide",
  show: "channel show",
  read: "channel read",
  "mark-unread": "channel unread",
  accept: "channel accept",
  reject: "channel reject",
  archive: "channel archive",
  unarchive: "channel unarchive",
  freeze: "channel freeze",
  unfreeze: "channel unfreeze",
  members: "member list",
  invite: "member add",
  remove: "member remove",
  users: "user list",
  whois: "user get",
  block: "user block",
  unblock: "user unblock",
  blocked: "user blocked",
  presence: "user presence",
  devices: "device list",
  share: "location share",
  vote: "poll vote",
  results: "poll results",
  polls: "poll list",
  drafts: "draft list",
  remind: "reminder set",
  reminders: "reminder list",
};
