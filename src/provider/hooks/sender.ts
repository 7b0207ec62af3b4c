/** Sends queued webhooks: one request at a time to each address, repeated after 1, 5 and 25 s (specification/admin.md §12). */
import { WEBHOOK_RETRIES } from "../../wire/constants.ts";
import type { ProviderClock, ProviderTimer } from "../base/clock.ts";
import type { Database } from "../base/database.ts";
import type { Post } from "./post.ts";
import { dueNow, nextDue, type Waiting } from "./queue.ts";

interface SenderContext {
  db: Database;
  clock: ProviderClock;
  post: Post;
  /** Runs in a transaction of its own. */
  transact(run: () => void): void;
  /** Sentences for the operator. */
  warn(sentence: string): void;
}

export class Sender {
  readonly #context: SenderContext;
  /** Addresses that a request is on its way to. */
  readonly #busy = new Set<string>();
  #timer: ProviderTimer | undefined;
  #looking = false;
  #stopped = false;

  constructor(context: SenderContext) {
    this.#context = context;
  }

  /** Something may wait: looked at once a turn, however often this is called. */
  look(): void {
    if (this.#looking || this.#stopped) return;
    this.#looking = true;
    setImmediate(() => {
      this.#looking = false;
      this.#turn();
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  readonly #turn = (): void => {
    const { db, clock } = this.#context;
    if (this.#stopped) return;
    for (const one of dueNow(db, clock.now())) if (!this.#busy.has(one.url)) void this.#send(one);
    this.#timer?.cancel();
    this.#timer = undefined;
    const next = nextDue(db);
    if (next === undefined) return;
    const wait = Math.ceil((next - clock.now()) / 1000);
    // A hook that is due but not sent waits for the request before it, whose end looks here again.
    if (wait > 0) this.#timer = clock.after(wait, this.#turn);
  };

  async #send(one: Waiting): Promise<void> {
    this.#busy.add(one.url);
    const answer = await this.#context.post({ ...one, attempt: one.attempts + 1 });
    this.#busy.delete(one.url);
    if (this.#stopped) return;
    this.#settle(one, answer?.status);
    this.#turn();
  }

  /** 2xx ends it; anything else is tried again, and given up after the last wait. */
  #settle(one: Waiting, status: number | undefined): void {
    const { db, clock, transact, warn } = this.#context;
    const attempts = one.attempts + 1;
    const taken = status !== undefined && status >= 200 && status < 300;
    const wait = WEBHOOK_RETRIES[attempts - 1];
    transact(() => {
      if (taken || wait === undefined) db.run("DELETE FROM hook_queue WHERE seq = ?", one.seq);
      else
        db.run(
          "UPDATE hook_queue SET attempts = ?, due = ? WHERE seq = ?",
          attempts,
          clock.now() + wait * 1000,
          one.seq,
        );
    });
    if (!taken && wait === undefined)
      warn(
        `a webhook was given up after ${attempts} attempts: ${status ?? "no answer"} from ${new URL(one.url).host}`,
      );
  }
}
