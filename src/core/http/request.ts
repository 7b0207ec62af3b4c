/** Builds the request of a call: URL, identity, headers and body (specification/wire.md §4, §11). */
import { LIST_ANSWER_LIMIT, REQUEST_TIMEOUT } from "../../wire/constants.ts";
import { fillPath, type EndpointName, type EndpointRow } from "../../wire/endpoints/index.ts";
import { wellFormedJson } from "../../text/well-formed.ts";
import type { CallArgs } from "../base/api-types.ts";
import type { HttpRequest } from "../base/ports.ts";
import type { Credential } from "./token.ts";
import { makeUrl, type QueryValue } from "./url.ts";

/** A multipart body; JSON calls have none. */
export interface UploadBody {
  body: Exclude<HttpRequest["body"], string | undefined>;
  contentType: string;
  onProgress?(sent: number, total: number): void;
}

export interface PendingCall {
  name: EndpointName;
  row: EndpointRow;
  args: CallArgs<EndpointName>;
  /** The same for every retry. */
  requestId: string;
  upload: UploadBody | undefined;
}

interface CallOrigin {
  baseUrl: string;
  apiKey: string;
  clientName: string;
  /** Absent for endpoints that need no token. */
  credential?: Credential | undefined;
  /** Only while the connection is open (specification/realtime.md §13). */
  connectionId?: string | undefined;
  xsrf: Record<string, string>;
}

export function buildRequest({ row, args, requestId, upload }: PendingCall, origin: CallOrigin): HttpRequest {
  const { credential, connectionId } = origin;
  const data = withoutWatching(args.query, connectionId);
  const identity: Record<string, unknown> = credential
    ? { api_key: origin.apiKey, user_id: credential.userId, connection_id: connectionId }
    : {};
  const query = row.payload ? { payload: data, ...identity } : { ...identity, ...data };
  const hasBody = row.method !== "GET" && row.method !== "DELETE";
  return {
    method: row.method,
    url: makeUrl(
      origin.baseUrl,
      fillPath(row.path, (args.path ?? {}) as Record<string, string>),
      query as Record<string, QueryValue>,
    ),
    headers: {
      accept: "application/json",
      "X-Stream-Client": origin.clientName,
      "x-client-request-id": requestId,
      ...(args.key !== undefined && { "idempotency-key": args.key }),
      ...(credential && { "stream-auth-type": credential.authType }),
      ...(credential?.token && { Authorization: credential.token }),
      ...origin.xsrf,
      ...(upload
        ? { "content-type": upload.contentType }
        : hasBody && { "content-type": "application/json" }),
    },
    ...(upload
      ? { body: upload.body }
      : hasBody && { body: wellFormedJson(withoutWatching(args.body, connectionId)) }),
    timeout: args.timeout ?? (upload ? 0 : REQUEST_TIMEOUT),
    ...(args.signal && { signal: args.signal }),
    maxBytes: LIST_ANSWER_LIMIT,
    ...(upload?.onProgress && { onProgress: upload.onProgress }),
  };
}

/** Drops `watch` and `presence` without an open connection: the data still comes (specification/realtime.md §13). */
function withoutWatching(
  data: object | undefined,
  connectionId: string | undefined,
): Record<string, unknown> {
  const all = (data ?? {}) as Record<string, unknown>;
  if (connectionId !== undefined) return all;
  const { watch: _watch, presence: _presence, ...rest } = all;
  return rest;
}
