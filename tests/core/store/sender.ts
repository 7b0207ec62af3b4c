/** A program for the kill test: adds rows to the store at the given path and prints each once it is durable. */
import { openStateDb } from "../../../src/core/store/state-db.ts";

const store = openStateDb(process.argv[2]!, Date.now);
for (let n = 0; ; n++) {
  const messageId = `ada-${n}`;
  store.enqueue({
    messageId,
    cid: "messaging:kitchen",
    action: { kind: "send", message: { id: messageId, text: `text ${n}` }, options: {} },
    state: "queued",
    tries: 0,
    owner: "1:1",
    createdAt: n,
  });
  process.stdout.write(`${messageId}\n`);
}
