/** The one definition of an operation from which both faces come: its arguments, its run and how its result is shown. */
import type { DefaultMessage } from "../../model/default-message.ts";
import type { Core } from "../../core/core.ts";

type ArgKind =
  | "text"
  | "words"
  | "number"
  | "flag"
  | "channel"
  | "user"
  | "message"
  | "file"
  | "time"
  | "duration"
  | "choice"
  | "list";

export interface ArgRow {
  kind: ArgKind;
  help: string;
  /** Positional (in order of declaration); `rest` takes the remaining words, one text. Without it: a `--flag`. */
  place?: "positional" | "rest";
  /** It may be left out; a flag always may, unless it is `required` or taken from `here`. */
  optional?: boolean;
  required?: true;
  /** Filled from where the caller stands: the open channel, or `-c`. */
  here?: boolean;
  /** Which message the chat line means when none is named, nor a file of them; `message` for every required place of that kind. */
  means?: DefaultMessage;
  short?: string;
  choices?: readonly string[];
  /** Lists: one value may be several, with commas between them. */
  commas?: true;
  /** What the value is called in help; default: by its kind. */
  value?: string;
  default?: string | number | boolean;
  /** Who acts where the app's secret speaks; without it `--as`, else whoever the profile belongs to. */
  acts?: true;
  /** Times: which way `2h` counts; default past. */
  direction?: "past" | "future";
  /** Times: `run` is told how far off it is, too. */
  measured?: true;
  /** Numbers: whole ones from this on, and up to that. */
  from?: number;
  to?: number;
}

export type Args = Readonly<Record<string, ArgRow>>;

/** A time, measured when it was read: whoever asked for an hour gets the whole hour, however late the request goes out. */
export interface MeasuredTime {
  /** RFC 3339. */
  at: string;
  /** Milliseconds from the moment it was read; not above 0 for a time that is over. */
  ms: number;
}

/** What each kind of argument becomes, where it does not stay text. Durations are milliseconds above 0. */
interface ValueByKind {
  number: number;
  flag: boolean;
  list: string[];
  duration: number;
}
type ValueOf<R extends ArgRow> = R extends { measured: true }
  ? MeasuredTime
  : R["kind"] extends keyof ValueByKind
    ? ValueByKind[R["kind"]]
    : string;
type MayLack<R extends ArgRow> = R extends { default: unknown } | { kind: "flag" | "list" }
  ? false
  : R extends { place: unknown }
    ? R extends { optional: true }
      ? true
      : false
    : R extends { required: true } | { here: true }
      ? false
      : true;
/** What `run` is given: optional rows without a default may be absent; a flag is true or false, a list may be empty. */
export type ArgValues<A extends Args> = {
  [K in keyof A as MayLack<A[K]> extends true ? never : K]: ValueOf<A[K]>;
} & { [K in keyof A as MayLack<A[K]> extends true ? K : never]?: ValueOf<A[K]> };

export interface Question {
  level: "mild" | "moderate" | "severe";
  question: string;
  /** Severe: the word that must be typed. */
  word?: string;
}

type Cell = string | number | boolean | undefined;

export type View =
  /** `isId`: of what was just made; scripts want it, and it says nothing to a person. */
  | { kind: "line"; text: string; isId?: true }
  | { kind: "text"; lines: readonly string[] }
  /** `fields`: the field of the result that a column shows, where it is one; data has its names and values. */
  | {
      kind: "table";
      columns: string[];
      rows: Cell[][];
      fields?: Readonly<Record<string, string>>;
      /** Of rows that come one by one on a terminal: what stands in their place, drawn over what stood there before. */
      board?: readonly string[];
    }
  | { kind: "fields"; fields: [string, Cell][] }
  | { kind: "messages"; messages: import("../../wire/entities/message.ts").Message[] };

/** The value at a dotted path; custom keys with a dot are tried whole first. */
export function dig(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, name)) return (value as Record<string, unknown>)[name];
  const dot = name.indexOf(".");
  return dot < 0
    ? undefined
    : dig((value as Record<string, unknown>)[name.slice(0, dot)], name.slice(dot + 1));
}

type Cells = Readonly<Record<string, Cell>>;

/** One row with its cells by column: the rows of a list are one table. */
export const rowView = (cells: Cells): View => ({
  kind: "table",
  columns: Object.keys(cells),
  rows: [Object.values(cells)],
});

/** Names of a result's fields, and of those in them: `user.id`. */
type FieldOf<T> = {
  [K in keyof T & string]:
    | K
    | (NonNullable<T[K]> extends object ? `${K}.${keyof NonNullable<T[K]> & string}` : never);
}[keyof T & string];

/** The field that a column shows, or what it shows of the result and the field that data has in its place. */
type Column<T> = FieldOf<T> | { cell: Cell; field?: string };

/** A result as a row: column → what of the result stands there. */
export function rowOf<T extends object>(result: T, columns: Readonly<Record<string, Column<T>>>): View {
  const fields: Record<string, string> = {};
  const cells: Record<string, Cell> = {};
  for (const [name, column] of Object.entries<string | { cell: Cell; field?: string }>(columns)) {
    const field = typeof column === "string" ? column : column.field;
    if (field !== undefined) fields[name] = field;
    cells[name] = typeof column === "string" ? ((dig(result, column) ?? undefined) as Cell) : column.cell;
  }
  return { kind: "table", columns: Object.keys(cells), rows: [Object.values(cells)], fields };
}

/** One result as its fields, a line each. */
export const fieldsView = (fields: Cells): View => ({ kind: "fields", fields: Object.entries(fields) });

/** The id of what was made. */
export const idView = ({ id }: { id: string }): View => ({ kind: "line", text: id, isId: true });

/** What a command or the shell says of a result: a text is a line. */
export const asView = (shown: View | string): View =>
  typeof shown === "string" ? { kind: "line", text: shown } : shown;

/** How much of a list is wanted; the face stops reading at `limit`, the command chooses pages with it. */
export interface PageRequest {
  /** Items over all pages; Infinity = all. */
  limit: number;
  /** Items a request; default: what the limit and the endpoint allow. */
  size?: number;
  /** Where an earlier run stopped. */
  next?: string;
  /** Told where to go on when more is there; without a place by a face that has to cut a list that comes whole. */
  more?(next?: string): void;
}

/** The machine that a command of the shell runs on. */
export interface Machine {
  profile: string;
  /** The profile's own folder for what commands keep here; it may not be there yet. */
  folder: string;
  /** Of this program. */
  version: string;
  /** Standard output is a terminal: what others wrote goes there cleaned. */
  terminal: boolean;
  /** Who speaks, and with whom: the provider's address, found out when it is asked for. */
  about(): Promise<{ profile: string; user: string; provider: string }>;
  /** It reads for long: its memory is kept small from now on. */
  runsLong(): void;
  /** Throws at once where neither a flag nor a person would answer: before any request, so that nothing is left half done. */
  needAnswer(question: Question): void;
  /** Returns when the answer is yes. */
  ask(question: Question): Promise<void>;
  /** Has an open screen of the profile drop a message that it is to send, or send it now; false where none is to. */
  askScreens(act: "drop" | "retry", message: string): Promise<boolean>;
  /** Opens the live connection; the inner promise rejects when it has stopped for good. */
  live(): Promise<{ stopped: Promise<never> }>;
}

export interface CommandCall<A extends Args> {
  args: ArgValues<A>;
  core: Core;
  /** The channel the caller stands in. */
  here?: string;
  /** The type that `#id` and `@user` stand for. */
  channelType: string;
  page: PageRequest;
  signal: AbortSignal;
  progress(done: number, total: number, text: string): void;
  /** Says something beside the result, on standard error; the chat line has no place for it. */
  tell?(text: string): void;
  /** Nothing unsafe may be sent; the first unsafe call becomes the plan (specification/command-line.md §5). */
  dry: boolean;
  now(): number;
  /** UUID v4. */
  random(): string;
  /** Bytes of standard input when an argument is `-`; the screen has none. */
  input?(): AsyncIterable<string>;
  /** Where a file that an argument names can be read more than once: `-` and addresses are kept as long as the run lasts. */
  fileOf?(file: string): Promise<string>;
  /** Bytes to standard output as they are, for `--out -`; the screen has none. */
  output?(bytes: Uint8Array): Promise<void>;
  /** The chat line has none. */
  machine?: Machine;
}

/** What files that are named are read with. */
export type Reading = Pick<CommandCall<Args>, "input" | "fileOf">;

/**
 * What a run of the command may change: `provider` what others see, too; `here` files and what is kept on this machine, from
 * where at most goes out what was written before.
 */
type Changes = "nothing" | "here" | "provider";

/** As it is written down. */
interface Written<A extends Args, R> {
  summary: string;
  changes: Changes;
  /** Without the leading `parley`. */
  examples?: readonly string[];
  /** Without it there are none. */
  args?: A;
  aliases?: string[];
  /** Server side only. */
  needs?: "secret";
  /** These arguments want the app's secret where others do with a token. */
  asApp?(args: ArgValues<A>): boolean;
  /** Why the chat line does not have it, as the middle of a sentence: `works on files`. Those that need the secret it never has. */
  shellOnly?: string;
  /** Sends through the outbox, or needs what this machine keeps: the store on disk is opened; `to look` in a dry run, too. */
  keeps?: true | "to look" | ((args: ArgValues<A>) => boolean);
  /** Its items come as time passes: each is printed at once and `--limit` cuts none; `endless` ones take no `--json`. */
  streams?(args: ArgValues<A>): "to an end" | "endless" | undefined;
  confirm?(args: ArgValues<A>): Question | undefined;
  /** It asks by `machine`, when it has looked at what it is about. */
  asksLater?: true;
  /** A value, or an AsyncIterable of items. No printing, no asking, no screen. */
  run(call: CommandCall<A>): Promise<R> | AsyncIterable<R>;
  /** Default: a quiet tick. */
  show?(result: R, args: ArgValues<A>): View | string;
  /** What is wrong with a result that is shown all the same: the run ends as this says. */
  fault?(result: R): CommandError | undefined;
}

export interface Command<A extends Args = Args, R = unknown> extends Written<A, R> {
  args: A;
}

/** What `run` answers when its output is written already: nothing more is printed. */
export const WRITTEN = Symbol("written");

/** What a command refuses by itself; the face gives it its exit code and its words. */
export class CommandError extends Error {
  readonly kind:
    | "usage"
    | "notFound"
    | "notAllowed"
    | "conflict"
    | "rejected"
    | "unavailable"
    | "unknown"
    /** Not over when the waiting time was. */
    | "pending"
    /** Some of several failed. */
    | "partial"
    /** A job of the provider ended badly. */
    | "failed"
    /** What was compared differs. */
    | "different"
    /** The answer is another than was hoped for. */
    | "otherAnswer";
  readonly hint: string | undefined;
  constructor(kind: CommandError["kind"], message: string, hint?: string) {
    super(message);
    this.name = "CommandError";
    this.kind = kind;
    this.hint = hint;
  }
}

/** Keeps the argument types of a literal definition. */
export function command<const A extends Args = {}, R = unknown>(definition: Written<A, R>): Command<A, R> {
  return ("args" in definition ? definition : { ...definition, args: {} }) as Command<A, R>;
}
