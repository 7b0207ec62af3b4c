/** Reads and writes the permissions of one role in one scope: a channel type, or `app`. */
import type { Core } from "../../core/core.ts";

/** `app` and `.app` are the scope of what needs no channel. */
const isApp = (scope: string): boolean => scope === "app" || scope === ".app";

/** The role's list after `change`; written only when it differs. */
export async function changeGrants(
  core: Pick<Core, "call">,
  scope: string,
  role: string,
  change: (names: string[]) => string[],
): Promise<{ scope: string; role: string; permissions: string[]; changed: boolean }> {
  const { grants = {} } = isApp(scope)
    ? (await core.call("getApp")).app
    : await core.call("getChannelType", { path: { name: scope } });
  const before = grants[role] ?? [];
  const permissions = change(before);
  const changed = permissions.length !== before.length || permissions.some((name) => !before.includes(name));
  const body = { grants: { [role]: permissions } };
  if (changed && isApp(scope)) await core.call("updateApp", { body });
  else if (changed) await core.call("updateChannelType", { path: { name: scope }, body });
  return { scope, role, permissions, changed };
}
