/** Every number of the protocol, one name each; milliseconds unless the name says otherwise. */

/** Maximum number of upload attachments per message in the client. */
export const MAX_FILES_PER_MESSAGE = 10;
/** Upload size limit in bytes when `size_limit` is 0 or absent. */
export const DEFAULT_UPLOAD_SIZE_LIMIT = 104_857_600;
export const LINK_PREVIEW_DEBOUNCE = 1500;
/** The protocol of an address typed without one. */
export const LINK_DEFAULT_PROTOCOL = "https";
/** Client features that are on by default. */
export const FEATURE_DEFAULTS = {
  drafts: false,
  linkPreviews: false,
  locations: true,
  typing: true,
} as const;
export const TYPING_EXPIRY = 7000;
export const TYPING_START_THROTTLE = 2000;
export const CLEANING_INTERVAL = 500;
export const POLL_MIN_VOTES_ALLOWED = 2;
export const POLL_MAX_VOTES_ALLOWED = 10;
export const POLL_MAX_OPTIONS = 100;
export const LOCATION_MIN_DURATION = 60_000;
export const LOCATION_UPDATE_THROTTLE = 3000;
export const SUGGESTION_DEBOUNCE = 300;
/** Pages that a search on the screen reads at once to find a hit that no filter can name. */
export const NARROWED_PAGES = 10;
export const SUGGESTION_PAGE = 10;
export const MEMBERS_ALL_LOADED_BELOW = 100;
/** The score of a reaction without one. */
export const DEFAULT_REACTION_SCORE = 1;
export const NOTICE_DISPLAY = 3000;
/** How long a read of the command line waits for the provider's rate limit. */
export const RATE_PATIENCE = 90_000;
/** A person of a campaign by messages is looked at again when the last look is older. */
export const CAMPAIGN_LOOK = 60_000;
/** A campaign that waits looks at its next people after this time, which keeps an embedded provider awake. */
export const CAMPAIGN_WAIT_LOOK = 300_000;
/** How many notices are shown at once. */
export const NOTICES_SHOWN = 5;
export const REMINDER_OFFSETS = [120_000, 900_000, 1_800_000, 3_600_000, 14_400_000, 86_400_000] as const;
export const DEFAULT_PAGE = 10;
/** The client's queries for the thread list and for one thread (R-THREAD-1). */
export const THREAD_QUERY = { limit: 10, participant_limit: 10, reply_limit: 3 } as const;
export const THREAD_GET = { participant_limit: 100, reply_limit: 3 } as const;
export const REQUEST_TIMEOUT = 3000;
export const CONNECT_TIMEOUT = 15_000;
/** Connect timeout while the long-poll fallback is armed. */
export const CONNECT_TIMEOUT_WITH_FALLBACK = 6000;
export const MESSAGE_PAGE = 25;
export const RECOVERY_QUERY_LIMIT = 30;
/** Waits between attempts after n failures, from `min(max(low, (n − 1) · step), most)` to `min(high + step · n, most)`. */
export const RECONNECT_BACKOFF = { low: 250, high: 500, step: 2000, most: 25_000 } as const;
/** After this many closes in a row before a first frame, something on the way is assumed to block the link. */
export const CLOSES_UNTIL_NAMED = 3;
/** The delay between attempts in that case. */
export const ENDED_RETRY = 60_000;
export const PING_INTERVAL = 25_000;
/** The link is dead after PING_INTERVAL plus this time without a frame. */
export const DEATH_MARGIN = 10_000;
/** Deadline of an answer to a ping sent on suspicion (a failed call, a wake from sleep). */
export const SUSPICION_DEADLINE = 5000;
export const CLOSE_WAIT = 1000;
export const ONLINE_REOPEN_DELAY = 10;
export const LONGPOLL_HOLD = 25_000;
export const LONGPOLL_READ_TIMEOUT = 35_000;
export const LONGPOLL_OPEN_TIMEOUT = 6000;
export const LONGPOLL_SESSION_EXPIRY = 60_000;
export const LONGPOLL_QUEUE = 1000;
export const WEBSOCKET_RETRY_ON_LONGPOLL = 60_000;
export const TOKEN_REFRESH_ATTEMPTS = 5;
export const MARK_READ_THROTTLE = 1000;
/** How long a message is in sight, in a focused terminal, until it counts as read. */
export const READ_AFTER = 1000;
export const DELIVERED_THROTTLE = 1000;
export const DRAFT_LOCAL_DEBOUNCE = 250;
/** An extension of the message box is ended after this time, and when it has printed more than this. */
export const EXTENSION_TIME = 60_000;
export const EXTENSION_OUTPUT = 1_048_576;
/** One line of an extension goes into the box up to this length. */
export const EXTENSION_LINE = 500;
export const DRAFT_PROVIDER_DEBOUNCE = 1000;
/** An upload without progress for this long is failed. */
export const UPLOAD_STALL = 30_000;

export const CLOSE_NORMAL = 1000;
export const CLOSE_GOING_AWAY = 1001;
export const CLOSE_POLICY = 1008;
export const CLOSE_TOO_BIG = 1009;
export const CLOSE_INTERNAL = 1011;
export const CLOSE_TOO_MANY = 1013;

/** Provider: frame limits in bytes. */
export const CLIENT_FRAME_LIMIT = 64 * 1024;
export const PROVIDER_FRAME_LIMIT = 1024 * 1024;
/** Client: the largest frame it accepts. */
export const ACCEPTED_FRAME_LIMIT = 2 * 1024 * 1024;
export const JSON_BODY_LIMIT = 1024 * 1024;
export const HEADER_LIMIT = 16 * 1024;
export const LIST_ANSWER_LIMIT = 16 * 1024 * 1024;
export const JSON_DEPTH_LIMIT = 64;
export const JSON_NODE_LIMIT = 50_000;
export const JSON_KEY_LIMIT = 20_000;
export const MULTIPART_FIELD_LIMIT = 64 * 1024;
/** Characters of ids. */
export const USER_ID_LENGTH = 255;
export const CHANNEL_ID_LENGTH = 64;
export const CUSTOM_DATA_LIMIT = 5 * 1024;
export const ATTACHMENTS_JSON_LIMIT = 5 * 1024;
export const ATTACHMENTS_LIMIT = 30;
export const MENTIONS_LIMIT = 25;
export const DEFAULT_MAX_MESSAGE_LENGTH = 5000;
export const SILENT_SOCKET_LIMIT = 90_000;
export const HELLO_LIMIT = 30_000;
/** While a user is connected `last_active` is written this often. */
export const LAST_ACTIVE_REFRESH = 15 * 60_000;
export const HEALTH_INTERVAL = 30_000;
export const PRESENCE_GRACE = 5000;
export const SLOW_CONSUMER_QUEUE = 1000;
export const CONNECTIONS_PER_USER = 50;
/** Of all anonymous people together: half of the connections is left for members. */
export const CONNECTIONS_OF_ANONYMOUS = 450;
/** Maximum number of live connections, and of sockets of every kind; the difference leaves room for calls. */
export const CONNECTIONS_IN_ALL = 900;
export const SOCKETS_IN_ALL = 1000;
/** Files that one user may be sending at the same time. */
export const UPLOADS_PER_USER = 20;
/** A file that is sent, or fetched, moves at least this many bytes in each so many milliseconds. */
export const SLOWEST_FILE = { bytes: 30_000, within: 30_000 } as const;
/** Frames of any kind, pings and empty ones included, that a client may send in a minute, and parts of one frame. */
export const FRAMES_PER_MINUTE = 1000;
/** How long the body of a call may take to arrive, except for uploads. */
export const BODY_TIME = 30_000;
export const SYNC_CHANNELS = 255;
export const SYNC_EVENTS = 1000;
export const SYNC_AGE = 30 * 86_400_000;
export const EVENT_LOG_EVENTS = 100_000;
export const UNREAD_WINDOW = 100;
export const DELETED_FOR_ME_LIMIT = 100;
export const COOLDOWN_MAX_SECONDS = 120;
export const FILE_URL_LIFETIME_SECONDS = 1_209_600;
/** Unread reminders, seconds: `[default, least, most]` (specification/admin.md §1). */
export const REMINDERS_INTERVAL = [300, 60, 86_400] as const;
export const CHANNEL_TYPES_PER_APP = 50;
export const CUSTOM_ROLES_PER_APP = 25;
export const BLOCKLISTS_PER_APP = 15;
export const WORDS_PER_BLOCKLIST = 10_000;
export const BLOCKLIST_WORD_LENGTH = 40;
/** Time limit of hooks that are called before a message is stored. */
export const HOOK_ANSWER_LIMIT = 1000;
/** Waits before the second, third and fourth attempt of a webhook (specification/admin.md §12). */
export const WEBHOOK_RETRIES = [1000, 5000, 25_000] as const;
export const WEBHOOK_MEMBERS = 50;

/** Query limits: `[default, maximum]`; values above the maximum are clamped, below 1 refused (code 4). */
export const QUERY_CHANNELS_LIMIT = [10, 30] as const;
export const QUERY_MESSAGES_LIMIT = [25, 300] as const;
export const QUERY_MEMBERS_LIMIT = [100, 100] as const;
export const QUERY_USERS_LIMIT = [30, 100] as const;
export const SEARCH_LIMIT = [100, 100] as const;
export const CHANNEL_MEMBERS_LIMIT = [100, 300] as const;
export const CHANNEL_WATCHERS_LIMIT = [30, 10_000] as const;
export const REACTIONS_LIMIT = [10, 300] as const;
export const QUERY_REACTIONS_LIMIT = [25, 300] as const;
export const HISTORY_LIMIT = [10, 100] as const;
export const THREADS_LIMIT = [10, 30] as const;
export const THREAD_PARTICIPANTS_LIMIT = [100, 100] as const;
export const THREAD_REPLIES_LIMIT = [2, 100] as const;
export const THREAD_MEMBERS_LIMIT = [100, 100] as const;
/** Polls, votes, drafts and reminders. */
export const POLLS_LIMIT = [10, 100] as const;
export const DRAFTS_LIMIT = [10, 100] as const;
export const REMINDERS_LIMIT = [10, 100] as const;
export const REMINDERS_PER_USER = 250;
export const LATEST_VOTES = 10;
/** Characters of a poll's name and of an option. */
export const POLL_TEXT_LIMIT = 500;
export const ANSWER_LIMIT = 1000;
export const MAX_OFFSET = 1000;
/** Of the members in a channel's answer. */
export const MEMBERS_MAX_OFFSET = 10_000;
export const MEMBERS_PER_CALL = 100;
export const USERS_PER_CALL = 100;
export const DEVICES_PER_USER = 25;
export const PUSH_PROVIDERS_PER_APP = 25;
export const TEAMS_PER_USER = 250;
export const TEAM_NAME_BYTES = 100;
/** Users of a users query whose presence is reported with `presence: true`. */
export const PRESENCE_USERS = 30;
/** Other members of a watched channel whose presence is reported. */
export const PRESENCE_MEMBERS = 10;
/** Maximum number of messages, and of reactions, in the export of a user. */
export const USER_EXPORT_LIMIT = 10_000;
/** With more watchers, typing events are not sent. */
export const MANY_WATCHERS = 100;
/** Calls of a user per minute, endpoint and platform, if limits are enforced. */
export const CALLS_PER_USER = 60;
/** A deletion of many channels names at most this many. */
export const DELETED_CHANNELS_LIMIT = 100;
/** Channels, and users, of one export. */
export const EXPORTED_LIMIT = 25;
/** How long the address of an export or an import upload is valid. */
export const SPOOL_URL_LIFETIME_SECONDS = 86_400;
/** How long files of exports and imports are stored. */
export const SPOOL_KEPT_DAYS = 60;
export const IMPORT_FILE_LIMIT = 300 * 1024 * 1024;
export const IMPORTS_LIMIT = [10, 100] as const;
export const CAMPAIGN_SEGMENTS_LIMIT = 25;
export const CAMPAIGN_USERS_LIMIT = 10_000;
export const CAMPAIGN_USERS_PAGE = [100, 1000] as const;
export const QUERY_CAMPAIGNS_LIMIT = [10, 100] as const;
export const SEGMENT_TARGETS_PER_CALL = 10_000;
export const SEGMENT_TARGETS_PAGE = [100, 10_000] as const;
/** Targets of a campaign processed in one step (RUN-3). */
export const CAMPAIGN_BATCH = 50;
export const QUERY_BANS_LIMIT = [30, 300] as const;
export const QUERY_FLAGS_LIMIT = [30, 300] as const;
/** A ban is at most this long: minutes of a hundred years. */
export const BAN_MAX_MINUTES = 52_560_000;
/** How long a command's preview waits for its button. */
export const PREVIEW_LIFETIME = 3_600_000;
export const TRANSLATED_TEXT_LIMIT = 5000;
/** Reading a page for its preview: bytes, milliseconds for everything, and redirects (specification/security.md §1). */
export const PAGE_BYTES = 512 * 1024;
export const PAGE_TIME = 2500;
export const PAGE_HOPS = 3;
