/** Who may moderate beyond one channel (specification/moderation.md §2, §2.2, §4). */
import { ApiProblem, type RouteCall } from "../../../base/handler.ts";

const ADMINS: ReadonlySet<string> = new Set(["admin", "global_admin"]);
export const MODERATORS: ReadonlySet<string> = new Set([...ADMINS, "moderator", "global_moderator"]);

const hasRole = ({ caller }: Pick<RouteCall, "caller">, roles: ReadonlySet<string>): boolean =>
  caller.kind === "server" || (caller.kind === "user" && roles.has(caller.role));

/** Throws code 17 unless the caller is an admin or a server; `what` completes "Only admins may …". */
export function requireAdmin(call: RouteCall, what: string): void {
  if (!hasRole(call, ADMINS)) throw ApiProblem.notAllowed(`Only admins may ${what}`);
}

/** Throws code 17 unless the caller is a moderator, an admin or a server. */
export function requireModerator(call: RouteCall, what: string): void {
  if (!hasRole(call, MODERATORS)) throw ApiProblem.notAllowed(`Only moderators may ${what}`);
}
