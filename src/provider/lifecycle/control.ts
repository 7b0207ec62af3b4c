/** The control interface of a running provider, outside the protocol: `POST /_local/<verb>` with a server token. */
import type { IncomingMessage } from "node:http";
import { ApiProblem } from "../base/handler.ts";
import type { Authenticator } from "../http/auth.ts";
import { credentialsOf, type AdminApi } from "../http/server.ts";
import { parseRequestUrl } from "../http/request-url.ts";
import { proof } from "./identity.ts";

/** Answers one control verb; runs outside any transaction, so it may be asynchronous. */
export type Verb = (body: Record<string, unknown>) => object | Promise<object>;
export type Verbs = Record<string, Verb>;

export function createAdminApi(secret: string, authenticate: Authenticator, verbs: Verbs): AdminApi {
  const prove: Verb = ({ nonce }) => {
    if (typeof nonce !== "string" || !/^[\w-]{16,128}$/.test(nonce))
      throw ApiProblem.input("nonce must be 16 to 128 letters or digits");
    return { proof: proof(secret, nonce), pid: process.pid };
  };
  return (verb, request: IncomingMessage) => {
    if (verb === "prove") return prove;
    const credentials = credentialsOf(request, parseRequestUrl(request.url ?? "/").query, false);
    const caller = authenticate({ ...credentials, worksWhileSuspended: true });
    if (caller.kind !== "server") throw ApiProblem.notAllowed("local control needs a server token");
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (!run) throw ApiProblem.notFound("there is no such control");
    return run;
  };
}
