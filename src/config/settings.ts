/** Every setting of Parley, one row each; help, docs and checks read this table. */
import { DURATIONS, readDuration } from "../text/when.ts";
import { BUILT_IN_THEMES } from "./themes.ts";

type SettingType = "text" | "number" | "flag" | "choice" | "duration" | "proxy" | "theme";

export interface SettingRow {
  readonly type: SettingType;
  readonly default: string | number | boolean;
  /** Environment variables; the first that is set wins. */
  readonly env?: readonly string[];
  /** The global flag that sets it for one run. */
  readonly flag?: string;
  readonly choices?: readonly string[];
  /** Minimum of a number; 0 by default. */
  readonly from?: number;
  /** One sentence for help and docs. */
  readonly words: string;
  /** Other words that searches find it by. */
  readonly also?: string;
  /** False when a project's `.parley.json` may not set it: programs, paths and network trust. */
  readonly project?: false;
  /** Only the chat screen reads it: who writes scripts has no use for its variable. */
  readonly screen?: true;
}

export const SETTINGS = {
  profile: {
    type: "text",
    default: "local",
    env: ["PARLEY_PROFILE"],
    flag: "--profile",
    words: "The profile to use; `local` is the embedded provider.",
  },
  user: {
    type: "text",
    default: "",
    env: ["PARLEY_USER"],
    flag: "--as",
    words: "Act as this user; the profile must have a secret. Empty = the profile's own user.",
  },
  channel: {
    type: "text",
    default: "",
    env: ["PARLEY_CHANNEL"],
    words: "The default channel of commands (-c overrides it for one run).",
  },
  channelType: {
    type: "text",
    default: "messaging",
    env: ["PARLEY_CHANNEL_TYPE"],
    words: "The channel type of `#id` and `@user`.",
  },
  transport: {
    type: "choice",
    default: "auto",
    choices: ["auto", "websocket", "longpoll"],
    env: ["PARLEY_TRANSPORT"],
    flag: "--transport",
    words: "Transport of live events; auto starts with a WebSocket and falls back to long-polling.",
  },
  theme: {
    screen: true,
    type: "theme",
    default: "auto",
    choices: ["auto", ...Object.keys(BUILT_IN_THEMES)],
    env: ["PARLEY_THEME"],
    flag: "--theme",
    words:
      "The colours of the screen, or the name of a file in the folder `themes` beside the config file; auto detects the terminal's background, or uses dark.",
    also: "colors night appearance",
  },
  keys: {
    screen: true,
    type: "choice",
    default: "default",
    choices: ["default", "vim", "emacs", "minimal"],
    env: ["PARLEY_KEYS"],
    words:
      "The key table of the screen; minimal has no letters over messages and no Alt, Enter opens the menu of a message.",
    also: "keyboard shortcuts bindings vim emacs simple few",
  },
  "keys.layout": {
    screen: true,
    type: "choice",
    default: "auto",
    choices: ["auto", "belarusian", "bulgarian", "bulgarian-phonetic", "macedonian", "serbian", "us"],
    env: ["PARLEY_KEYS_LAYOUT"],
    words:
      "Which key a letter of another alphabet is, where letters are keys; auto goes by its place on the usual keyboard of its alphabet, with us such letters are always text.",
    also: "keyboard cyrillic greek alphabet language",
  },
  mouse: {
    screen: true,
    type: "flag",
    default: true,
    env: ["PARLEY_MOUSE"],
    words:
      "Use the mouse on the screen: clicks, the wheel, and dragging to copy text of one pane; hold Shift for the terminal's own selection.",
    also: "click",
  },
  firstFrame: {
    screen: true,
    type: "flag",
    default: true,
    env: ["PARLEY_FIRST_FRAME"],
    words:
      "Save the last frame of the screen, readable only by you, and show it while the next start loads; off deletes it.",
  },
  undoSend: {
    screen: true,
    type: "duration",
    default: 0,
    env: ["PARLEY_UNDO_SEND"],
    words:
      "How long the screen waits before it sends a message, for example 5s; until then sending can be undone. 0 = send at once.",
    also: "delay",
  },
  skinTone: {
    screen: true,
    type: "choice",
    default: "none",
    choices: ["none", "light", "medium-light", "medium", "medium-dark", "dark"],
    env: ["PARLEY_SKIN_TONE"],
    words:
      "Skin tone of completed emoji; none leaves them yellow. Reactions never have one, so that equal reactions are counted together.",
  },
  emoji: {
    screen: true,
    type: "choice",
    default: "pictures",
    choices: ["pictures", "names"],
    env: ["PARLEY_EMOJI"],
    words:
      "Emoji of messages and reactions as pictures, or by their names (:tada:) where a terminal has no pictures for them.",
    also: "emojis",
  },
  maps: {
    screen: true,
    type: "choice",
    default: "auto",
    choices: ["auto", "braille", "blocks", "ascii", "off"],
    env: ["PARLEY_MAPS"],
    words:
      "What maps of shared locations are drawn with; auto is braille dots, and plain signs on a Linux console, which has none.",
  },
  readOn: {
    screen: true,
    type: "choice",
    default: "focused",
    choices: ["focused", "shown", "manual", "answered"],
    env: ["PARLEY_READ_ON"],
    words:
      "When a message counts as read: in sight for a second in a focused terminal, in any terminal, once answered, or by hand.",
    also: "read receipts seen mark",
  },
  openAt: {
    screen: true,
    type: "choice",
    default: "unread",
    choices: ["unread", "newest"],
    env: ["PARLEY_OPEN_AT"],
    words:
      "Where a channel or thread with unread messages opens: at the first of them, or at the newest message.",
    also: "first unread start position jump",
  },
  typing: {
    screen: true,
    type: "flag",
    default: true,
    env: ["PARLEY_TYPING"],
    words: "Show others that you are typing.",
    also: "who is indicator",
  },
  linkPreviews: {
    type: "flag",
    default: false,
    env: ["PARLEY_LINK_PREVIEWS"],
    words:
      "Look up the links of a message while you write it, show their previews under the box, and send those; off leaves the preview to the provider.",
    also: "unfurl cards url og",
  },
  locations: {
    type: "flag",
    default: true,
    env: ["PARLEY_LOCATIONS"],
    words: "Share locations, and follow live ones of yours; those of others are shown anyway.",
    also: "map position privacy gps",
  },
  "sidebar.order": {
    screen: true,
    type: "choice",
    default: "activity",
    choices: ["activity", "name", "manual"],
    env: ["PARLEY_SIDEBAR_ORDER"],
    words:
      "Order of channels in their groups: by latest activity, by name, or by hand (J and K in the list move a channel).",
  },
  "sidebar.preview": {
    screen: true,
    type: "flag",
    default: false,
    env: ["PARLEY_SIDEBAR_PREVIEW"],
    words: "Show the latest message under each channel of the list.",
  },
  "messages.width": {
    screen: true,
    type: "number",
    default: 100,
    env: ["PARLEY_MESSAGES_WIDTH"],
    words: "Maximum width of message texts in columns; 0 = the full pane.",
  },
  "messages.spacing": {
    screen: true,
    type: "choice",
    default: "auto",
    choices: ["auto", "compact", "roomy"],
    env: ["PARLEY_MESSAGES_SPACING"],
    words: "A blank row between authors: always when roomy, never when compact; auto has it from 32 rows on.",
    also: "density blank lines",
  },
  "messages.longest": {
    screen: true,
    type: "number",
    default: 0,
    env: ["PARLEY_MESSAGES_LONGEST"],
    words: "Maximum length of a text that you send, in characters; 0 = the limit of the channel.",
    also: "limit length characters long",
  },
  "drafts.sync": {
    screen: true,
    type: "flag",
    default: false,
    env: ["PARLEY_DRAFTS_SYNC"],
    words: "Also save drafts at the provider, for your other devices; they are always saved here.",
  },
  notifications: {
    screen: true,
    type: "choice",
    default: "direct",
    choices: ["off", "mentions", "direct", "all"],
    env: ["PARLEY_NOTIFICATIONS"],
    words: "Which messages raise a desktop notice; direct includes mentions.",
    also: "sound alerts desktop",
  },
  "notifications.route": {
    type: "choice",
    default: "auto",
    choices: ["auto", "osc9", "osc777", "osc99", "bell", "off"],
    env: ["PARLEY_NOTIFICATIONS_ROUTE"],
    words:
      "How desktop notices are sent; auto detects the terminal, also through tmux (`parley doctor` shows the choice and the reason).",
    also: "sound bell beep",
  },
  "notifications.words": {
    type: "text",
    default: "",
    env: ["PARLEY_NOTIFICATIONS_WORDS"],
    words: "Words that notify you like a mention, separated by commas.",
    also: "keyword keywords highlight",
  },
  "notifications.text": {
    type: "flag",
    default: true,
    env: ["PARLEY_NOTIFICATIONS_TEXT"],
    words: "Show the text of messages in notices; off shows only who and where.",
  },
  "notifications.command": {
    type: "text",
    default: "",
    env: ["PARLEY_NOTIFICATIONS_COMMAND"],
    project: false,
    words:
      "A program to run for each notice instead of using the terminal; it gets a line of JSON on standard input (title, body, kind, channel, message, user); run without a shell.",
  },
  editor: {
    type: "text",
    default: "vi",
    env: ["PARLEY_EDITOR", "VISUAL", "EDITOR"],
    project: false,
    words: "The program that opens long messages.",
  },
  downloads: {
    screen: true,
    type: "text",
    default: "",
    env: ["PARLEY_DOWNLOADS"],
    project: false,
    words: "The folder in which the screen saves files; empty = ask once and save the answer here.",
  },
  pictures: {
    screen: true,
    type: "choice",
    default: "auto",
    choices: ["auto", "off", "half-blocks", "kitty", "iterm2", "sixel"],
    env: ["PARLEY_PICTURES"],
    words:
      "Pictures on the screen; auto detects what the terminal can show (see `parley doctor`), half-blocks works in every terminal with 256 colours, off shows and downloads none.",
    also: "images photos thumbnails",
  },
  "pictures.hosts": {
    screen: true,
    type: "text",
    default: "",
    env: ["PARLEY_PICTURES_HOSTS"],
    project: false,
    words:
      "Hosts, besides the provider's, whose pictures are downloaded when they become visible, separated by commas; * = all public hosts. Other pictures are downloaded when opened.",
  },
  pager: {
    type: "text",
    default: "less",
    env: ["PARLEY_PAGER", "PAGER"],
    project: false,
    words: "The program that shows long output on a terminal; empty or `cat` = none.",
  },
  color: {
    type: "choice",
    default: "auto",
    choices: ["auto", "always", "never"],
    flag: "--color",
    words: "Colour of one-shot commands; auto follows NO_COLOR, FORCE_COLOR, CLICOLOR and the terminal.",
  },
  output: {
    type: "choice",
    default: "auto",
    choices: ["auto", "table", "tsv", "json", "ndjson", "csv"],
    env: ["PARLEY_OUTPUT"],
    words: "Format of results; auto is a table on a terminal and TSV in a pipe.",
  },
  utc: {
    type: "flag",
    default: false,
    env: ["PARLEY_UTC"],
    flag: "--utc",
    words: "Tables show UTC instead of local time.",
    also: "timezone zone",
  },
  "time.format": {
    type: "choice",
    default: "auto",
    choices: ["auto", "12", "24"],
    env: ["PARLEY_TIME_FORMAT"],
    words:
      "12-hour or 24-hour clock on the screen; auto follows the locale (LC_ALL, LC_TIME, LANG). Tables always use 2026-11-17 09:14:05.",
    also: "clock 24-hour 12-hour 24 12 hour",
  },
  "time.date": {
    type: "choice",
    default: "auto",
    choices: ["auto", "dmy", "mdy", "ymd"],
    env: ["PARLEY_TIME_DATE"],
    words: "Order of day, month and year on the screen; auto follows the locale.",
    also: "format",
  },
  limit: {
    type: "number",
    default: 30,
    from: 1,
    env: ["PARLEY_LIMIT"],
    flag: "--limit",
    words: "Maximum number of items in a list, over all pages.",
  },
  timeout: {
    type: "duration",
    default: 3000,
    env: ["PARLEY_TIMEOUT"],
    flag: "--timeout",
    words:
      "How long one request may take, and how long an upload may stall (30s unless set here); 0 = no limit.",
  },
  retries: {
    type: "number",
    default: 2,
    env: ["PARLEY_RETRIES"],
    flag: "--retries",
    words: "How often a read is retried after a network error or a 5xx response.",
  },
  maxWait: {
    type: "duration",
    default: 30_000,
    env: ["PARLEY_MAX_WAIT"],
    flag: "--max-wait",
    words:
      "How long a one-shot send may take in total, and any other call waits for a rate limit (90 s unless set); if set, it includes finding and starting the provider.",
  },
  progress: {
    type: "choice",
    default: "auto",
    choices: ["auto", "bar", "plain", "json", "none"],
    env: ["PARLEY_PROGRESS"],
    flag: "--progress",
    words: "Progress on standard error; auto draws a bar on a terminal only.",
  },
  nonInteractive: {
    type: "flag",
    default: false,
    env: ["PARLEY_NON_INTERACTIVE", "CI"],
    flag: "--non-interactive",
    words: "Never ask: a question becomes a usage error that names the flag.",
  },
  accessible: {
    type: "flag",
    default: false,
    env: ["PARLEY_ACCESSIBLE", "INK_SCREEN_READER"],
    words: "Words for marks, no redrawing, no box characters.",
  },
  plain: {
    type: "flag",
    default: false,
    env: ["PARLEY_PLAIN"],
    flag: "--plain",
    words: "The chat screen prints lines and never redraws, in words alone: for screen readers.",
    also: "blind accessibility",
  },
  proxy: {
    type: "proxy",
    default: "",
    env: ["PARLEY_PROXY"],
    project: false,
    words:
      "The proxy to a hosted provider, such as http://proxy.example:3128; none = never one, empty = HTTPS_PROXY, ALL_PROXY and NO_PROXY decide. Set one with a password in HTTPS_PROXY.",
  },
  caFile: {
    type: "text",
    default: "",
    env: ["PARLEY_CA_FILE"],
    project: false,
    words:
      "A PEM file of additional trusted certificates, for a provider or proxy with a private authority; NODE_EXTRA_CA_CERTS also works.",
  },
  log: {
    type: "choice",
    default: "warn",
    choices: ["off", "error", "warn", "info", "debug"],
    env: ["PARLEY_LOG"],
    words: "Level of the log file.",
  },
  audit: {
    type: "choice",
    default: "on",
    choices: ["on", "off", "required"],
    env: ["PARLEY_AUDIT"],
    project: false,
    words:
      "Record changes made by commands in the audit log; required: change nothing when it cannot be written.",
  },
} as const satisfies Record<string, SettingRow>;

export type SettingKey = keyof typeof SETTINGS;

type ValueOf<R extends SettingRow> = R extends { type: "choice"; choices: readonly (infer C)[] }
  ? C
  : R["type"] extends "number" | "duration"
    ? number
    : R["type"] extends "flag"
      ? boolean
      : string;

/** The values of all settings in this run; durations in milliseconds. */
export type Settings = { readonly [K in SettingKey]: ValueOf<(typeof SETTINGS)[K]> };

export const settingKeys = Object.keys(SETTINGS) as SettingKey[];

export const DEFAULTS = Object.fromEntries(
  settingKeys.map((key) => [key, SETTINGS[key].default]),
) as unknown as Settings;

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}

/** A setting or a profile that cannot be used; the sentence says what to write instead. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ConfigError";
  }
}

const PASSWORDS = "With a password, set HTTPS_PROXY instead: http://name:password@proxy.example:3128.";

/** Empty, `none`, or an address that may be shown to anybody. */
function isProxy(raw: unknown): raw is string {
  if (typeof raw !== "string") return false;
  if (raw === "" || raw === "none") return true;
  const url = URL.parse(raw);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** Checks one value for its row: a text from flag or environment, or a JSON value from a file. Throws `ConfigError`. */
export function readSetting<K extends SettingKey>(key: K, raw: unknown, origin: string): Settings[K] {
  const row: SettingRow = SETTINGS[key];
  const refuse = (expected: string): never => {
    // Flags and variables already name the setting.
    const name = origin === row.flag || row.env?.includes(origin) ? origin : `${origin}: ${key}`;
    throw new ConfigError(`${name} must be ${expected}, not ${JSON.stringify(raw)}.`);
  };
  const value = ((): string | number | boolean => {
    switch (row.type) {
      case "flag": {
        if (typeof raw === "boolean") return raw;
        const word = String(raw).toLowerCase();
        if (["1", "true", "yes", "on"].includes(word)) return true;
        if (["", "0", "false", "no", "off"].includes(word)) return false;
        return refuse("true or false");
      }
      case "number": {
        const number = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
        if (typeof number === "number" && Number.isInteger(number) && number >= (row.from ?? 0))
          return number;
        return refuse(`a whole number from ${row.from ?? 0}`);
      }
      case "duration": {
        const ms =
          typeof raw === "number" && raw >= 0 ? raw : typeof raw === "string" ? readDuration(raw) : undefined;
        return ms ?? refuse(`a duration such as ${DURATIONS}`);
      }
      case "choice":
        return typeof raw === "string" && row.choices!.includes(raw)
          ? raw
          : refuse(`one of ${row.choices!.join(", ")}`);
      // `themeProblem` checks whether the theme exists.
      case "theme":
        return typeof raw === "string" && /^[\w-]+$/.test(raw)
          ? raw
          : refuse(`one of ${row.choices!.join(", ")}, or the name of a theme file`);
      case "proxy":
        if (isProxy(raw)) return raw;
        // The value is not repeated: it may hold a password.
        throw new ConfigError(
          `${origin}: ${key} must be an address without a password, or none. ${PASSWORDS}`,
        );
      case "text":
        return typeof raw === "string" ? raw : refuse("a text");
    }
  })();
  return value as Settings[K];
}

/** A value as people write it: durations with a unit. */
export function settingText(key: SettingKey, value: unknown): string {
  const row: SettingRow = SETTINGS[key];
  if (row.type !== "duration" || typeof value !== "number") return String(value);
  return value % 60_000 === 0 && value > 0
    ? `${value / 60_000}m`
    : value % 1000 === 0
      ? `${value / 1000}s`
      : `${value}ms`;
}
