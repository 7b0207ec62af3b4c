/** Sends queued webhooks: one request at a time to each address, repeated after 1, 5 and 25 s (specification/admin.md §12). */
import { WEBHOOK_RETRIES } from "../../wire/constants.ts";
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";
import type { Database } from "../base/database.ts";
import type { Post } from "./post.ts";
import { dueWebhooks, nextDue, type QueuedWebhook } from "./queue.ts";

interface SenderContext {
  db: Database;
  clock: ProviderClock;
  post: Post;
  /** The body without what was deleted while it waited. */
  current(body: string): string;
  /** Runs in a separate transaction. */
  transact(run: () => void): void;
  warn(sentence: string): void;
}

export class Sender {
  readonly #context: SenderContext;
  readonly #busy = new Set<string>();
  #timer: ProviderTimer | undefined;
  #waking = false;
  #stopped = false;

  constructor(context: SenderContext) {
    this.#context = context;
  }

  /** Checks the queue in the next turn; several calls in one turn cause one check. */
  wake(): void {
    if (this.#waking || this.#stopped) return;
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      this.#sendDue();
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  readonly #sendDue = (): void => {
    const { db, clock } = this.#context;
    if (this.#stopped) return;
    for (const webhook of dueWebhooks(db, clock.now()))
      if (!this.#busy.has(webhook.url)) void this.#send(webhook);
    this.#timer?.cancel();
    this.#timer = undefined;
    const next = nextDue(db);
    if (next === undefined) return;
    const wait = Math.ceil((next - clock.now()) / 1000);
    // A webhook that is due but not sent waits for the request to its address; when that ends, this runs again.
    if (wait > 0) this.#timer = clock.after(wait, this.#sendDue);
  };

  async #send(webhook: QueuedWebhook): Promise<void> {
    this.#busy.add(webhook.url);
    const answer = await this.#context.post({
      ...webhook,
      body: this.#context.current(webhook.body),
      attempt: webhook.attempts + 1,
    });
    this.#busy.delete(webhook.url);
    if (this.#stopped) return;
    this.#settle(webhook, answer?.status);
    this.#sendDue();
  }

  /** Removes a delivered webhook (2xx); anything else is retried, and dropped after the last wait. */
  #settle(webhook: QueuedWebhook, status: number | undefined): void {
    const { db, clock, transact, warn } = this.#context;
    const attempts = webhook.attempts + 1;
    const delivered = status !== undefined && status >= 200 && status < 300;
    const wait = WEBHOOK_RETRIES[attempts - 1];
    transact(() => {
      if (delivered || wait === undefined) db.run("DELETE FROM hook_queue WHERE seq = ?", webhook.seq);
      else
        db.run(
          "UPDATE hook_queue SET attempts = ?, due = ? WHERE seq = ?",
          attempts,
          clock.now() + wait * 1000,
          webhook.seq,
        );
    });
    if (!delivered && wait === undefined)
      warn(
        `a webhook was given up after ${attempts} attempts: ${status ?? "no answer"} from ${new URL(webhook.url).host}`,
      );
  }
}
