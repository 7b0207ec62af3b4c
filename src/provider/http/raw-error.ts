/** Writes an error to a socket that has no HTTP response object: after a malformed request or a refused upgrade. */
import http from "node:http";
import type { Duplex } from "node:stream";
import type { ApiProblem } from "../base/handler.ts";
import { errorBody } from "../base/errors.ts";

export function writeRawError(socket: Duplex, refusal: ApiProblem): void {
  const body = errorBody("Request", refusal, performance.now());
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${body.StatusCode} ${http.STATUS_CODES[body.StatusCode] ?? "Error"}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
