/** Calls handlers as the server for a job, with the same checks, writes and events as a request. */
import type { EndpointName } from "../../../wire/endpoints/index.ts";
import type { RouteCall } from "../../base/handler.ts";
import type { DueContext } from "../../base/ports.ts";

/** `userId`: the acting user, as a server-side call names one. */
export function serverCall(
  due: DueContext,
  name: EndpointName,
  input: Partial<Pick<RouteCall, "path" | "query" | "body">>,
  userId?: string,
): RouteCall {
  return {
    // Spread first, because a handler may pass its own call, whose fields are replaced below.
    ...due,
    name,
    op: name,
    path: {},
    query: {},
    body: {},
    ...input,
    caller: { kind: "server", userId, role: "server" },
    connectionId: undefined,
    requestId: undefined,
  };
}
