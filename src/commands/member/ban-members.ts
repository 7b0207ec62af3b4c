/** Shared by bans and shadow bans from a channel. */
import type { BulkCall } from "../base/bulk/bulk.ts";
import type { Args, MeasuredTime } from "../base/define-command.ts";
import { banIs } from "../base/bulk/left-state.ts";
import { changeEachUser } from "../base/bulk/names.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { MEMBERS_ARGS } from "./change-members.ts";

export const BAN_ARGS = {
  ...MEMBERS_ARGS,
  until: { kind: "time", direction: "future", measured: true, help: "When the ban ends" },
  reason: { kind: "text", value: "text", help: "The reason" },
} as const satisfies Args;

/** `timeout` in whole minutes, at least one; empty without an end. */
export function minutesUntil(until: MeasuredTime | undefined): { timeout?: number } {
  if (until === undefined) return {};
  return { timeout: Math.max(1, Math.ceil(until.ms / 60_000)) };
}

/** Bans users one by one; results are built from the request, as the provider returns none. */
export async function* banEach(call: BulkCall<typeof BAN_ARGS>, options: object, shadow: boolean) {
  const { channel, until, reason } = call.args;
  const cid = await cidOf(call, channel);
  const reasonField = reason === undefined ? {} : { reason };
  yield* changeEachUser(call, {
    batchSize: 1,
    send: ([user]) =>
      call.core.call("ban", {
        body: { target_user_id: user!, ...pathOf(cid), ...minutesUntil(until), ...reasonField, ...options },
      }),
    ...(until === undefined && { isDone: banIs(call.core, cid, true) }),
    result: shadow ? "shadow banned" : "banned",
    resultOf: (user) => ({
      user,
      channel: cid,
      banned: !shadow,
      shadow_banned: shadow,
      ...(until === undefined ? {} : { until: until.at }),
      ...reasonField,
    }),
  });
}
