/** The one definition of an operation from which both faces come: its arguments, its run and how its result is shown. */
import type { Core } from "../core/core.ts";

export type ArgKind =
  | "text"
  | "words"
  | "number"
  | "flag"
  | "channel"
  | "user"
  | "message"
  | "file"
  | "time"
  | "choice"
  | "list";

export interface ArgRow {
  kind: ArgKind;
  help: string;
  /** Positional (in order of declaration) or `--flag`; `rest` takes the remaining words, one text. */
  place: "positional" | "flag" | "rest";
  optional?: boolean;
  /** Filled from where the caller stands: the open channel, or `-c`. */
  here?: boolean;
  short?: string;
  choices?: readonly string[];
  default?: string | number | boolean;
}

export type Args = Readonly<Record<string, ArgRow>>;

type ValueOf<R extends ArgRow> = R["kind"] extends "number"
  ? number
  : R["kind"] extends "flag"
    ? boolean
    : R["kind"] extends "list"
      ? string[]
      : string;
/** What `run` is given: optional rows without a default may be absent. */
export type Values<A extends Args> = {
  [K in keyof A as A[K] extends { optional: true; default?: undefined } ? never : K]: ValueOf<A[K]>;
} & { [K in keyof A as A[K] extends { optional: true; default?: undefined } ? K : never]?: ValueOf<A[K]> };

export interface Question {
  level: "mild" | "moderate" | "severe";
  question: string;
  /** Severe: the word that must be typed. */
  word?: string;
}

export type View =
  | { kind: "line"; text: string }
  | { kind: "table"; columns: string[]; rows: (string | number | boolean | undefined)[][] }
  | { kind: "fields"; fields: [string, string | number | boolean | undefined][] }
  | { kind: "messages"; messages: import("../wire/message.ts").Message[] }
  | { kind: "progress"; done: number; total: number; text: string };

export interface Call<A extends Args> {
  args: Values<A>;
  core: Core;
  /** The channel the caller stands in. */
  here?: string;
  signal: AbortSignal;
  progress(done: number, total: number, text: string): void;
  /** Nothing unsafe may be sent; the first unsafe call becomes the plan (decisions 6). */
  dry: boolean;
  now(): number;
  random(): string;
  /** Bytes of standard input when an argument is `-`; the screen has none. */
  input?(): AsyncIterable<string>;
}

export interface Command<A extends Args = Args, R = unknown> {
  summary: string;
  args: A;
  aliases?: string[];
  /** How much of core to wake; `secret` = server side only. */
  needs?: "nothing" | "api" | "live" | "secret";
  confirm?(args: Values<A>): Question;
  /** A value, or an AsyncIterable of items. No printing, no asking, no screen. */
  run(call: Call<A>): Promise<R> | AsyncIterable<R>;
  /** Default: a quiet tick. */
  show?(result: R, args: Values<A>): View;
}

/** Keeps the argument types of a literal definition. */
export function command<const A extends Args, R>(definition: Command<A, R>): Command<A, R> {
  return definition;
}
