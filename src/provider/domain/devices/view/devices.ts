/** Push devices in answers. */
import { timeFromMicros } from "../../../../wire/time.ts";
import type { Device } from "../../../../wire/entities/user.ts";
import type { Database } from "../../../base/database.ts";
import { devices, type DeviceRow } from "../storage/devices.ts";

function deviceView(row: DeviceRow): Device {
  return {
    id: row.id,
    push_provider: row.push_provider,
    user_id: row.user_id,
    created_at: timeFromMicros(row.created_at),
    ...(row.push_provider_name === null ? {} : { push_provider_name: row.push_provider_name }),
    ...(row.hardware_id === null ? {} : { hardware_id: row.hardware_id }),
    ...(row.voip ? { voip: true } : {}),
    ...(row.disabled_reason === null ? {} : { disabled: true, disabled_reason: row.disabled_reason }),
  };
}

/** Devices of these users, oldest first. */
export function devicesOf(db: Database, userIds: readonly string[]): Device[] {
  return devices.list(db, { user_id: userIds }, { by: ["created_at", "id"] }).map(deviceView);
}
