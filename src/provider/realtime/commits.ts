/** Transactions with events, which are sent after the commit to connections, hooks and internal listeners. */
import type { AnyEvent } from "../../wire/events.ts";
import type { RequestInfo } from "../../wire/entities/webhook.ts";
import type { Batch } from "../store/batch.ts";
import type { Database } from "../base/database.ts";
import { Collector, type CollectorContext } from "./collector.ts";

type Hook = NonNullable<CollectorContext["hook"]>;
type Listener = (event: AnyEvent) => void;

interface CommitsContext extends Omit<CollectorContext, "hook"> {
  batch: Batch;
  hookFor(request: RequestInfo | undefined): Hook;
  /** Called after a commit, once its events are sent. */
  onCommit(): void;
  reportError(error: unknown): void;
}

export class Commits {
  readonly #context: CommitsContext;
  readonly #listeners = new Set<Listener>();
  readonly #serverListeners = new Set<Listener>();

  constructor(context: CommitsContext) {
    this.#context = context;
  }

  /** A collector for one call; a `quiet` one queues nothing for hooks. */
  readonly collector = (request?: RequestInfo, quiet = false): Collector =>
    new Collector(quiet ? this.#context : { ...this.#context, hook: this.#context.hookFor(request) });

  readonly release = (emit: Collector): void => {
    emit.flush();
    this.#notify(this.#listeners, emit.broadcasts);
    this.#notify(this.#serverListeners, emit.serverEvents);
    this.#context.onCommit();
  };

  /** `name` is for the operator, in case the transaction blocks everybody for long. The events of a `quiet` one are dropped. */
  transact<T>(name: string, run: (emit: Collector, db: Database) => T, quiet = false): T {
    const emit = this.collector(undefined, quiet);
    return this.#context.batch.runNow({
      name,
      run: () => run(emit, this.#context.db),
      undo: () => emit.undo(),
      release: () => {
        if (quiet) emit.discard();
        else this.release(emit);
      },
    });
  }

  onEvent(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onServerEvent(listener: Listener): () => void {
    this.#serverListeners.add(listener);
    return () => this.#serverListeners.delete(listener);
  }

  #notify(listeners: Set<Listener>, events: AnyEvent[]): void {
    for (const event of events)
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          this.#context.reportError(error);
        }
      }
  }
}
