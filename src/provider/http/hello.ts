/** Reads the first request of a WebSocket: who connects, and with which payload. */
import type { IncomingMessage } from "node:http";
import type { Caller } from "../base/handler.ts";
import { invalidField } from "../base/problems.ts";
import { parseJson } from "../base/json.ts";
import type { Authenticator } from "./auth.ts";
import { parseRequestUrl } from "./query.ts";
import { credentialsOf } from "./server.ts";

interface Hello {
  caller: Caller;
  payload: Record<string, unknown>;
}

/** The key is checked before the payload is read, the token inside the payload only when there is no other. */
export function readHelloRequest(authenticate: Authenticator, request: IncomingMessage): Hello {
  const { query } = parseRequestUrl(request.url ?? "/");
  const given = credentialsOf(request, query, true);
  let payload: Record<string, unknown> | undefined;
  if (!given.token && query.json !== undefined) {
    payload = parseJson(query.json);
    if (typeof payload.user_token === "string") given.token = payload.user_token;
  }
  const caller = authenticate(given);
  if (query.json === undefined) throw invalidField("json", "is required", "json is missing");
  return { caller, payload: payload ?? parseJson(query.json) };
}
