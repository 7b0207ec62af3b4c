/** The options that a provider is started with. */
import type { External } from "./base/handler.ts";
import type { LogEntry } from "./http/server.ts";
import { type ProviderClock } from "./base/clock.ts";
import type { Verbs } from "./lifecycle/control.ts";
import type { LinkOptions } from "./links/external.ts";

export interface ProviderOptions {
  /** The data folder, or `":memory:"` for a provider that forgets. */
  data: string;
  /** 0 = the remembered port of the folder, else any free one. */
  port?: number;
  /** Default: the secret of the folder, made at its first start. */
  secret?: string;
  /** Default: derived from the secret. */
  apiKey?: string;
  clock?: ProviderClock;
  /** Origins of web pages that may speak to this provider; none by default. */
  allowOrigins?: readonly string[];
  /** Refuse over the limits; counting alone is the default. */
  rateLimits?: boolean;
  /** Keep running without clients. */
  stay?: boolean;
  /** Of the program, told to whoever finds the provider. */
  version?: string;
  /** Started for whoever needs it, not in somebody's foreground. */
  background?: boolean;
  /** More verbs for `POST /_local/…`. */
  verbs?: Verbs;
  /** One line an answered request; tokens, keys and texts are never in it. */
  log?(entry: LogEntry): void;
  /** Which pages are read for previews, and how. */
  links?: LinkOptions;
  /** Default: every text is its own translation. */
  translate?: External["translate"];
  /** Sentences for the operator: a damaged file moved aside, a failure in the background, and where it happened. */
  warn?(sentence: string, stack?: string): void;
  /** What held everybody up, and for how long: it depends on the machine, so it is no trouble of the provider's. */
  slow?(sentence: string): void;
}
