/** Checks the text of every argument for both faces, turns it into values, and fills in the current channel. */
import { cidProblem, isMessageId, isUserId, splitCid } from "../../wire/ids.ts";
import { normalTime } from "../../wire/time.ts";
import type { DefaultMessage } from "../../model/default-message.ts";
import { CommandError, type ArgRow, type Args, type MeasuredTime } from "./define-command.ts";
import { DURATIONS, parseWhen, readDuration, TIMES } from "../../text/when.ts";

/** Where the caller stands, for defaults. */
export interface ArgDefaults {
  /** The open channel, `-c`, the environment or the profile; a cid, `#id` or `@user`. */
  here?: string;
  channelType: string;
  now: number;
  /** In the chat line: the id of the message that is meant when none is named. */
  message?(which: DefaultMessage): string | undefined;
  /** In the chat line: the word names a message. */
  namesMessage?(word: string): boolean;
}

/** From now on, as long as is said. */
export const DURATION = { kind: "time", direction: "future", measured: true, value: "duration" } as const;

/** Texts by argument name as a face collected them: `true` for a bare flag, a list for repeated ones. */
export type Raw = Record<string, string | string[] | boolean | undefined>;

/** `type:id`, `#id` (default type) or `@user` → a cid, or `@user` kept for the provider to find. Throws `CommandError`. */
export function readChannel(text: string, channelType: string): string {
  const usage = (why: string): never => {
    throw new CommandError("usage", why, "Write a channel as type:id, #id or @user.");
  };
  if (text.startsWith("@")) {
    return isUserId(text.slice(1)) ? text : usage(`'${text}' names no user.`);
  }
  const cid = text.startsWith("#") ? `${channelType}:${text.slice(1)}` : text;
  if (!splitCid(cid)) return usage(`'${text}' is not a channel.`);
  const problem = cidProblem(cid);
  return problem ? usage(problem) : cid;
}

/** One text by its row. Throws `CommandError` (usage) with the argument's name in the sentence. */
function readValue(
  name: string,
  row: ArgRow,
  text: string,
  defaults: ArgDefaults,
): string | number | MeasuredTime {
  const refuse = (wanted: string): never => {
    throw new CommandError("usage", `${label(name, row)} must be ${wanted}, not '${text}'.`);
  };
  switch (row.kind) {
    case "number": {
      const number = Number(text);
      if (text.trim() === "" || !Number.isFinite(number)) return refuse("a number");
      const { from = -Infinity, to = Infinity } = row;
      const isOne = row.from === undefined || (/^\s*\+?\d+\s*$/.test(text) && number >= from && number <= to);
      return isOne ? number : refuse(`a whole number from ${from}${row.to === undefined ? "" : ` to ${to}`}`);
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
      const found = timeIn(text, { now: defaults.now, direction: row.direction });
      if (found === undefined) return refuse(`a time such as ${TIMES}`);
      // A bare 09:30 means today, even when that time has passed.
      if (row.direction === "future" && found < defaults.now) return refuse("in the future");
      const at = exactTime(text) ?? new Date(found).toISOString();
      return row.measured ? { at, ms: found - defaults.now } : at;
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

function timeIn(text: string, options: Parameters<typeof parseWhen>[1]): number | undefined {
  try {
    return parseWhen(text, options);
  } catch {
    return undefined;
  }
}

/** A time that an answer told with parts of a millisecond is asked for whole, so that what it belongs to is not left out. */
const exactTime = (text: string): string | undefined => {
  const whole = normalTime(text.trim());
  return whole?.slice(0, 23).concat("000000Z") === whole ? undefined : whole?.replace(/0{3}Z$/, "Z");
};

const label = (name: string, row: ArgRow): string =>
  row.place ? `<${flagName(name)}>` : `--${flagName(name)}`;

/** An argument with its name. */
export type NamedRow = readonly [name: string, row: ArgRow];

export const flagRows = (rows: Args): NamedRow[] => Object.entries(rows).filter(([, row]) => !row.place);

/** The arguments without a flag, in their order. */
export const placeRows = (rows: Args): NamedRow[] => Object.entries(rows).filter(([, row]) => row.place);

/** The argument of `--until` or `-c`. */
export const flagOf = (rows: Args, word: string): NamedRow | undefined =>
  flagRows(rows).find(([name, row]) => word === `--${flagName(name)}` || word === `-${row.short}`);

/** It must be given: nothing stands in for it. */
export const isRequired = ({ place, optional, required, here, default: usual }: ArgRow): boolean =>
  !here && usual === undefined && (place ? !optional : required === true);

/** Which message stands in for the place where the caller says that one does. */
export const defaultMessageOf = (row: ArgRow): DefaultMessage | undefined =>
  row.place === "positional"
    ? (row.means ?? (row.kind === "message" && isRequired(row) ? "message" : undefined))
    : undefined;

/** With a message to stand in for the first place that names one, too few words belong to the places behind it. */
function isLeftOut(
  rows: Args,
  words: readonly string[],
  defaults: Partial<ArgDefaults>,
): NamedRow | undefined {
  const required = placeRows(rows).filter(([, row]) => isRequired(row));
  const first = placeRows(rows).find(([, row]) => defaultMessageOf(row) !== undefined);
  return defaults.message && first && words.length < required.length ? first : undefined;
}

/** A place in a usage line: `<user>`, `[channel]`, `[users…]`. */
export function placeWord([name, row]: NamedRow): string {
  const word = `${flagName(name)}${row.kind === "list" || row.place === "rest" ? "…" : ""}`;
  return isRequired(row) ? `<${word}>` : `[${word}]`;
}

/** `showInChannel` → `show-in-channel`. */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Deals words out to the positional rows in order of declaration; a `rest` row takes what is left as one text.
 * With *here* to fill the first place, a word that is no channel belongs to the next one. Throws `CommandError` (usage).
 */
export function placeWords(
  rows: Args,
  words: readonly string[],
  raw: Raw,
  defaults: Partial<ArgDefaults> = {},
): void {
  const left = [...words];
  const places = placeRows(rows);
  const positional = places.filter(([, row]) => row.place === "positional");
  const hereFirst = positional.length > 1 && positional[0]![1].here === true;
  const skip =
    (hereFirst && left.length < positional.length && left.length > 0 && !/^[#@]|:/.test(left[0]!)) ||
    (selfFirst(positional) && left.length > 0 && (left.length < positional.length || left[0]!.includes("=")));
  const leftOut = isLeftOut(rows, words, defaults)?.[0];
  for (const [name, row] of skip ? places.slice(1) : places) {
    if (name === leftOut) continue;
    if (left.length === 0) break;
    if (row.place === "rest") raw[name] = left.splice(0).join(" ");
    else raw[name] = row.kind === "list" ? left.splice(0) : left.shift()!;
  }
  if (left.length) throw new CommandError("usage", `unexpected argument '${left[0]}'.`);
}

/** A user who may be left out, for oneself: `status=out` is no id, and one word is no user with nothing to do. */
const selfFirst = (positional: readonly NamedRow[]): boolean =>
  positional.length > 1 && positional[0]![1].kind === "user" && positional[0]![1].optional === true;

/** All values of a command. Throws `CommandError` (usage) for what is missing or wrong. */
export function fillArgs(rows: Args, raw: Raw, defaults: ArgDefaults): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(rows)) {
    let given = raw[name];
    if (Array.isArray(given) && given.length === 0) given = undefined;
    if ((given === undefined || given === "") && row.here && defaults.here) given = defaults.here;
    // Whoever names them in a file means no other.
    const means = raw.file === undefined ? defaultMessageOf(row) : undefined;
    if ((given === undefined || given === "") && means && defaults.message)
      given = defaultMessage(means, defaults);
    // A variable that is empty names nothing: the path of the request would be another one.
    if (given === "" && row.kind === "text" && row.place === "positional" && isRequired(row))
      given = undefined;
    if (row.kind === "flag") {
      values[name] = given === undefined ? (row.default ?? false) : given === true || given === "true";
    } else if (given === undefined || given === true || given === false) {
      if (row.default !== undefined) values[name] = row.default;
      else if (row.here)
        throw new CommandError(
          "usage",
          "No channel is named.",
          "Name one with -c type:id, or set PARLEY_CHANNEL.",
        );
      else if (isRequired(row))
        throw new CommandError("usage", `${label(name, row)} is missing: ${lower(row.help)}`);
      else if (row.kind === "list") values[name] = [];
    } else if (row.kind === "list") {
      const list = [given].flat();
      values[name] = row.commas ? list.flatMap((text) => text.split(",").map((one) => one.trim())) : list;
    } else {
      const text = Array.isArray(given) ? given.join(" ") : given;
      values[name] = readValue(name, row, text, defaults);
    }
  }
  return values;
}

/** Nobody at a chat line is asked for an id. Throws `CommandError` (usage) where no message stands in. */
function defaultMessage(means: DefaultMessage, defaults: ArgDefaults): string {
  const id = defaults.message?.(means);
  if (id !== undefined) return id;
  const none = { message: "message", mine: "message of yours", poll: "poll" }[means];
  throw new CommandError("usage", `There is no ${none} here.`, "Choose a message with Esc, then j and k.");
}

const lower = (sentence: string): string => sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
