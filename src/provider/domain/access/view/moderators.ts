/** Who may moderate beyond one channel (specification/moderation.md §2, §2.2, §4). */
import { ApiProblem, type RouteCall } from "../../../base/handler.ts";

const ADMINS: ReadonlySet<string> = new Set(["admin", "global_admin"]);
export const MODERATORS: ReadonlySet<string> = new Set([...ADMINS, "moderator", "global_moderator"]);

const has = ({ caller }: Pick<RouteCall, "caller">, roles: ReadonlySet<string>): boolean =>
  caller.kind === "server" || (caller.kind === "user" && roles.has(caller.role));

/** 17 unless an admin or a server asks. */
export function requireAdmin(call: RouteCall, what: string): void {
  if (!has(call, ADMINS)) throw ApiProblem.notAllowed(`Only admins may ${what}`);
}

/** 17 unless a moderator, an admin or a server asks. */
export function requireModerator(call: RouteCall, what: string): void {
  if (!has(call, MODERATORS)) throw ApiProblem.notAllowed(`Only moderators may ${what}`);
}
