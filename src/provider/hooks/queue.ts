/** The stored queue of webhooks: written in the transaction of the change, so that a restart loses none. */
import { randomUUID } from "node:crypto";
import type { AnyEvent } from "../../wire/events.ts";
import { timeFromMicros } from "../../wire/time.ts";
import type { RequestInfo } from "../../wire/entities/webhook.ts";
import { noteCopies } from "../store/copies.ts";
import { readApp } from "../store/app-settings.ts";
import type { Database } from "../base/database.ts";
import { hooksFor } from "./event-hooks.ts";

export interface QueuedWebhook {
  seq: number;
  /** The same in every attempt. */
  id: string;
  url: string;
  body: string;
  timeout: number;
  attempts: number;
  /** Whole microseconds. */
  due: number;
}

/** Most queued webhooks; beyond that the oldest are dropped. */
const MAX_QUEUED = 10_000;

interface WebhookEvent {
  event: AnyEvent;
  /** Whole microseconds. */
  time: number;
  /** Fields for servers only: the members with their unread numbers. */
  extras(): Record<string, unknown>;
  request: RequestInfo | undefined;
  /** The body as text, with current file addresses. */
  serialize(body: object): string;
  /** Called with an address that is not on this machine and therefore not called. */
  onRemoteUrl(url: string): void;
}

/** Queues an event within its transaction; true when a hook gets it. Without hooks it costs one read of cached settings. */
export function enqueue(db: Database, webhook: WebhookEvent): boolean {
  const { event, time, extras, request, serialize, onRemoteUrl } = webhook;
  const app = readApp(db);
  if (app.event_hooks.length === 0 && app.webhook_url === "") return false;
  const hooks = hooksFor(app, event.type, onRemoteUrl);
  if (hooks.length === 0) return false;
  const body = {
    ...event,
    ...extras(),
    ...(request ? { request_info: request } : {}),
    received_at: timeFromMicros(time),
  };
  const text = serialize(body);
  for (const { url, timeout } of hooks) {
    const { lastInsertRowid } = db.run(
      "INSERT INTO hook_queue (id, url, body, timeout, attempts, due) VALUES (?, ?, ?, ?, 0, ?)",
      randomUUID(),
      url,
      text,
      timeout,
      time,
    );
    noteCopies(db, "hook", lastInsertRowid, body);
  }
  db.run("DELETE FROM hook_queue WHERE seq <= (SELECT max(seq) FROM hook_queue) - ?", MAX_QUEUED);
  return true;
}

/** The first due webhook of each address, oldest first. */
export const dueWebhooks = (db: Database, now: number): QueuedWebhook[] =>
  db.all<QueuedWebhook>(
    `SELECT * FROM hook_queue WHERE seq IN (SELECT min(seq) FROM hook_queue WHERE due <= ? GROUP BY url) ORDER BY seq`,
    now,
  );

/** When the next attempt is due, whole microseconds. */
export const nextDue = (db: Database): number | undefined =>
  db.value<number>("SELECT min(due) FROM hook_queue");
