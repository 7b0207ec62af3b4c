/** Revoking tokens: the time is the provider's, asked before. */
import { expect, test } from "vitest";
import revoke from "../../src/commands/user/revoke.ts";

const PROVIDER_NOW = Date.parse("2026-03-04T06:00:00.000Z");

test("without --before the date is the provider's time, also when this machine's clock is an hour behind", async () => {
  const machineNow = PROVIDER_NOW - 3_600_000;
  const dates: unknown[] = [];
  let offset = 0;
  const call = {
    args: { users: ["bo"] },
    now: () => machineNow,
    signal: new AbortController().signal,
    progress: () => {},
    core: {
      providerNow: () => machineNow + offset,
      call: async (name: string, how: { body: { users: { set: object }[] } }) => {
        // Any answer tells the provider's time.
        offset = PROVIDER_NOW - machineNow;
        if (name === "updateUsersPartial") dates.push(...how.body.users.map(({ set }) => set));
        return { users: {} };
      },
    },
  };
  for await (const _ of revoke.run(call as never) as AsyncIterable<unknown>);
  expect(dates).toEqual([{ revoke_tokens_issued_before: "2026-03-04T06:00:00.000Z" }]);
});
