/** The options that a provider is started with. */
import type { External } from "./base/handler.ts";
import type { LogEntry } from "./http/server.ts";
import { type ProviderClock } from "./base/clock.ts";
import type { Verbs } from "./lifecycle/control.ts";
import type { LinkOptions } from "./links/external.ts";

export interface ProviderOptions {
  /** The data folder, or `":memory:"` to store nothing. */
  data: string;
  /** 0 = the port the folder used last, else any free one. */
  port?: number;
  /** Default: the secret of the folder, created at its first start. */
  secret?: string;
  /** Default: derived from the secret. */
  apiKey?: string;
  clock?: ProviderClock;
  /** Origins of web pages that may call this provider; none by default. */
  allowOrigins?: readonly string[];
  /** Refuse requests over the limits; by default they are only counted. */
  rateLimits?: boolean;
  stay?: boolean;
  /** Version of the program, shown to programs that find this provider. */
  version?: string;
  /** Started in the background by another command, not in a terminal. */
  background?: boolean;
  verbs?: Verbs;
  /** Called once per answered request; the entry never contains tokens, keys or texts. */
  log?(entry: LogEntry): void;
  links?: LinkOptions;
  /** Default: returns the text unchanged. */
  translate?: External["translate"];
  /** Warnings for the operator, such as a damaged file that was moved aside or a failure in the background (with its stack). */
  warn?(sentence: string, stack?: string): void;
  /** Reports a transaction that blocked everybody for long. Separate from `warn`, because it depends on the machine. */
  onSlowCommit?(sentence: string): void;
}
