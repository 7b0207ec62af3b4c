/** Reads and writes the permissions of one role in one scope: a channel type, or `app`. */
import type { Core } from "../../core/core.ts";
import { BULK_ARGS, runBulk, type BulkCall } from "../base/bulk/bulk.ts";
import type { Args } from "../base/define-command.ts";
import { readBulkNames, describeNames, type NameReader } from "../base/bulk/names.ts";

export const GRANT_ARGS = {
  scope: { kind: "text", value: "type", place: "positional", help: "A channel type, or app" },
  role: { kind: "text", place: "positional", help: "The role" },
  permissions: { kind: "list", place: "positional", optional: true, help: "The permissions" },
  ...BULK_ARGS,
} as const satisfies Args;

type GrantCall = BulkCall<typeof GRANT_ARGS>;

const PERMISSIONS: NameReader = {
  unit: "permissions",
  fields: ["id", "permission"],
  read: (text) => text,
};

/** `tidy, read-channel`, or `the permissions of grants.csv`. */
export const whichOf = ({ permissions, ...args }: GrantCall["args"]): string =>
  describeNames(permissions, args, PERMISSIONS.unit);

/** `app` and `.app` are the scope of what needs no channel. */
const isApp = (scope: string): boolean => scope === "app" || scope === ".app";

interface Granted {
  scope: string;
  role: string;
  permissions: string[];
  changed: boolean;
}

/** The role's list after the permissions were granted or revoked. */
export async function changeGrants(call: GrantCall, result: "granted" | "revoked"): Promise<Granted> {
  const { scope, role, permissions } = call.args;
  const parts = runBulk(call, {
    read: () => readBulkNames(call, permissions, PERMISSIONS),
    unit: PERMISSIONS.unit,
    // The list of a role is written whole.
    batchSize: Infinity,
    result,
    send(items) {
      const named = items.map(({ id }) => id);
      return write(call.core, scope, role, (before) =>
        result === "granted"
          ? [...new Set([...before, ...named])]
          : before.filter((name) => !named.includes(name)),
      );
    },
  });
  let after: Granted = { scope, role, permissions: [], changed: false };
  for await (const { reply } of parts) after = { ...reply, changed: after.changed || reply.changed };
  return after;
}

/** Written only when it differs. */
async function write(
  core: Pick<Core, "call">,
  scope: string,
  role: string,
  change: (names: string[]) => string[],
): Promise<Granted> {
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
