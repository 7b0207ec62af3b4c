/** Reads a request body up to a limit, and discards the rest of a refused one. */
import type { IncomingMessage } from "node:http";
import { BODY_TIME, JSON_BODY_LIMIT } from "../../wire/constants.ts";
import { ApiProblem } from "../base/handler.ts";

/** This much of a refused body is still read, so that the sender gets to the answer; then the socket is cut. */
const DRAIN_BYTES = 256 * 1024 * 1024;

const BODY_TIMEOUT_TEXT = `the body must be there within ${BODY_TIME / 1000} seconds`;

export const bodyTooBig = (limit: number): ApiProblem =>
  ApiProblem.tooBig(`the body may be at most ${limit} bytes`);

/** UTF-8 text of the body. Rejects with 22 (413) over the limit, 4 for a media type other than JSON, 23 (408) when it takes over 30 s. */
export function readBodyText(request: IncomingMessage, limit = JSON_BODY_LIMIT): Promise<string> {
  const { headers } = request;
  const length = Number(headers["content-length"] ?? Number.NaN);
  if (length === 0 || (Number.isNaN(length) && !headers["transfer-encoding"])) return Promise.resolve("");
  // A browser lets any page post a form or text/plain, but asks first (CORS preflight) for JSON (specification/security.md §2).
  if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    return Promise.reject(ApiProblem.input("the content type must be application/json"));
  if (length > limit) return Promise.reject(bodyTooBig(limit));
  return new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timeout = setTimeout(
      () => reject(ApiProblem.timedOut(BODY_TIMEOUT_TEXT, { status: 408 })),
      BODY_TIME,
    );
    request.once("close", () => clearTimeout(timeout));
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        request.removeAllListeners("data");
        reject(bodyTooBig(limit));
      } else chunks.push(chunk);
    });
    request.on("end", () => {
      clearTimeout(timeout);
      resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString("utf8"));
    });
    request.on("aborted", () => reject(ApiProblem.timedOut("the request was cut off", { status: 408 })));
    request.on("error", () => reject(ApiProblem.timedOut("the request was cut off", { status: 408 })));
  });
}

/** Discards the rest of a refused body, for at most so many milliseconds. */
export function drain(request: IncomingMessage, within: number): void {
  if (request.complete || request.destroyed) return;
  let remainingBytes = DRAIN_BYTES;
  const timeout = setTimeout(() => request.destroy(), within);
  request.once("close", () => clearTimeout(timeout));
  request.on("data", (chunk: Buffer) => {
    remainingBytes -= chunk.length;
    if (remainingBytes < 0) request.destroy();
  });
  request.resume();
}
