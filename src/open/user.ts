/** Derives the embedded provider's user from the user of this machine. */
import { userInfo } from "node:os";
import type { Env } from "../config/paths.ts";

/** The OS user's name cut to `[a-z0-9_-]`, else `me` (specification/auth.md §11). */
function userIdFrom(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9_-]/g, "")
      .slice(0, 64) || "me"
  );
}

export function osUser(env: Env): { id: string; name?: string } {
  let name = env.USER ?? env.USERNAME ?? "";
  try {
    name = userInfo().username || name;
  } catch {
    // A container may have no entry for this user.
  }
  return { id: userIdFrom(name) };
}
