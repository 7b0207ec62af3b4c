/** The thread that decodes pictures, one request at a time. */
import { parentPort } from "node:worker_threads";
import { decode } from "./decoding.ts";
import type { Wish } from "./decoding.ts";

parentPort!.on("message", (wish: Wish) => {
  void decode(wish).then((answer) => parentPort!.postMessage(answer));
});
