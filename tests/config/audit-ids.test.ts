/** Whose ids a call changes stand in the audit log, whatever the field that names them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { Audit } from "../../src/cli/base/audit.ts";
import { readAudit } from "../../src/config/audit.ts";

/** The ids, the number of ids and the calls that one run leaves in its log. */
function logged(
  ...changes: { operation: string; path?: Record<string, string>; query?: unknown; body?: unknown }[]
) {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-audit-"));
  try {
    const env = { HOME: folder, XDG_STATE_HOME: folder };
    const audit = new Audit();
    const settings = { audit: "on" } as never;
    audit.setContext({ env, err: undefined as never, settings, profile: "p", user: "mira", command: "x" });
    for (const change of changes) audit.recordChange(change);
    audit.end(0);
    const { ids, count, operations } = readAudit(env).lines.at(-1)!;
    return { ids, count, operations };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test.each([
  ["users", { ana: { id: "ana" }, bo: { id: "bo" } }],
  ["users", [{ id: "ana" }, { id: "bo" }]],
  ["add_members", [{ user_id: "ana" }, "bo"]],
  ...[
    "user_ids",
    "target_ids",
    "cids",
    "remove_members",
    "invites",
    "add_moderators",
    "demote_moderators",
  ].map((field): [string, unknown] => [field, ["ana", "bo"]]),
  [
    "assign_roles",
    [
      { user_id: "ana", channel_role: "x" },
      { user_id: "bo", channel_role: "y" },
    ],
  ],
])("both of %s: %j", (field, value) => {
  expect(
    logged({ operation: "Op", path: { type: "messaging", id: "ops" }, body: { [field]: value } }),
  ).toMatchObject({
    ids: ["messaging:ops", "ana", "bo"],
    count: 3,
  });
});

test("of more than twenty ids the first twenty are named and all are counted, each once", () => {
  const users = Array.from({ length: 21 }, (_, n) => `u${n}`);
  const { ids, count, operations } = logged(
    { operation: "A", body: { user_ids: users } },
    { operation: "A", body: { user_ids: users } },
    { operation: "B", query: { target_user_id: "u3" } },
  );
  expect([ids, count, operations]).toEqual([users.slice(0, 20), 21, { A: 2, B: 1 }]);
});
