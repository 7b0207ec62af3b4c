/** What all parts of one provider share: folder, database, clock, connections and address. */
import type { Domain } from "./base/ports.ts";
import type { ProviderOptions } from "./options.ts";
import type { Signer } from "./files/sign.ts";
import type { Gate } from "./http/origin.ts";
import type { ProviderClock } from "./base/clock.ts";
import type { Hub } from "./realtime/hub.ts";
import type { Batch } from "./store/batch.ts";
import type { Failures } from "./store/failures.ts";
import type { OpenedDatabase } from "./store/open.ts";

export interface ProviderBase {
  readonly domain: Domain;
  readonly options: ProviderOptions;
  readonly folder: string;
  /** The database is in memory and the folder a temporary one. */
  readonly memory: boolean;
  readonly apiKey: string;
  readonly secret: string;
  readonly lock: { release(): void };
  readonly db: OpenedDatabase;
  readonly batch: Batch;
  readonly clock: ProviderClock;
  readonly hub: Hub;
  readonly signer: Signer;
  readonly failures: Failures;
  /** Filled in once the provider listens. */
  readonly address: { url: string; gate: Gate | undefined };
  /** Warns the operator; `stack` says where it happened. */
  warn(sentence: string, stack?: string): void;
}
