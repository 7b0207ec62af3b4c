/** Writes an error on a connection without an HTTP response: a broken request or a refused upgrade. */
import http from "node:http";
import type { Duplex } from "node:stream";
import type { ApiProblem } from "../base/handler.ts";
import { errorBody } from "../base/errors.ts";

/** Answers and ends the connection. */
export function writeBare(socket: Duplex, refusal: ApiProblem): void {
  const body = errorBody("Request", refusal, performance.now());
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${body.StatusCode} ${http.STATUS_CODES[body.StatusCode] ?? "Error"}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
