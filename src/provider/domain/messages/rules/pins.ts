/** Pins of messages: the requested change and the resulting columns (specification/messages.md §6). */
import type { BodyReader, Fields } from "../../validation/check.ts";
import type { UserRow } from "../../users/storage/rows.ts";
import { isPinnedRow, type MessageRow } from "../storage/rows.ts";

/** `undefined`: the pin stays as it is. */
export type PinChange = { on: false } | { on: true; expires: number | null } | undefined;

export function readPin(check: BodyReader, source: Fields, row: MessageRow, now: number): PinChange {
  if (source.pinned === undefined && source.pin_expires === undefined) return undefined;
  const before = isPinnedRow(row, now);
  const on = source.pinned === undefined ? before : (check.flag("pinned") ?? false);
  const requestedExpiry = check.date("pin_expires");
  const expires = source.pin_expires === undefined && before ? row.pin_expires : (requestedExpiry ?? null);
  if (!on) return { on: false };
  if (requestedExpiry !== undefined && requestedExpiry <= now)
    check.fail("pin_expires", "must be in the future");
  if (row.restricted !== null) check.fail("pinned", "is not possible for a message of restricted visibility");
  return { on: true, expires };
}

/** Whether the request changes the pin; otherwise it needs no permission. */
export function pinChanges(pin: PinChange, row: MessageRow, now: number): boolean {
  if (pin === undefined) return false;
  if (!pin.on) return isPinnedRow(row, now);
  return !isPinnedRow(row, now) || pin.expires !== row.pin_expires;
}

type Pins = Pick<MessageRow, "pinned_at" | "pin_expires" | "pinned_by">;

export function pinsAfter(pin: PinChange, row: MessageRow, me: UserRow, now: number): Pins {
  if (pin === undefined)
    return { pinned_at: row.pinned_at, pin_expires: row.pin_expires, pinned_by: row.pinned_by };
  if (!pin.on) return { pinned_at: null, pin_expires: null, pinned_by: null };
  return isPinnedRow(row, now)
    ? { pinned_at: row.pinned_at, pin_expires: pin.expires, pinned_by: row.pinned_by }
    : { pinned_at: now, pin_expires: pin.expires, pinned_by: me.id };
}
