/** A thread that answers reading calls from a database connection that cannot write. */
import { randomUUID } from "node:crypto";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { DomainHandlers } from "./base/handler.ts";
import { chat } from "./chat.ts";
import { createSigner } from "./files/sign.ts";
import { readApp } from "./store/app-settings.ts";
import { runWithinBudget, LONG } from "./store/budget.ts";
import { openReader } from "./store/open.ts";
import { readingEmit, type AskWatching } from "./reader/emit.ts";
import { deserializedError, faultOf } from "./reader/faults.ts";
import type { Answer, Job, Result, Start } from "./reader/job.ts";

const { file, secret, flag } = workerData as Start;
const port = parentPort!;
const told = new Int32Array(flag);
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
const tell = (result: Result, moved: ArrayBuffer[] = []): void => port.postMessage(result, moved);

/** Waits without turning: the handler that asks is in the middle of its work. */
function watchingAsker(id: number): AskWatching {
  return (cids, watch) => {
    tell({ id, kind: "asks", question: { job: id, cids, watch } });
    for (;;) {
      Atomics.wait(told, 0, 0);
      Atomics.store(told, 0, 0);
      const got = receiveMessageOnPort(port)?.message as Answer | undefined;
      if (!got) continue;
      if (!got.ok) throw deserializedError(got.fault);
      // From here on the thread reads what is newer than the beginning of the watch, so nothing is missed between the two.
      if (watch) db.raw.exec("COMMIT; BEGIN");
      return got.watching;
    }
  };
}

function answer(job: Job): { json: Uint8Array<ArrayBuffer>; presence: string[] } {
  ({ base, now } = job);
  const began = performance.now() - job.spent;
  const emit = readingEmit(job, watchingAsker(job.id));
  db.raw.exec("BEGIN");
  try {
    const reply = runWithinBudget(db.raw, LONG, () =>
      chat.handlers[job.call.name as keyof DomainHandlers]({
        ...job.call,
        db,
        emit,
        now: () => ++now,
        uuid: randomUUID,
      }),
    );
    const duration = `${(performance.now() - began).toFixed(2)}ms`;
    const text = signer.refresh(JSON.stringify({ ...reply, duration }));
    return { json: new Uint8Array(Buffer.from(text)), presence: [...emit.presenceOf] };
  } finally {
    db.raw.exec("COMMIT");
  }
}

port.on("message", (job: Job) => {
  try {
    const { json, presence } = answer(job);
    tell({ id: job.id, kind: "answer", json, presence }, [json.buffer]);
  } catch (error) {
    tell({ id: job.id, kind: "fault", fault: faultOf(error) });
  }
});
