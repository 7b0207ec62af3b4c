/** Command names of other chat programs, accepted as aliases and as search words in lists. */
import { ALIASES } from "../../commands/table.gen.ts";
import { findCommand } from "../../commands/line.ts";
import { composerCommandNames } from "./composer-commands.ts";

/** Alias → command line; `alone` is used without arguments, `more` with arguments. */
const FOREIGN_ALIASES: Readonly<Record<string, string | { alone: string; more: string }>> = {
  account: "/profile",
  active: "/who",
  add: "/invite",
  admin: "/member promote",
  afk: { alone: "/status away", more: "/status" },
  away: { alone: "/status away", more: "/status" },
  back: "/status",
  ban: "/member ban",
  bell: "/settings notifications",
  bookmark: "/save",
  bookmarks: "/later",
  bye: "/quit",
  config: "/settings",
  create: "/new",
  connect: "/reconnect",
  dark: "/theme dark",
  demote: "/member demote",
  deop: "/member demote",
  emoji: "/react",
  exit: "/quit",
  find: "/search",
  gif: "/giphy",
  goto: "/go",
  grep: "/search",
  hotkeys: "/help",
  ignore: "/block",
  kick: "/member remove",
  light: "/theme light",
  list: { alone: "/join", more: "/channel list" },
  logout: "/profile",
  map: "/location",
  mark: "/read",
  markread: "/read",
  mentions: "/inbox",
  mod: "/member promote",
  msg: "/dm",
  names: "/who",
  nickname: "/nick",
  notifications: "/notify",
  online: "/who",
  op: "/member promote",
  options: "/settings",
  part: "/leave",
  people: "/who",
  pinned: "/pins",
  pm: "/dm",
  preferences: "/settings",
  prefs: "/settings",
  promote: "/member promote",
  query: "/dm",
  remindme: "/remind",
  saved: "/later",
  server: "/profile",
  set: "/settings",
  shortcuts: "/help",
  signin: "/login",
  signout: "/profile",
  snooze: "/dnd",
  sound: "/settings notifications",
  spam: "/report",
  star: "/save",
  starred: "/later",
  switch: "/go",
  tell: "/dm",
  tz: "/settings utc",
  unban: "/member unban",
  unignore: "/unblock",
  w: "/dm",
  whisper: "/dm",
};

/** Replaces an alias at the start of a line; names of the provider's or Parley's own commands are left alone. */
export function resolveAlias(text: string, providerCommands: readonly string[]): string {
  const [, name = "", rest = ""] = /^\s*\/([a-z]+)(|\s[\s\S]*)$/i.exec(text) ?? [];
  const target = Object.hasOwn(FOREIGN_ALIASES, name) ? FOREIGN_ALIASES[name] : undefined;
  if (target === undefined || providerCommands.includes(name)) return text;
  if (!Object.hasOwn(ALIASES, name) && findCommand(text.slice(1))) return text;
  const line = typeof target === "string" ? target : rest.trim() === "" ? target.alone : target.more;
  const command = line.slice(1);
  const [first = ""] = command.split(" ");
  const exists =
    (composerCommandNames as readonly string[]).includes(first) ||
    providerCommands.includes(first) ||
    findCommand(command);
  return exists ? `/${command}${rest}` : text;
}

const aliasesByPath = new Map<string, string[]>();
for (const [name, target] of Object.entries(FOREIGN_ALIASES))
  for (const line of typeof target === "string" ? [target] : new Set(Object.values(target))) {
    const path = ALIASES[line.slice(1)] ?? line.slice(1);
    aliasesByPath.set(path, [...(aliasesByPath.get(path) ?? []), name]);
  }

/** The aliases of a line or command. */
export const foreignAliasesOf = (path: string): readonly string[] => aliasesByPath.get(path) ?? [];
