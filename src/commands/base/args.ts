/** Parses and checks the arguments of commands, for the command line and the chat line, and fills in defaults. */
import { cidProblem, isMessageId, isUserId, splitCid } from "../../wire/ids.ts";
import { normalTime } from "../../wire/time.ts";
import type { DefaultMessage } from "../../model/default-message.ts";
import { CommandError, type ArgRow, type Args, type MeasuredTime, type RawArgs } from "./define-command.ts";
import { DURATIONS, GapError, parseWhen, readDuration, TIMES } from "../../text/when.ts";
import { isZoneName, type Zone } from "../../text/zones.ts";

/** Context that defaults come from. */
export interface ArgDefaults {
  /** Default channel: the open one, `-c`, the environment or the profile; a cid, `#id` or `@user`. */
  currentChannel?: string;
  channelType: string;
  now: number;
  /** Chat line only: the id of the default message. */
  message?(which: DefaultMessage): string | undefined;
  /** Chat line only: whether a word is a message id. */
  namesMessage?(word: string): boolean;
}

/** A word in the place of a channel that is none, such as `general`. */
export class NotAChannel extends CommandError {
  readonly word: string;
  constructor(word: string, reason: string) {
    super("usage", reason, "Write a channel as type:id, #id or @user.");
    this.word = word;
  }
}

/** Argument row for a duration from now on. */
export const DURATION = { kind: "time", direction: "future", measured: true, value: "duration" } as const;

/** `type:id`, `#id` (default type) → a cid; `@user` stays, to be looked up later. Throws `CommandError`. */
export function readChannel(text: string, channelType: string): string {
  const refuse = (reason: string): never => {
    throw new NotAChannel(text, reason);
  };
  if (text.startsWith("@")) {
    return isUserId(text.slice(1)) ? text : refuse(`'${text}' names no user.`);
  }
  const cid = text.startsWith("#") ? `${channelType}:${text.slice(1)}` : text;
  if (!splitCid(cid)) return refuse(`'${text}' is not a channel.`);
  const problem = cidProblem(cid);
  return problem ? refuse(problem) : cid;
}

/** Parses one argument. Throws `CommandError` (usage) naming the argument. */
function readValue(
  name: string,
  row: ArgRow,
  text: string,
  defaults: ArgDefaults & { zone: Zone },
): string | number | MeasuredTime {
  const refuse = (expected: string): never => {
    throw new CommandError("usage", `${label(name, row)} must be ${expected}, not '${text}'.`);
  };
  switch (row.kind) {
    case "number": {
      const number = Number(text);
      const isKept = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
      if (text.trim() === "" || !isKept) return refuse("a number");
      const { from = -Infinity, to = Infinity } = row;
      const isInRange =
        row.from === undefined || (/^\s*\+?\d+\s*$/.test(text) && number >= from && number <= to);
      return isInRange
        ? number
        : refuse(`a whole number from ${from}${row.to === undefined ? "" : ` to ${to}`}`);
    }
    case "channel":
      return readChannel(text, defaults.channelType);
    case "user": {
      const id = text.startsWith("@") ? text.slice(1) : text;
      return isUserId(id) ? id : refuse("a user id (letters, digits, _, - and @)");
    }
    case "message":
      return isMessageId(text) ? text : refuse("a message id");
    case "time": {
      const ms = timeIn(text, { now: defaults.now, direction: row.direction, ...defaults.zone });
      if (ms instanceof GapError)
        throw new CommandError("usage", `${label(name, row)}: ${ms.message}.`, ms.hint);
      if (ms === undefined) return refuse(`a time such as ${TIMES}`);
      // A bare 09:30 means today, even when that time has passed.
      if (row.direction === "future" && ms < defaults.now) return refuse("in the future");
      const at = timeWithMicros(text) ?? new Date(ms).toISOString();
      return row.measured ? { at, ms: ms - defaults.now } : at;
    }
    case "duration":
      return readDuration(text) || refuse(`a duration such as ${DURATIONS}`);
    case "file":
      return text === "" ? refuse("a file") : text;
    case "choice":
      return row.choices?.includes(text) ? text : refuse(`one of ${row.choices?.join(", ")}`);
    default:
      return text;
  }
}

function timeIn(text: string, options: Parameters<typeof parseWhen>[1]): number | GapError | undefined {
  try {
    return parseWhen(text, options);
  } catch (error) {
    return error instanceof GapError ? error : undefined;
  }
}

/** The zone that an argument names for all times without a zone; the machine's without one. Throws `CommandError` (usage). */
function zoneIn(rows: Args, raw: RawArgs): Zone {
  for (const [name, row] of Object.entries(rows)) {
    const zone = raw[name];
    if (row.zone === undefined || typeof zone !== "string") continue;
    if (isZoneName(zone)) return { name: zone };
    throw new CommandError(
      "usage",
      `${label(name, row)} must be a time zone such as Europe/Berlin, not '${zone}'.`,
    );
  }
  return {};
}

/** Keeps fractions of a millisecond, which times in responses have: rounding would exclude the item with that time. */
const timeWithMicros = (text: string): string | undefined => {
  const precise = normalTime(text.trim());
  return precise?.slice(0, 23).concat("000000Z") === precise ? undefined : precise?.replace(/0{3}Z$/, "Z");
};

const label = (name: string, row: ArgRow): string =>
  row.positional ? `<${flagName(name)}>` : `--${flagName(name)}`;

/** `missing argument <text>: the new text`; a help that only repeats the name is left out. */
function missing(name: string, row: ArgRow): string {
  if (row.missing !== undefined) return row.missing;
  const message = `missing ${row.positional ? "argument" : "flag"} ${label(name, row)}`;
  const help = lowerFirst(row.help);
  return help === `the ${name.toLowerCase()}` ? message : `${message}: ${help}`;
}

/** An empty shell variable in the place of an id or of an item of a list: it would change the path of the request, or what it is about. */
const isBlankId = (row: ArgRow, text: string): boolean =>
  text.trim() === "" && (row.kind === "list" || row.value === "id") && row.mayBeEmpty !== true;

const blankItem = (name: string, row: ArgRow): string => `${label(name, row)} must not be empty.`;

/** An argument with its name. */
export type NamedRow = readonly [name: string, row: ArgRow];

export const flagRows = (rows: Args): NamedRow[] => Object.entries(rows).filter(([, row]) => !row.positional);

/** Positional arguments in order. */
export const positionalRows = (rows: Args): NamedRow[] =>
  Object.entries(rows).filter(([, row]) => row.positional);

/** A channel that is written first may also be given as `-c`, as it is to the commands whose object is something else. */
function channelFlag(rows: Args): NamedRow | undefined {
  const found = positionalRows(rows).find(([name, row]) => row.kind === "channel" || name === "channels");
  return found && [found[0], { ...found[1], short: "c" }];
}

/** The arguments that a line may give as flags: also the channel that is a positional one. */
export function acceptedFlags(rows: Args): NamedRow[] {
  const flags = flagRows(rows);
  const channel = flags.some(([, row]) => row.short === "c") ? undefined : channelFlag(rows);
  return channel ? [...flags, channel] : flags;
}

/** Finds an argument by its flag, such as `--until` or `-c`. */
export const flagOf = (rows: Args, word: string): NamedRow | undefined =>
  acceptedFlags(rows).find(([name, row]) => word === `--${flagName(name)}` || word === `-${row.short}`);

/** Whether the argument must be given, as it has no default. */
export const isRequired = ({
  positional,
  optional,
  required,
  defaultsToCurrent,
  default: fallback,
}: ArgRow): boolean =>
  !defaultsToCurrent && fallback === undefined && (positional ? !optional : required === true);

/** Which message is the default of an argument in the chat line. */
export const defaultMessageOf = (row: ArgRow): DefaultMessage | undefined =>
  row.positional === true
    ? (row.defaultMessage ?? (row.kind === "message" && isRequired(row) ? "message" : undefined))
    : undefined;

/** The message argument to skip when there are too few words: the default message fills it. */
function defaultMessageRow(
  rows: Args,
  words: readonly string[],
  defaults: Partial<ArgDefaults>,
): NamedRow | undefined {
  const required = positionalRows(rows).filter(([, row]) => isRequired(row));
  const first = positionalRows(rows).find(([, row]) => defaultMessageOf(row) !== undefined);
  return defaults.message && first && words.length < required.length ? first : undefined;
}

/** A positional argument in a usage line: `<user>`, `[channel]`, `[users…]`. */
export function positionalUsage([name, row]: NamedRow): string {
  const word = `${flagName(name)}${row.kind === "list" || row.positional === "rest" ? "…" : ""}`;
  return isRequired(row) ? `<${word}>` : `[${word}]`;
}

/** `showInChannel` → `show-in-channel`. */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `#id` or `type:id`: no user and no message is written so. */
const CHANNEL_WORD = /^(?:#[\w!-]+|[\w-]+:[\w!-]+)$/;

/**
 * Which of the words is the channel of a command that has it as `-c`: `member ban '#ops' bo`, `message list '#ops'`; -1 if none is,
 * undefined if none may be.
 */
export function channelAmong(
  rows: Args,
  words: readonly string[],
  currentChannel?: string,
): { name: string; at: number } | undefined {
  const [name, row] = flagRows(rows).find(([, { kind, short }]) => kind === "channel" && short === "c") ?? [];
  const others = positionalRows(rows);
  const isText = others.some(([, { positional }]) => positional === "rest");
  // A text may begin with a word like a channel; other words are ids, and the channel may be any of them.
  if (name === undefined || (isText && (currentChannel !== undefined || !row?.defaultsToCurrent))) return;
  const isAlone = others.length === 0;
  const at = words.findIndex((word, n) => (n === 0 || !isText) && (isAlone || CHANNEL_WORD.test(word)));
  return { name, at };
}

/** Takes the channel out of the words. */
function takeChannel(
  rows: Args,
  words: string[],
  raw: RawArgs,
  { currentChannel }: Partial<ArgDefaults>,
): void {
  const found = channelAmong(rows, words, currentChannel);
  if (!found || found.at < 0 || raw[found.name] !== undefined) return;
  raw[found.name] = words.splice(found.at, 1)[0]!;
}

/**
 * Assigns words to positional arguments in order; a `rest` argument takes all remaining words as one text.
 * A leading channel argument with a default is skipped when the first word is not a channel. Throws `CommandError` (usage).
 */
export function assignPositionals(
  rows: Args,
  words: readonly string[],
  raw: RawArgs,
  defaults: Partial<ArgDefaults> = {},
): void {
  const remaining = [...words];
  takeChannel(rows, remaining, raw, defaults);
  // A list takes the words besides its flag.
  const positionals = positionalRows(rows).filter(
    ([name, row]) => raw[name] === undefined || row.kind === "list",
  );
  const plain = positionals.filter(([, row]) => row.positional === true);
  const isChannelFirst = plain.length > 1 && plain[0]![1].defaultsToCurrent === true;
  // Ids hold no `=`.
  const isPair = plain[1]?.[1].value === "name=value" && remaining[0]?.includes("=") === true;
  const skipsFirst =
    (isChannelFirst &&
      remaining.length > 0 &&
      (isPair || (remaining.length < plain.length && !/^[#@]|:/.test(remaining[0]!)))) ||
    (startsWithOptionalUser(plain) &&
      remaining.length > 0 &&
      (plain[1]![1].value === "name=value" ? isPair : remaining.length < plain.length));
  // `message react like --file ids.txt`: what the file names is not among the words.
  const { orFile, optional } = plain[0]?.[1] ?? {};
  const isNamedByFile =
    raw.file !== undefined &&
    ((isPair && (orFile ?? optional) === true) || (orFile === true && remaining.length < plain.length));
  const skippedName = isNamedByFile ? plain[0]![0] : defaultMessageRow(rows, remaining, defaults)?.[0];
  for (const [name, row] of skipsFirst ? positionals.slice(1) : positionals) {
    if (name === skippedName) continue;
    if (remaining.length === 0) break;
    if (row.positional === "rest") raw[name] = remaining.splice(0).join(" ");
    else
      raw[name] =
        row.kind === "list"
          ? ([raw[name] ?? [], remaining.splice(0)].flat(2) as string[])
          : remaining.shift()!;
  }
  if (remaining.length) throw new CommandError("usage", `unexpected argument '${remaining[0]}'.`);
}

/** Whether the first argument is an optional user that defaults to the current user; `status=out` is then not taken for an id. */
const startsWithOptionalUser = (positional: readonly NamedRow[]): boolean =>
  positional.length > 1 && positional[0]![1].kind === "user" && positional[0]![1].optional === true;

/** Ids of users hold no comma, so one word may name several. */
export const takesCommas = (row: ArgRow): boolean => row.commas === true || namesUsers(row);

const namesUsers = ({ kind, value, positional }: ArgRow): boolean =>
  kind === "list" && value === "user" && positional !== true;

/** `@ana, bo` → `ana`, `bo`; the sign belongs to users only. */
const itemsOf = (row: ArgRow, text: string): string[] =>
  text.split(",").map((one) => (namesUsers(row) ? one.trim().replace(/^@/, "") : one.trim()));

/** Parses all arguments of a command. Throws `CommandError` (usage) for missing or invalid ones. */
export function fillArgs(rows: Args, raw: RawArgs, defaults: ArgDefaults): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const zone = zoneIn(rows, raw);
  for (const [name, row] of Object.entries(rows)) {
    let value = raw[name];
    if (row.orFile && raw.file !== undefined && (value === undefined || value === "")) continue;
    if (Array.isArray(value) && value.length === 0) value = undefined;
    if ((value === undefined || value === "") && row.defaultsToCurrent && defaults.currentChannel)
      value = defaults.currentChannel;
    // With --file, the messages come from the file.
    const defaultMessage = raw.file === undefined ? defaultMessageOf(row) : undefined;
    if ((value === undefined || value === "") && defaultMessage && defaults.message)
      value = requireDefaultMessage(defaultMessage, defaults);
    // An empty shell variable counts as missing: it would change the path of the request.
    if (value === "" && row.kind === "text" && row.positional === true && isRequired(row)) value = undefined;
    if (row.kind === "flag") {
      values[name] = value === undefined ? (row.default ?? false) : value === true || value === "true";
    } else if (value === undefined || value === true || value === false) {
      if (row.default !== undefined) values[name] = row.default;
      else if (row.defaultsToCurrent)
        throw new CommandError(
          "usage",
          "No channel is named.",
          "Name one with -c type:id, or set PARLEY_CHANNEL.",
        );
      else if (isRequired(row)) throw new CommandError("usage", missing(name, row));
      else if (row.kind === "list") values[name] = [];
    } else if (row.kind === "list") {
      const list = [value].flat().flatMap((text) => (takesCommas(row) ? itemsOf(row, text) : text));
      if (list.some((item) => isBlankId(row, item))) throw new CommandError("usage", blankItem(name, row));
      values[name] = list;
    } else {
      const text = Array.isArray(value) ? value.join(" ") : value;
      if (isBlankId(row, text)) throw new CommandError("usage", blankItem(name, row));
      values[name] = readValue(name, row, text, { ...defaults, zone });
    }
  }
  return values;
}

/** The default message of the chat line. Throws `CommandError` (usage) when there is none. */
function requireDefaultMessage(which: DefaultMessage, defaults: ArgDefaults): string {
  const id = defaults.message?.(which);
  if (id !== undefined) return id;
  const noun = { message: "message", mine: "message of yours", poll: "poll" }[which];
  throw new CommandError("usage", `There is no ${noun} here.`, "Choose a message with Esc, then j and k.");
}

const lowerFirst = (sentence: string): string => sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
