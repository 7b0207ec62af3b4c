/** The webhooks of one provider: queued with the change they report, sent after it. */
import { randomUUID } from "node:crypto";
import type { RequestInfo } from "../../wire/entities/webhook.ts";
import type { Ask } from "../base/handler.ts";
import type { Domain } from "../base/ports.ts";
import type { Emit } from "../base/emit.ts";
import type { ProviderClock } from "../base/clock.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Batch } from "../store/batch.ts";
import type { Database } from "../base/database.ts";
import { onceForEachHost } from "./address.ts";
import { createAsk } from "./ask.ts";
import { createPost } from "./post.ts";
import { enqueue } from "./queue.ts";
import { Sender } from "./sender.ts";

interface WebhooksContext {
  apiKey: string;
  secret: string;
  db: Database;
  domain: Pick<Domain, "hookExtras">;
  batch: Batch;
  clock: ProviderClock;
  /** Rewrites signed file addresses in a JSON text. */
  refresh(json: string): string;
  /** Sentences for the operator. */
  warn(sentence: string): void;
}

export interface Webhooks {
  readonly sender: Sender;
  readonly ask: Ask;
  /** Writes, in the transaction of an event, what hooks are to be sent of it; `request` caused it. */
  written(
    request: RequestInfo | undefined,
  ): (event: AnyEvent, at: number, emit: Pick<Emit, "online">) => void;
}

export function createWebhooks(context: WebhooksContext): Webhooks {
  const { apiKey, secret, db, domain, batch, clock, refresh, warn } = context;
  const outside = onceForEachHost(warn);
  const post = createPost(apiKey, secret, outside);
  const transact = (run: () => void): void => batch.now({ run, undo: () => {}, release: () => {} });
  const sender = new Sender({ db, clock, post, transact, warn });
  const written = (body: object): string => refresh(JSON.stringify(body));
  return {
    sender,
    ask: createAsk(post, randomUUID),
    written: (request) => (event, at, emit) => {
      const extras = (): Record<string, unknown> => domain.hookExtras?.(db, emit, event) ?? {};
      // The sender looks in the next turn, when this transaction is committed or undone.
      if (enqueue(db, { event, at, extras, request, written, outside })) sender.look();
    },
  };
}
