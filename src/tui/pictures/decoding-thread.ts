/** The thread that decodes pictures, one request at a time. */
import { parentPort } from "node:worker_threads";
import { decode, type DecodeRequest } from "./decoding.ts";

parentPort!.on("message", (request: DecodeRequest) => {
  void decode(request).then((answer) => parentPort!.postMessage(answer));
});
