/** The webhooks of one provider: queued in the transaction of a change, sent after it. */
import { HOOK_ANSWER_LIMIT } from "../../wire/constants.ts";
import type { CallHook } from "../base/handler.ts";
import { parseJson } from "../base/json.ts";
import { type Post, createPost } from "./post.ts";
import { randomUUID } from "node:crypto";
import type { RequestInfo } from "../../wire/entities/webhook.ts";
import type { Domain } from "../base/ports.ts";
import type { Emit } from "../base/emit.ts";
import type { ProviderClock } from "../base/clock.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Batch } from "../store/batch.ts";
import type { Database } from "../base/database.ts";
import { warnOncePerHost } from "./address.ts";
import { enqueue } from "./queue.ts";
import { textWithoutGone } from "../store/copies.ts";
import { Sender } from "./sender.ts";

/** Signed like a webhook, but sent only once; succeeds with a 2xx answer and a JSON object. */
function createCallHook(post: Post, uuid: () => string): CallHook {
  return async (url, body) => {
    const answer = await post({
      url,
      id: uuid(),
      attempt: 1,
      body: JSON.stringify(body),
      timeout: HOOK_ANSWER_LIMIT,
    });
    if (!answer) return { status: undefined, json: undefined };
    try {
      return { status: answer.status, json: answer.status < 300 ? parseJson(answer.text) : undefined };
    } catch {
      return { status: answer.status, json: undefined };
    }
  };
}

interface WebhooksContext {
  apiKey: string;
  secret: string;
  db: Database;
  domain: Pick<Domain, "hookExtras" | "findGone">;
  batch: Batch;
  clock: ProviderClock;
  /** Rewrites signed file addresses in a JSON text. */
  refresh(json: string): string;
  warn(sentence: string): void;
}

export interface Webhooks {
  readonly sender: Sender;
  readonly callHook: CallHook;
  /** Returns a function that queues the webhooks of an event in its transaction; `request` caused the event. */
  recorderFor(
    request: RequestInfo | undefined,
  ): (event: AnyEvent, time: number, emit: Pick<Emit, "online">) => void;
}

export function createWebhooks(context: WebhooksContext): Webhooks {
  const { apiKey, secret, db, domain, batch, clock, refresh, warn } = context;
  const onRemoteUrl = warnOncePerHost(warn);
  const post = createPost(apiKey, secret, onRemoteUrl);
  const transact = (run: () => void): void => batch.runNow({ run });
  const current = (body: string): string =>
    domain.findGone ? textWithoutGone(db, body, domain.findGone) : body;
  const sender = new Sender({ db, clock, post, current, transact, warn });
  const serialize = (body: object): string => refresh(JSON.stringify(body));
  return {
    sender,
    callHook: createCallHook(post, randomUUID),
    recorderFor: (request) => (event, time, emit) => {
      const extras = (): Record<string, unknown> => domain.hookExtras?.(db, emit, event) ?? {};
      // The sender checks in the next turn, when this transaction is committed or undone.
      if (enqueue(db, { event, time, extras, request, serialize, onRemoteUrl })) sender.wake();
    },
  };
}
