/** The thread that decodes pictures, one request at a time. */
import { parentPort } from "node:worker_threads";
import type { DecodeTask } from "./decoder.ts";
import { decode, decodeMoving } from "./decoding.ts";

parentPort!.on("message", ({ request, moving }: DecodeTask) => {
  void (moving ? decodeMoving : decode)(request).then((answer) => parentPort!.postMessage(answer));
});
