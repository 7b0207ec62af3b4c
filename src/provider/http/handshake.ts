/** Reads the handshake request of a WebSocket: the caller and the payload. */
import type { IncomingMessage } from "node:http";
import type { Caller } from "../base/handler.ts";
import { invalidField } from "../base/problems.ts";
import { parseJson } from "../base/json.ts";
import type { Authenticator } from "./auth.ts";
import { parseRequestUrl } from "./request-url.ts";
import { credentialsOf } from "./server.ts";

interface Handshake {
  caller: Caller;
  payload: Record<string, unknown>;
}

/** The token is taken from the payload only when the request carries no other. */
export function readHandshake(authenticate: Authenticator, request: IncomingMessage): Handshake {
  const { query } = parseRequestUrl(request.url ?? "/");
  const credentials = credentialsOf(request, query, true);
  let payload: Record<string, unknown> | undefined;
  if (!credentials.token && query.json !== undefined) {
    payload = parseJson(query.json);
    if (typeof payload.user_token === "string") credentials.token = payload.user_token;
  }
  const caller = authenticate(credentials);
  if (query.json === undefined) throw invalidField("json", "is required", "json is missing");
  return { caller, payload: payload ?? parseJson(query.json) };
}
