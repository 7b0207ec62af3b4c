/** Finds the acting user of a call: the token's user, or the one that a server-side call names. */
import { endpoints } from "../../../../wire/endpoints/index.ts";
import { ApiProblem, type RouteCall } from "../../../base/handler.ts";
import { isObject, invalidField } from "../../validation/check.ts";
import { connectUser } from "./current-user.ts";
import { acceptOldTokens, findUser, undeletedUser, userRow, type UserRow } from "../storage/rows.ts";

/** Like `actor`, but undefined for a server that names nobody. */
export function maybeActor(call: RouteCall): UserRow | undefined {
  return call.caller.kind === "server" && !namedIn(call, call.body) ? undefined : actor(call);
}

/** The user that a server names: the query before the body, `user` before `user_id`. For an object inside the body the query does not count. */
export function namedIn(
  { body, query, caller }: Pick<RouteCall, "body" | "query" | "caller">,
  source: Record<string, unknown>,
): string | undefined {
  const inline = isObject(source.user) ? source.user.id : undefined;
  const names = [source === body ? query.user_id : undefined, inline, source.user_id, caller.userId];
  return names.find((name): name is string => typeof name === "string" && name !== "");
}

/** The author of an object in the body: named in it, else the acting user. */
export const authorOf = (
  call: RouteCall,
  { user, user_id }: { readonly user?: unknown; readonly user_id?: unknown },
  options?: { createMissing?: boolean },
): UserRow => actor(call, { user, user_id }, options);

/** Options of `connectUser` for a merge without a connection. */
const mergeOptions = ({ emit }: RouteCall, id: string) => ({ live: false, wasOnline: emit.online(id) });

/**
 * The acting user's row. A server must name one (code 4); an inline `user` object is merged (specification/auth.md §10).
 * A user with a valid token who never connected is created, as a connect would; with `createMissing`, so is a user named by a server.
 * Throws code 17 when a user banned from the app writes.
 */
export function actor(
  call: RouteCall,
  source: Record<string, unknown> = call.body,
  { createMissing = false }: { createMissing?: boolean } = {},
): UserRow {
  const { caller, db, emit } = call;
  if (caller.kind === "anonymous") throw ApiProblem.notAllowed("Anonymous users may only read");
  if (caller.kind === "server") {
    const namedId = namedIn(call, source);
    if (!namedId)
      throw invalidField(
        "user_id",
        "is required with server-side auth",
        "either user or user_id must be provided when using server side auth.",
      );
    const inline = isObject(source.user) && source.user.id === namedId ? source.user : undefined;
    if (inline || (createMissing && !findUser(db, namedId))) {
      acceptOldTokens(db, namedId);
      connectUser(db, emit, namedId, inline ?? {}, call.now(), mergeOptions(call, namedId));
    }
    return userRow(db, namedId);
  }
  const id = caller.userId!;
  const known = findUser(db, id);
  if (!known) connectUser(db, emit, id, {}, call.now(), mergeOptions(call, id));
  const row = undeletedUser(known ?? findUser(db, id), id);
  if (!endpoints[call.name].safe && row.banned === 1 && (row.ban_expires ?? Infinity) > call.now())
    throw ApiProblem.notAllowed("You are banned from this app");
  return row;
}
