/** The numbers of the protocol: each stands in wire/constants.ts with the value of specification/constants.md, and each is used. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { delayBounds } from "../../src/core/base/delay.ts";
import * as constants from "../../src/wire/constants.ts";

const held: Record<string, unknown> = { ...constants };
const SRC = path.resolve(import.meta.dirname, "../../src");
const MIB = 1024 * 1024;
const DAY = 86_400_000;

/** Transcribed from constants.md, in its order: row, name, value. */
const NAMED: [string, keyof typeof constants, unknown][] = [
  ["max files per message", "MAX_FILES_PER_MESSAGE", 10],
  ["default upload size limit", "DEFAULT_UPLOAD_SIZE_LIMIT", 104_857_600],
  ["link preview debounce", "LINK_PREVIEW_DEBOUNCE", 1500],
  [
    "link previews, drafts off; location, typing on",
    "FEATURE_DEFAULTS",
    { drafts: false, linkPreviews: false, locations: true, typing: true },
  ],
  ["link preview default protocol", "LINK_DEFAULT_PROTOCOL", "https"],
  ["typing expiry", "TYPING_EXPIRY", 7000],
  ["typing start throttle", "TYPING_START_THROTTLE", 2000],
  ["cleaning interval", "CLEANING_INTERVAL", 500],
  ["poll max votes from", "POLL_MIN_VOTES_ALLOWED", 2],
  ["poll max votes to", "POLL_MAX_VOTES_ALLOWED", 10],
  ["poll options", "POLL_MAX_OPTIONS", 100],
  ["shared location minimum duration", "LOCATION_MIN_DURATION", 60_000],
  ["location update throttle", "LOCATION_UPDATE_THROTTLE", 3000],
  ["search suggestions debounce", "SUGGESTION_DEBOUNCE", 300],
  ["search suggestions page size", "SUGGESTION_PAGE", 10],
  ["command trigger", "COMMAND_TRIGGER", "/"],
  ["members assumed all loaded if fewer than", "MEMBERS_ALL_LOADED_BELOW", 100],
  ["reconnect back-off", "RECONNECT_BACKOFF", { low: 250, high: 500, step: 2000, most: 25_000 }],
  ["WebSocket ping", "PING_INTERVAL", 25_000],
  ["notification display time", "NOTICE_DISPLAY", 3000],
  ["reminder offsets", "REMINDER_OFFSETS", [2, 15, 30, 60, 240, 1440].map((minutes) => minutes * 60_000)],
  ["page size of lists without their own", "DEFAULT_PAGE", 10],
  ["request timeout", "REQUEST_TIMEOUT", 3000],
  ["WebSocket connect timeout", "CONNECT_TIMEOUT", 15_000],
  ["WebSocket connect timeout with fallback", "CONNECT_TIMEOUT_WITH_FALLBACK", 6000],
  ["default message page", "MESSAGE_PAGE", 25],
  ["recovery query limit", "RECOVERY_QUERY_LIMIT", 30],
  ["thread query", "THREAD_QUERY", { limit: 10, participant_limit: 10, reply_limit: 3 }],
  ["get thread", "THREAD_GET", { participant_limit: 100, reply_limit: 3 }],
  ["WebSocket normal close code", "CLOSE_NORMAL", 1000],
  ["reaction score", "DEFAULT_REACTION_SCORE", 1],
  ["custom data per object", "CUSTOM_DATA_LIMIT", 5 * 1024],
  ["request body", "JSON_BODY_LIMIT", MIB],
  ["request header block", "HEADER_LIMIT", 16 * 1024],
  ["user id length", "USER_ID_LENGTH", 255],
  ["channel id length", "CHANNEL_ID_LENGTH", 64],
  ["message text", "DEFAULT_MAX_MESSAGE_LENGTH", 5000],
  ["users per call", "USERS_PER_CALL", 100],
  ["channels per delete call", "DELETED_CHANNELS_LIMIT", 100],
  ["members added or removed per call", "MEMBERS_PER_CALL", 100],
  ["query channels limit", "QUERY_CHANNELS_LIMIT", [10, 30]],
  ["query channels offset", "MAX_OFFSET", 1000],
  ["query channels message_limit", "QUERY_MESSAGES_LIMIT", [25, 300]],
  ["query channels member_limit", "QUERY_MEMBERS_LIMIT", [100, 100]],
  ["query users limit", "QUERY_USERS_LIMIT", [30, 100]],
  ["channel types per app", "CHANNEL_TYPES_PER_APP", 50],
  ["custom roles per app", "CUSTOM_ROLES_PER_APP", 25],
  ["devices per user", "DEVICES_PER_USER", 25],
  ["blocklists per app", "BLOCKLISTS_PER_APP", 15],
  ["words per blocklist", "WORDS_PER_BLOCKLIST", 10_000],
  ["length of a blocklist word", "BLOCKLIST_WORD_LENGTH", 40],
  ["channel cooldown, seconds", "COOLDOWN_MAX_SECONDS", 120],
  ["scheduled reminders per user", "REMINDERS_PER_USER", 250],
  ["open connections per user", "CONNECTIONS_PER_USER", 50],
  ["unread endpoint", "UNREAD_WINDOW", 100],
  ["export channels or users per request", "EXPORTED_LIMIT", 25],
  ["export file kept, days", "SPOOL_KEPT_DAYS", 60],
  ["export URL valid, seconds", "SPOOL_URL_LIFETIME_SECONDS", 86_400],
  ["import file", "IMPORT_FILE_LIMIT", 300 * MIB],
  ["webhook answer time", "HOOK_ANSWER_LIMIT", 1000],
  ["webhook member list", "WEBHOOK_MEMBERS", 50],
  ["unread reminder interval, seconds", "REMINDERS_INTERVAL", [300, 60, 86_400]],
  ["CDN link lifetime, seconds", "FILE_URL_LIFETIME_SECONDS", 1_209_600],
  ["server health.check", "HEALTH_INTERVAL", 30_000],
  ["link considered dead: added to the ping", "DEATH_MARGIN", 10_000],
  ["provider drops a silent WebSocket", "SILENT_SOCKET_LIMIT", 90_000],
  ["wait for the close frame", "CLOSE_WAIT", 1000],
  ["re-open after the network is back", "ONLINE_REOPEN_DELAY", 10],
  ["long poll held", "LONGPOLL_HOLD", 25_000],
  ["long poll read timeout", "LONGPOLL_READ_TIMEOUT", 35_000],
  ["long poll opening timeout", "LONGPOLL_OPEN_TIMEOUT", 6000],
  ["long poll session expires", "LONGPOLL_SESSION_EXPIRY", 60_000],
  ["events queued per long poll session", "LONGPOLL_QUEUE", 1000],
  ["try WebSocket again while on long poll", "WEBSOCKET_RETRY_ON_LONGPOLL", 300_000],
  ["token refresh attempts in a row", "TOKEN_REFRESH_ATTEMPTS", 5],
  ["push providers per app", "PUSH_PROVIDERS_PER_APP", 25],
  ["teams per user", "TEAMS_PER_USER", 250],
  ["team name, bytes", "TEAM_NAME_BYTES", 100],
  ["presence subscription of a users query", "PRESENCE_USERS", 30],
  ["presence subscription of a watched channel", "PRESENCE_MEMBERS", 10],
  ["single user export", "USER_EXPORT_LIMIT", 10_000],
  ["many-watchers threshold", "MANY_WATCHERS", 100],
  ["per-user rate", "CALLS_PER_USER", 60],
  ["last_active refresh", "LAST_ACTIVE_REFRESH", 15 * 60_000],
  ["/sync channels", "SYNC_CHANNELS", 255],
  ["/sync age", "SYNC_AGE", 30 * DAY],
  ["/sync events", "SYNC_EVENTS", 1000],
  ["event log", "EVENT_LOG_EVENTS", 100_000],
  ["grace before offline", "PRESENCE_GRACE", 5000],
];

describe("constants.md", () => {
  test.each(NAMED)("%s: %s", (_row, name, value) => {
    expect(held[name]).toEqual(value);
  });
  test("reconnect: min(500 + 2000·n, 25000) above, min(max(250, (n − 1)·2000), 25000) below", () => {
    expect([1, 2, 3, 20].map(delayBounds)).toEqual([
      { lower: 250, upper: 2500 },
      { lower: 2000, upper: 4500 },
      { lower: 4000, upper: 6500 },
      { lower: 25_000, upper: 25_000 },
    ]);
  });
});

/** Names that stand in code, not in comments or texts. */
function used(): Set<string> {
  const names = new Set<string>();
  for (const entry of readdirSync(SRC, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || file === path.join(SRC, "wire/constants.ts"))
      continue;
    const code = readFileSync(file, "utf8")
      // A comment begins its line; in a text the same two characters are none.
      .replace(/^\s*\/\*[\s\S]*?\*\//gm, "")
      .replace(/^\s*\/\/.*$/gm, "")
      // An import alone is no use.
      .replace(/^(import|export)\s[^;]*?from\s+"[^"]+";/gm, "");
    for (const [name] of code.matchAll(/\b[A-Z][A-Z0-9_]+\b/g)) names.add(name);
  }
  return names;
}

test("every constant is used", () => {
  const names = used();
  expect(Object.keys(constants).filter((name) => !names.has(name))).toEqual([]);
});
