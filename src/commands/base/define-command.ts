/** The types and helpers for defining a command: its arguments, its run and how its result is shown. */
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
  /** In order of declaration; `rest` takes the remaining words as one text. Absent: a `--flag`. */
  positional?: true | "rest";
  /** For positional arguments; flags are optional unless `required` or `defaultsToCurrent`. */
  optional?: boolean;
  required?: true;
  /** What is said without it; default: `missing argument`. */
  missing?: string;
  /** Text that may be empty, such as an option of a form that checks it; ids and items of lists may not. */
  mayBeEmpty?: true;
  /** Defaults to the current channel: the open one, or `-c`. */
  defaultsToCurrent?: true;
  /** About a file of many items: not in the usage line of the message box. */
  forFiles?: true;
  /** Positional: not needed, and without a default, where `--file` names the things. */
  orFile?: true;
  /** Default message in the chat line; a required positional of kind `message` has `message`. */
  defaultMessage?: DefaultMessage;
  short?: string;
  choices?: readonly string[];
  /** For lists: a value may contain several, separated by commas. */
  commas?: true;
  /** Name of the value in help; default: by kind. */
  value?: string;
  default?: string | number | boolean;
  /** With the app's secret: the acting user; defaults to `--as`, then the profile's user. */
  actingUser?: true;
  /** For times: the direction of `2h`; default: past. */
  direction?: "past" | "future";
  /** For times: the value is a `MeasuredTime`. */
  measured?: true;
  /** The name of a time zone, in which the other arguments' times without a zone are read. */
  zone?: true;
  /** For numbers: whole numbers in this range. */
  from?: number;
  to?: number;
}

export type Args = Readonly<Record<string, ArgRow>>;

/** A time with its distance when it was parsed: an hour stays a full hour, however late the request is sent. */
export interface MeasuredTime {
  /** RFC 3339. */
  at: string;
  /** Milliseconds from parsing; 0 or less for a time in the past. */
  ms: number;
}

/** Value types of kinds that are not text. Durations are positive milliseconds. */
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
type IsOptional<R extends ArgRow> = R extends { orFile: true }
  ? true
  : R extends { default: unknown } | { kind: "flag" | "list" }
    ? false
    : R extends { positional: unknown }
      ? R extends { optional: true }
        ? true
        : false
      : R extends { required: true } | { defaultsToCurrent: true }
        ? false
        : true;
/** Parsed arguments: optional ones without a default may be absent; flags are booleans, lists may be empty. */
export type ArgValues<A extends Args> = {
  [K in keyof A as IsOptional<A[K]> extends true ? never : K]: ValueOf<A[K]>;
} & { [K in keyof A as IsOptional<A[K]> extends true ? K : never]?: ValueOf<A[K]> };

export interface Question {
  level: "mild" | "moderate" | "severe";
  question: string;
  /** For `severe`: the word that must be typed. */
  word?: string;
}

type Cell = string | number | boolean | undefined;

export type View =
  /** `isId`: the id of a new object, printed for scripts only. */
  | { kind: "line"; text: string; isId?: true }
  | { kind: "text"; lines: readonly string[] }
  /** `fields`: column → the field of the result it shows; used for data formats. */
  | {
      kind: "table";
      columns: string[];
      rows: Cell[][];
      fields?: Readonly<Record<string, string>>;
      /** On a terminal: lines redrawn in place instead of adding a row. */
      board?: readonly string[];
    }
  | { kind: "fields"; fields: [string, Cell][] }
  | { kind: "messages"; messages: import("../../wire/entities/message.ts").Message[] };

/** The value at a dotted path; a key that contains dots itself wins. */
export function valueAt(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, name)) return (value as Record<string, unknown>)[name];
  const dot = name.indexOf(".");
  return dot < 0
    ? undefined
    : valueAt((value as Record<string, unknown>)[name.slice(0, dot)], name.slice(dot + 1));
}

type Cells = Readonly<Record<string, Cell>>;

/** A row of a table from its cells by column. */
export const rowView = (cells: Cells): View => ({
  kind: "table",
  columns: Object.keys(cells),
  rows: [Object.values(cells)],
});

/** Field names of a result, and dotted ones one level deep: `user.id`. */
type FieldOf<T> = {
  [K in keyof T & string]:
    | K
    | (NonNullable<T[K]> extends object ? `${K}.${keyof NonNullable<T[K]> & string}` : never);
}[keyof T & string];

/** The field a column shows, or a cell with the field used for data. */
type Column<T> = FieldOf<T> | { cell: Cell; field?: string };

/** A row of a table from the fields of a result. */
export function rowOf<T extends object>(result: T, columns: Readonly<Record<string, Column<T>>>): View {
  const fields: Record<string, string> = {};
  const cells: Record<string, Cell> = {};
  for (const [name, column] of Object.entries<string | { cell: Cell; field?: string }>(columns)) {
    const field = typeof column === "string" ? column : column.field;
    if (field !== undefined) fields[name] = field;
    cells[name] = typeof column === "string" ? ((valueAt(result, column) ?? undefined) as Cell) : column.cell;
  }
  return { kind: "table", columns: Object.keys(cells), rows: [Object.values(cells)], fields };
}

/** Fields of one result, one per line. */
export const fieldsView = (fields: Cells): View => ({ kind: "fields", fields: Object.entries(fields) });

/** The id of a new object. */
export const idView = ({ id }: { id: string }): View => ({ kind: "line", text: id, isId: true });

/** A string becomes a line. */
export const asView = (shown: View | string): View =>
  typeof shown === "string" ? { kind: "line", text: shown } : shown;

/** How much of a list to read. */
export interface PageRequest {
  /** Maximum items over all pages; Infinity = all. */
  limit: number;
  /** The limit, if a flag of this run gave it: for commands that have none of their own. */
  given?: number;
  /** Items per request; default: as many as the limit and the endpoint allow. */
  size?: number;
  /** Cursor from an earlier run. */
  next?: string;
  /** Called with the next cursor when there are more items; without one for an unpaged list that was cut. */
  onMore?(next?: string): void;
}

/** What a run does, where and as whom. */
export interface RunIdentity {
  /** Path of the command. */
  operation: string;
  /** Arguments besides the items, by name. */
  target: Readonly<Record<string, unknown>>;
  /** The provider's address; `embedded` for the embedded one, whose port may change. */
  address: string;
  /** Key of the app. */
  key: string;
  /** Who acts; empty for the app itself. */
  user: string;
}

/** The machine that a command of the shell runs on: the part of a `Call` that the chat line does not have. */
export interface Machine {
  profile: string;
  /** Folder for data of commands in this profile; may not exist yet. */
  folder: string;
  /** Version of Parley. */
  version: string;
  /** Whether standard output is a terminal, so that foreign texts must be sanitised. */
  terminal: boolean;
  /** Profile, user, the provider's address, and the app (`k3y@chat.example`). */
  about(): Promise<{ profile: string; user: string; provider: string; app: string }>;
  /** What this run does, where and as whom. */
  identity(): Promise<RunIdentity>;
  /** Folders with data of this machine; that of the embedded provider once its files are free of what was deleted, absent if there is none. */
  dataFolders(): Promise<{ state: string; cache: string; provider?: string }>;
  /** Removes what this machine has of a user alone: store, drafts, unsent messages, the name for completion. */
  forgetUser(id: string): Promise<void>;
  /** Waits some milliseconds; rejects with the reason of the signal when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Announces a long read, so that memory use is kept small. */
  announceLongRun(): void;
  /** Throws when neither a flag nor a person can answer; call it before the first request. */
  requireAnswer(question: Question): void;
  /** Resolves when the answer is yes. */
  ask(question: Question): Promise<void>;
  /** Asks open screens of the profile to drop or send a queued message; false when none has it. */
  askScreens(act: "drop" | "retry", message: string): Promise<boolean>;
  /** Opens the live connection; `stopped` rejects when it ends permanently. */
  live(): Promise<{ stopped: Promise<never> }>;
  /** Runs `use` on an embedded provider of its own: empty, and gone afterwards with all that is in it. */
  onEmptyProvider<T>(use: (provider: OwnProvider) => Promise<T>): Promise<T>;
}

/** An embedded provider that only one run uses. */
export interface OwnProvider {
  /** A client of the app itself. */
  core: Core;
  url: string;
  apiKey: string;
}

/** What a command is given, in the shell and in the chat line. */
export interface Call<A extends Args> {
  args: ArgValues<A>;
  core: Core;
  currentChannel?: string;
  /** Channel type for `#id` and `@user`. */
  channelType: string;
  page: PageRequest;
  signal: AbortSignal;
  progress(done: number, total: number, text: string): void;
  /** Prints a note to standard error; absent in the chat line. */
  note?(text: string): void;
  /** Dry run: the first writing call becomes the plan and is not sent (specification/command-line.md §5). */
  dry: boolean;
  now(): number;
  /** UUID v4. */
  random(): string;
  /** Standard input, for arguments that are `-`; absent on the screen. */
  input?(): AsyncIterable<string>;
  /** A path that can be read repeatedly; `-` and addresses are copied for the duration of the run. */
  localFile?(file: string): Promise<string>;
  /** Writes raw bytes to standard output, for `--out -`; absent on the screen. */
  output?(bytes: Uint8Array): Promise<void>;
  /** Absent in the chat line. */
  machine?: Machine;
}

/** What reading a named file needs. */
export type FileReading = Pick<Call<Args>, "input" | "localFile">;

/** What a run may change: `provider` = shared data; `local` = only files and data on this machine. */
type Changes = "nothing" | "local" | "provider";

/** Where the main help lists a noun, or a command that is one word. */
export type HelpGroup =
  | "Daily"
  | "Talking"
  | "People"
  | "Moderation"
  | "Operations"
  | "Scripts"
  | "Local"
  | "Setup";

/** What every definition says, besides its code. */
interface Described<A extends Args> {
  summary: string;
  /** Of a command that is one word; others are in the group of their noun. */
  group?: HelpGroup;
  /** Without the leading `parley`. */
  examples?: readonly string[];
  args?: A;
  aliases?: string[];
  /** What is typed to confirm where a yes is not enough, in words: `the id of the campaign`; `only`: in which cases. */
  confirmWord?: { word: string; only?: string };
}

/** A definition before `command` completes it. */
interface CommandDefinition<A extends Args, R> extends Described<A> {
  changes: Changes;
  /** Short name in the chat line (`/edit`); a provider command of the same name wins (specification/command-line.md §7). */
  chatAlias?: string;
  /** Needs the app's secret. */
  needs?: "secret";
  /** Whether these arguments need the app's secret instead of a user token. */
  asApp?(args: ArgValues<A>): boolean;
  /** Whether these arguments are better done by the app itself, if the profile has its secret and no `--as` is given. */
  prefersApp?(args: ArgValues<A>): boolean;
  /** Why the chat line lacks it, as part of a sentence: `works on files`. Commands that need the secret are never there. */
  shellOnly?: string;
  /** Uses no provider, so that it needs neither profile nor account nor network. */
  offline?: true;
  /** Needs the store on disk, for the outbox or saved data; with `alsoInDryRun` also in a dry run. */
  needsStore?: true | "alsoInDryRun" | ((args: ArgValues<A>) => boolean);
  /** Its items arrive over time: they are printed at once and not limited; `endless` ones do not support `--json`. */
  streams?(args: ArgValues<A>): "finite" | "endless" | undefined;
  confirm?(args: ArgValues<A>): Question | undefined;
  /** It asks for confirmation through `machine` while running. */
  asksWhileRunning?: true;
  /** Returns a value or an AsyncIterable of items; must not print. */
  run(call: Call<A>): Promise<R> | AsyncIterable<R>;
  /** Default: nothing but a tick. */
  show?(result: R, args: ArgValues<A>): View | string;
  /** An error to end with after the result has been shown. */
  fault?(result: R): CommandError | undefined;
}

export interface Command<A extends Args = Args, R = unknown> extends CommandDefinition<A, R> {
  args: A;
}

/** Unparsed arguments by name: `true` for a bare flag, a list for repeated ones. */
export type RawArgs = Record<string, string | string[] | boolean | undefined>;

/** A command that only the shell has, before `command` completes it. `S` is the context of a command line. */
interface ShellDefinition<A extends Args, S> extends Described<A> {
  shell: true;
  allowsDryRun?: true;
  /** It asks for confirmation while running. */
  asks?: true;
  /** Needs no settings and no profile, so it runs even when the config file is damaged. */
  skipsConfig?: boolean;
  /** Prints its results; resolves to the exit code. `typed`: the arguments before they were parsed. */
  run(shell: S, args: ArgValues<A>, typed: RawArgs): Promise<number>;
}

export interface ShellCommand<S, A extends Args = Args> extends ShellDefinition<A, S> {
  args: A;
}

/** Result of a `run` that has written its output itself. */
export const OUTPUT_WRITTEN = Symbol("written");

/** An error of a command; its kind decides the exit code. */
export class CommandError extends Error {
  readonly kind:
    | "usage"
    | "notFound"
    | "notAllowed"
    | "conflict"
    | "rejected"
    | "unavailable"
    | "unknown"
    /** Not finished within the waiting time. */
    | "pending"
    /** Some of several items failed. */
    | "partial"
    /** A job of the provider failed. */
    | "failed"
    | "different"
    /** Another event than the expected one happened. */
    | "otherAnswer";
  readonly hint: string | undefined;
  constructor(kind: CommandError["kind"], message: string, hint?: string) {
    super(message);
    this.name = "CommandError";
    this.kind = kind;
    this.hint = hint;
  }
}

/** Defines a command, inferring the types of its arguments; with `shell`, one that only the shell has. */
export function command<const A extends Args = {}, R = unknown>(
  definition: CommandDefinition<A, R>,
): Command<A, R>;
export function command<S, const A extends Args = {}>(definition: ShellDefinition<A, S>): ShellCommand<S, A>;
export function command(definition: { args?: Args }): unknown {
  return "args" in definition ? definition : { ...definition, args: {} };
}
