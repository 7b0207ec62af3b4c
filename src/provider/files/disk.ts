/** Disk access that uploads and the files of jobs share: unfinished uploads, and sending a file. */
import { createReadStream, readdirSync, rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { ApiProblem } from "../base/handler.ts";
import { FilePace } from "./file-pace.ts";

/** The suffix of a file that is still being received. */
export const PART_SUFFIX = ".part";

/** Removes the unfinished uploads of a provider that was killed. */
export function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.endsWith(PART_SUFFIX)) rmSync(path.join(folder, name), { force: true });
}

/** Answers with a file; 404 when it is not on disk. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: string,
  headers: OutgoingHttpHeaders,
): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (!info) throw ApiProblem.notFound("no such file");
  response.writeHead(200, {
    ...headers,
    "Content-Length": info.size,
    "X-Content-Type-Options": "nosniff",
  });
  if (request.method === "HEAD") return void response.end();
  const pace = new FilePace(() => response.destroy());
  const source = createReadStream(file);
  source.on("data", (piece) => pace.moved(piece.length));
  // A client that disconnects is not an error.
  await pipeline(source, response).catch(() => {});
  pace.stop();
}
