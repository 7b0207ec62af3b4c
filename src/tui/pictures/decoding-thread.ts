/** The thread that decodes pictures: one wish at a time, one answer each. */
import { parentPort } from "node:worker_threads";
import { decode } from "./decoding.ts";
import type { Wish } from "./decoding.ts";

parentPort!.on("message", (wish: Wish) => {
  void decode(wish).then((answer) => parentPort!.postMessage(answer));
});
