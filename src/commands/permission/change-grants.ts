/** Changes the permissions of a role in a scope: a channel type, or `app`. */
import type { Core } from "../../core/core.ts";
import { BULK_ARGS, runBulk, type BulkCall } from "../base/bulk/bulk.ts";
import type { Args } from "../base/define-command.ts";
import { readBulkNames, describeNames, type NameReader } from "../base/bulk/names.ts";

export const GRANT_ARGS = {
  scope: { kind: "text", value: "type", positional: true, help: "A channel type, or app" },
  role: { kind: "text", positional: true, help: "The role" },
  permissions: { kind: "list", positional: true, optional: true, help: "The permissions" },
  ...BULK_ARGS,
} as const satisfies Args;

type GrantCall = BulkCall<typeof GRANT_ARGS>;

const PERMISSIONS: NameReader = {
  unit: "permissions",
  fields: ["id", "permission"],
  read: (text) => text,
};

/** Text for messages: `tidy, read-channel`, or `the permissions of grants.csv`. */
export const describePermissions = ({ permissions, ...args }: GrantCall["args"]): string =>
  describeNames(permissions, args, PERMISSIONS.unit);

/** `app` and `.app` are the same scope. */
const isApp = (scope: string): boolean => scope === "app" || scope === ".app";

interface GrantResult {
  scope: string;
  role: string;
  permissions: string[];
  changed: boolean;
}

/** Grants or revokes the permissions and returns the role's list. */
export async function changeGrants(call: GrantCall, result: "granted" | "revoked"): Promise<GrantResult> {
  const { scope, role, permissions } = call.args;
  const parts = runBulk(call, {
    read: () => readBulkNames(call, permissions, PERMISSIONS),
    unit: PERMISSIONS.unit,
    // One request: it replaces the whole list.
    batchSize: Infinity,
    result,
    isDone: async (id) => (await grantsOf(call.core, scope, role)).includes(id) === (result === "granted"),
    send(items) {
      const names = items.map(({ id }) => id);
      return changeRole(call.core, scope, role, (before) =>
        result === "granted"
          ? [...new Set([...before, ...names])]
          : before.filter((name) => !names.includes(name)),
      );
    },
  });
  let after: GrantResult = { scope, role, permissions: [], changed: false };
  for await (const { reply } of parts) after = { ...reply, changed: after.changed || reply.changed };
  return after;
}

/** The permissions of the role. */
async function grantsOf(core: Pick<Core, "call">, scope: string, role: string): Promise<string[]> {
  const { grants = {} } = isApp(scope)
    ? (await core.call("getApp")).app
    : await core.call("getChannelType", { path: { name: scope } });
  return grants[role] ?? [];
}

/** Writes the role's list if it changes. */
async function changeRole(
  core: Pick<Core, "call">,
  scope: string,
  role: string,
  change: (names: string[]) => string[],
): Promise<GrantResult> {
  const before = await grantsOf(core, scope, role);
  const permissions = change(before);
  const changed = permissions.length !== before.length || permissions.some((name) => !before.includes(name));
  const body = { grants: { [role]: permissions } };
  if (changed && isApp(scope)) await core.call("updateApp", { body });
  else if (changed) await core.call("updateChannelType", { path: { name: scope }, body });
  return { scope, role, permissions, changed };
}
