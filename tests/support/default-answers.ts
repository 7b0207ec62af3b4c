/** Default answers of the provider in tests/commands/requests: one object of every kind, distinguishable by its values. */
const at = (hour: number): string => `2026-11-22T${String(hour).padStart(2, "0")}:00:00Z`;
const person = (id: string, name: string) => ({
  id,
  name,
  role: "user",
  created_at: at(1),
  updated_at: at(2),
  online: id === "ana",
  last_active: at(3),
});
const [mira, ana, bo] = [person("mira", "Mira"), person("ana", "Ana"), person("bo", "Bo")];
const poll = {
  id: "p",
  name: "Lunch?",
  options: ["Noodles", "Salad"].map((text, n) => ({ id: `o${n}`, text })),
  own_votes: [{ id: "v", option_id: "o0", poll_id: "p" }],
  allow_answers: true,
  created_by: mira,
  created_by_id: "mira",
  vote_count: 3,
  vote_counts_by_option: { o0: 2, o1: 1 },
  latest_votes_by_option: {},
  created_at: at(4),
  updated_at: at(5),
};
const channel = {
  cid: "messaging:ops",
  type: "messaging",
  id: "ops",
  name: "Ops",
  config: { commands: [], name: "messaging" },
  own_capabilities: [],
  member_count: 2,
  created_by: ana,
  last_message_at: at(6),
  created_at: at(1),
  updated_at: at(2),
};
const message = {
  id: "ana-7f3c",
  cid: channel.cid,
  text: "hi https://example.org/a",
  user: ana,
  poll,
  poll_id: "p",
  type: "regular",
  attachments: [{ type: "image", image_url: "https://example.com/a.png" }],
  mentioned_users: [],
  latest_reactions: [],
  own_reactions: [],
  created_at: at(6),
  updated_at: at(7),
  channel,
};
const other = {
  ...message,
  id: "bo-7f3c",
  user: bo,
  text: "two",
  poll: undefined,
  poll_id: undefined,
  created_at: at(8),
};
const member = (user: typeof mira, role: string) => ({
  user,
  user_id: user.id,
  channel_role: role,
  created_at: at(1),
  updated_at: at(2),
});
const state = {
  channel,
  messages: [message, other],
  members: [member(mira, "channel_moderator"), member(ana, "channel_member")],
  read: [
    { user: mira, unread_messages: 1, last_read: at(5), last_read_message_id: "ana-7f3c" },
    { user: ana, unread_messages: 0, last_read: at(9) },
  ],
  watchers: [ana],
  watcher_count: 1,
  pinned_messages: [],
  membership: member(mira, "channel_moderator"),
};
const campaign = {
  id: "spring",
  name: "Spring",
  status: "draft",
  message_template: { text: "hi" },
  sender_id: "mira",
  user_ids: ["bo"],
  segment_ids: ["testers"],
  stats: { progress: 0.5, stats_users_sent: 3, stats_messages_sent: 4, stats_channels_created: 5 },
  created_at: at(1),
  updated_at: at(2),
};
const task = {
  task_id: "t1",
  status: "completed",
  created_at: at(1),
  updated_at: at(2),
  result: { made: 1 },
};
const live = {
  message_id: "ana-7f3c",
  created_by_device_id: "phone",
  channel_cid: channel.cid,
  latitude: 52.1,
  longitude: 4.8,
  end_at: at(20),
};
const ban = {
  user: bo,
  banned_by: ana,
  reason: "spam",
  channel,
  created_at: at(3),
  expires: at(15),
  shadow: true,
};
const thread = {
  parent_message_id: message.id,
  parent_message: message,
  channel_cid: channel.cid,
  channel,
  title: "Lunch",
  reply_count: 4,
  participant_count: 2,
  last_message_at: at(8),
  created_by: ana,
  created_by_user_id: "ana",
  created_at: at(6),
  updated_at: at(8),
  read: [{ user: mira, unread_messages: 2, last_read: at(6) }],
};
const importTask = {
  id: "i1",
  path: "s3",
  mode: "upsert",
  state: "completed",
  created_at: at(1),
  updated_at: at(2),
  size: 50,
  result: {
    errors: [{ error: "no id" }],
    stats: { total: { users: 1, channels: 2, members: 3, messages: 4, reactions: 5 } },
  },
  history: [],
};
const type = {
  name: "team",
  commands: [{ name: "giphy" }],
  grants: { channel_member: ["create-message"] },
  replies: true,
  reactions: false,
  max_message_length: 5000,
  created_at: at(1),
  updated_at: at(2),
};

const EVERYTHING = {
  ...state,
  channels: [state],
  message,
  user: ana,
  users: [{ ...mira, mutes: [{ user: mira, target: bo, created_at: at(3), expires: at(16) }] }, ana, bo],
  poll,
  polls: [poll],
  poll_option: { id: "o0", text: "Noodles" },
  vote: { id: "v", option_id: "o0", poll_id: "p", user_id: "mira" },
  votes: [
    {
      id: "v",
      option_id: "o0",
      poll_id: "p",
      user_id: "ana",
      user: ana,
      created_at: at(4),
      updated_at: at(5),
    },
  ],
  campaign,
  campaigns: [campaign],
  segment: { id: "testers", type: "user", name: "Testers", description: "first", size: 7, created_at: at(1) },
  segments: [{ id: "testers", type: "user", name: "Testers", size: 7, created_at: at(1) }],
  targets: [{ segment_id: "testers", target_id: "bo", created_at: at(3) }],
  thread,
  threads: [thread],
  draft: { channel_cid: channel.cid, message: { id: "d", text: "draft" }, created_at: at(3) },
  drafts: [{ channel_cid: channel.cid, channel, message: { id: "d", text: "draft" }, created_at: at(3) }],
  reminder: {
    message_id: "ana-7f3c",
    channel_cid: channel.cid,
    remind_at: at(14),
    created_at: at(1),
    updated_at: at(2),
    message,
  },
  reminders: [
    {
      message_id: "ana-7f3c",
      channel_cid: channel.cid,
      remind_at: at(14),
      created_at: at(1),
      updated_at: at(2),
      message,
    },
    {
      message_id: "bo-7f3c",
      channel_cid: channel.cid,
      remind_at: null,
      created_at: at(1),
      updated_at: at(2),
    },
  ],
  permission: {
    id: "tidy-own",
    name: "Tidy",
    action: "DeleteMessage",
    custom: true,
    owner: true,
    same_team: false,
    level: "app",
    description: "",
    tags: [],
  },
  permissions: [
    {
      id: "tidy-own",
      name: "Tidy",
      action: "DeleteMessage",
      custom: true,
      owner: true,
      same_team: false,
      level: "app",
      description: "",
      tags: [],
    },
    {
      id: "create-message",
      name: "Create",
      action: "CreateMessage",
      custom: false,
      owner: false,
      same_team: true,
      level: "channel",
      description: "d",
      tags: [],
    },
  ],
  roles: [
    { name: "cook", custom: true, scopes: ["messaging", "team"], created_at: at(1), updated_at: at(2) },
    { name: "user", custom: false, scopes: [], created_at: at(1), updated_at: at(2) },
  ],
  role: { name: "cook", custom: true, scopes: [], created_at: at(1), updated_at: at(2) },
  command: { name: "ticket", description: "Open a ticket", args: "[text]", set: "own" },
  commands: [{ name: "ticket", description: "Open a ticket", args: "[text]", set: "own" }],
  blocklist: { name: "sweet", words: ["sugar", "honey"], type: "word", created_at: at(1), updated_at: at(2) },
  blocklists: [
    { name: "sweet", words: ["sugar", "honey"], type: "word", created_at: at(1), updated_at: at(2) },
  ],
  channel_types: { team: type },
  app: {
    name: "x",
    reminders_interval: 60,
    image_upload_config: { size_limit: 5, allowed: ["a"] },
    permission_version: "v1",
  },
  active_live_locations: [
    live,
    { ...live, message_id: "bo-7f3c", created_by_device_id: "tablet", channel_cid: "messaging:tea" },
  ],
  import_task: importTask,
  import_tasks: [importTask],
  flag: { id: "f" },
  flags: [{ message, user: mira, reason: "spam", reviewed_at: at(9), created_at: at(3), updated_at: at(4) }],
  flag_reports: [
    {
      id: "r",
      flags_count: 2,
      message,
      channel_cid: channel.cid,
      message_user_id: "ana",
      review_result: "kept",
      created_at: at(3),
      updated_at: at(4),
    },
  ],
  flag_report: { id: "r", review_result: "done" },
  channel_member: member(bo, "channel_member"),
  event: { type: "wave" },
  user_preferences: {
    mira: {
      chat_level: "mentions",
      call_level: "none",
      disabled_until: at(20),
      chat_preferences: { direct_mentions: "all" },
    },
  },
  user_channel_preferences: { mira: { "messaging:ops": { chat_level: "none" } } },
  live_location: live,
  bans: [ban],
  mutes: [{ user: mira, target: bo, created_at: at(3), expires: at(16) }],
  mute: { user: mira, target: bo, created_at: at(3) },
  blocks: [{ user_id: "mira", blocked_user_id: "bo", blocked_user: bo, created_at: at(3) }],
  blocked_user_ids: ["bo"],
  devices: [
    {
      id: "dev1",
      push_provider: "firebase",
      push_provider_name: "main",
      created_at: at(3),
      disabled: true,
      disabled_reason: "gone",
    },
  ],
  push_providers: [
    { type: "firebase", name: "main", created_at: at(3), updated_at: at(4), description: "d" },
  ],
  push_provider: { type: "firebase", name: "main" },
  results: [{ message }, { message: other }],
  reactions: [
    {
      type: "like",
      user: ana,
      user_id: "ana",
      score: 2,
      message_id: message.id,
      created_at: at(3),
      updated_at: at(3),
    },
  ],
  reaction: { type: "like", user_id: "mira", score: 1, message_id: message.id },
  message_history: [
    { message_id: message.id, message_updated_by_id: "ana", message_updated_at: at(3), text: "before" },
  ],
  total_unread_count: 5,
  total_unread_threads_count: 2,
};

const pushTemplate = {
  event_type: "message.new",
  enable_push: true,
  template: '{"aps":{}}',
  created_at: at(3),
  updated_at: at(4),
};

/** The default answer to one operation. */
export function defaultAnswer(op: string): Record<string, unknown> {
  switch (op) {
    case "DeleteChannels":
      return {
        task_id: "t1",
        result: { "messaging:ops": { status: "ok" }, "messaging:tea": { status: "error", error: "no" } },
      };
    case "UploadChannelFile":
    case "UploadFile":
    case "UploadImage":
    case "UploadChannelImage":
      return { file: "https://example.com/up" };
    case "UpdateLiveLocation":
      return live;
    case "GetReplies":
      return { messages: [{ ...other, parent_id: message.id }] };
    case "UpdateUsers":
    case "UpdateUsersPartial":
      return { users: { mira: { ...mira, invisible: true }, ana, bo } };
    case "UnreadCounts":
    case "GetUnread":
      return {
        total_unread_count: 5,
        total_unread_threads_count: 2,
        channels: [{ channel_id: "messaging:ops", unread_count: 5, last_read: at(3) }],
        threads: [{ parent_message_id: message.id, unread_count: 2, last_read: at(4) }],
      };
    case "GetPushTemplates":
      return { templates: [pushTemplate] };
    case "UpsertPushTemplate":
      return { template: pushTemplate };
    case "GetTask":
      return task;
    case "GetRateLimits":
      return {
        server_side: { SendMessage: { limit: 60, remaining: 59, reset: 1_800_000_000 } },
        web: { SendMessage: { limit: 50, remaining: 50, reset: 1_800_000_000 } },
      };
    case "GetChannelType":
    case "UpdateChannelType":
    case "CreateChannelType":
      return type;
    case "GetCommand":
      return { name: "ticket", description: "Open a ticket", args: "[text]", set: "own" };
    case "GetOG":
      return {
        og_scrape_url: "https://example.org/",
        title: "T",
        text: "x",
        type: "article",
        image_url: "https://example.org/i.png",
      };
    default:
      return {
        ...EVERYTHING,
        ...(/Export|Delete|Deactivate|Reactivate|Restore|Batch|Upsert|Import/.test(op)
          ? { task_id: "t1" }
          : {}),
      };
  }
}
