/** The queue of webhooks: written in the transaction of the change, so that a restart loses none. */
import { randomUUID } from "node:crypto";
import type { AnyEvent } from "../../wire/events.ts";
import { timeFromMicros } from "../../wire/time.ts";
import type { RequestInfo } from "../../wire/entities/webhook.ts";
import { readApp } from "../store/app-settings.ts";
import type { Database } from "../base/database.ts";
import { hooksFor } from "./choose.ts";

export interface Waiting {
  seq: number;
  /** The same in every attempt. */
  id: string;
  url: string;
  body: string;
  timeout: number;
  /** Attempts made. */
  attempts: number;
  /** Whole microseconds. */
  due: number;
}

/** More than this many wait for an address nobody answers at: the oldest are given up. */
const LIMIT = 10_000;

interface Happened {
  event: AnyEvent;
  /** Whole microseconds. */
  at: number;
  /** What the event brings along for servers alone: members with their numbers. */
  extras(): Record<string, unknown>;
  request: RequestInfo | undefined;
  /** The body as text, with file addresses that work. */
  written(body: object): string;
  /** An address that is not on this machine, and so is not called. */
  outside(url: string): void;
}

/** Within the transaction of the event; true when somebody wants it. Costs one read of kept settings while no hook is on. */
export function enqueue(db: Database, happened: Happened): boolean {
  const { event, at, extras, request, written, outside } = happened;
  const app = readApp(db);
  if (app.event_hooks.length === 0 && app.webhook_url === "") return false;
  const hooks = hooksFor(app, event.type, outside);
  if (hooks.length === 0) return false;
  const body = written({
    ...event,
    ...extras(),
    ...(request ? { request_info: request } : {}),
    received_at: timeFromMicros(at),
  });
  for (const { url, timeout } of hooks)
    db.run(
      "INSERT INTO hook_queue (id, url, body, timeout, attempts, due) VALUES (?, ?, ?, ?, 0, ?)",
      randomUUID(),
      url,
      body,
      timeout,
      at,
    );
  db.run("DELETE FROM hook_queue WHERE seq <= (SELECT max(seq) FROM hook_queue) - ?", LIMIT);
  return true;
}

/** The first due body of each address, oldest first. */
export const dueNow = (db: Database, now: number): Waiting[] =>
  db.all<Waiting>(
    `SELECT * FROM hook_queue WHERE seq IN (SELECT min(seq) FROM hook_queue WHERE due <= ? GROUP BY url) ORDER BY seq`,
    now,
  );

/** When the next attempt is due, whole microseconds. */
export const nextDue = (db: Database): number | undefined =>
  db.value<number>("SELECT min(due) FROM hook_queue");
