/** Statements over push devices. */
import type { Database } from "../../../base/database.ts";

export interface DeviceRow {
  id: string;
  user_id: string;
  push_provider: string;
  push_provider_name: string | null;
  hardware_id: string | null;
  voip: number;
  /** Set while the device is switched off. */
  disabled_reason: string | null;
  created_at: number;
}

export type NewDevice = Omit<DeviceRow, "disabled_reason">;

export function findDevice(db: Database, id: string): DeviceRow | undefined {
  return db.get<DeviceRow>("SELECT * FROM devices WHERE id = ?", id);
}

/** Devices of these users, oldest first. */
export function devicesOfUsers(db: Database, userIds: readonly string[]): DeviceRow[] {
  return db.all<DeviceRow>(
    "SELECT * FROM devices WHERE user_id IN (SELECT value FROM json_each(?)) ORDER BY created_at, id",
    JSON.stringify(userIds),
  );
}

export function insertDevice(db: Database, device: NewDevice): void {
  db.run(
    `INSERT INTO devices (id, user_id, push_provider, push_provider_name, hardware_id, voip, created_at)
     VALUES (:id, :user_id, :push_provider, :push_provider_name, :hardware_id, :voip, :created_at)`,
    device,
  );
}

export function removeDevice(db: Database, id: string): void {
  db.run("DELETE FROM devices WHERE id = ?", id);
}

/** False when the user has no device of this id. */
export function removeDeviceOf(db: Database, userId: string, id: string): boolean {
  return db.run("DELETE FROM devices WHERE id = ? AND user_id = ?", id, userId).changes > 0;
}

/** Removes all but the newest `keep` devices. */
export function removeOldDevices(db: Database, userId: string, keep: number): void {
  db.run(
    `DELETE FROM devices WHERE id IN (SELECT id FROM devices WHERE user_id = ? ORDER BY created_at DESC, id DESC
     LIMIT -1 OFFSET ?)`,
    userId,
    keep,
  );
}

export function removeDevicesOf(db: Database, userId: string): void {
  db.run("DELETE FROM devices WHERE user_id = ?", userId);
}

/** A user's devices, sorted by id. */
export function devicesById(db: Database, userId: string): DeviceRow[] {
  return db.all<DeviceRow>("SELECT * FROM devices WHERE user_id = ? ORDER BY id", userId);
}
