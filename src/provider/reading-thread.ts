/** Entry of a reading thread: answers read-only calls over a database connection that cannot write. */
import { randomUUID } from "node:crypto";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { durationSince } from "./base/errors.ts";
import type { DomainHandlers } from "./base/handler.ts";
import { chat } from "./chat.ts";
import { createSigner } from "./files/sign.ts";
import { readApp } from "./store/app-settings.ts";
import { runWithinBudget, FULL_BUDGET } from "./store/budget.ts";
import { openReader } from "./store/open.ts";
import { readingEmit, type FetchWatchers } from "./reader/emit.ts";
import { deserializeError, serializeError } from "./reader/thread-errors.ts";
import type { WatchAnswer, Job, ThreadMessage, ThreadOptions } from "./reader/job.ts";

const { file, secret, flag } = workerData as ThreadOptions;
const port = parentPort!;
const wakeFlag = new Int32Array(flag);
const db = openReader(file, (raw) => chat.registerFunctions?.(raw));
let base = "";
let now = 0;
const signer = createSigner(
  secret,
  () => base,
  () => now,
  () => readApp(db).cdn_expiration_seconds,
);

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has none
const post = (result: ThreadMessage, transfer: ArrayBuffer[] = []): void =>
  port.postMessage(result, transfer);

/** Asks the main thread who watches; blocks, because the handler that needs the answer is synchronous. */
function blockingWatchers(id: number): FetchWatchers {
  return (cids, watch) => {
    post({ id, kind: "question", question: { job: id, cids, watch } });
    for (;;) {
      Atomics.wait(wakeFlag, 0, 0);
      Atomics.store(wakeFlag, 0, 0);
      const reply = receiveMessageOnPort(port)?.message as WatchAnswer | undefined;
      if (!reply) continue;
      if (!reply.ok) throw deserializeError(reply.fault);
      // A new read transaction: what is read now is newer than the start of the watch, so no event is missed between the two.
      if (watch) db.raw.exec("COMMIT; BEGIN");
      return reply.watchers;
    }
  };
}

function answer(job: Job): { json: Uint8Array<ArrayBuffer>; presence: string[] } {
  ({ base, now } = job);
  const startedAt = performance.now() - job.elapsed;
  const emit = readingEmit(job, blockingWatchers(job.id));
  db.raw.exec("BEGIN");
  try {
    const reply = runWithinBudget(db.raw, FULL_BUDGET, () =>
      chat.handlers[job.call.name as keyof DomainHandlers]({
        ...job.call,
        db,
        emit,
        now: () => ++now,
        uuid: randomUUID,
      }),
    );
    const text = signer.refresh(JSON.stringify({ ...reply, duration: durationSince(startedAt) }));
    return { json: new Uint8Array(Buffer.from(text)), presence: [...emit.presenceOf] };
  } finally {
    db.raw.exec("COMMIT");
  }
}

port.on("message", (job: Job) => {
  try {
    const { json, presence } = answer(job);
    post({ id: job.id, kind: "answer", json, presence }, [json.buffer]);
  } catch (error) {
    post({ id: job.id, kind: "fault", fault: serializeError(error) });
  }
});
post({ kind: "ready" });
