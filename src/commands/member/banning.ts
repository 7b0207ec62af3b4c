/** What the two kinds of bans have in common. */
import type { Args, MeasuredTime } from "../base/define-command.ts";

export const BAN_ARGS = {
  user: { kind: "user", place: "positional", help: "The user" },
  channel: { kind: "channel", short: "c", here: true, help: "The channel" },
  until: { kind: "time", direction: "future", measured: true, help: "When the ban ends" },
  reason: { kind: "text", value: "text", help: "Why" },
} as const satisfies Args;

/** `timeout` in whole minutes, at least one; nothing without an end. */
export function minutesUntil(until: MeasuredTime | undefined): { timeout?: number } {
  if (until === undefined) return {};
  return { timeout: Math.max(1, Math.ceil(until.ms / 60_000)) };
}

/** The result of a ban: what was asked for, since the provider answers nothing. */
export function banned(
  cid: string,
  args: { user: string; until?: MeasuredTime | undefined; reason?: string | undefined },
  shadow: boolean,
): Record<string, unknown> {
  return {
    user: args.user,
    channel: cid,
    banned: !shadow,
    shadow_banned: shadow,
    ...(args.until === undefined ? {} : { until: args.until.at }),
    ...(args.reason === undefined ? {} : { reason: args.reason }),
  };
}
