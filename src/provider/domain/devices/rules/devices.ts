/** Push devices of a user: registering, listing, removing (specification/users.md §8). Nothing is pushed from here. */
import { device } from "../../../../wire/bodies/devices.ts";
import { DEVICES_PER_USER } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../store/database.ts";
import { actor } from "../../users/rules/acting.ts";
import { BodyReader } from "../../validation/check.ts";
import { devicesOf, type DeviceRow } from "../view/devices.ts";

type NewDevice = Pick<DeviceRow, "id" | "push_provider" | "push_provider_name" | "hardware_id" | "voip">;

/** A name must be one of the app's configured providers of that type; while none is configured, any name will do. */
function checkName(db: Database, check: BodyReader, provider: string, name: string | undefined): void {
  if (name === undefined) return;
  const known = db.all<{ name: string }>("SELECT name FROM push_providers WHERE type = ?", provider);
  if (known.length > 0 && !known.some((one) => one.name === name))
    check.fail("push_provider_name", `is not a ${provider} provider of this app`);
}

function readDevice(db: Database, check: BodyReader): NewDevice {
  const given = check.read(device);
  const { id, push_provider: provider, push_provider_name: name, hardware_id: hardware } = given;
  checkName(db, check, provider, name);
  return {
    id,
    push_provider: provider,
    push_provider_name: name ?? null,
    hardware_id: hardware ?? null,
    voip: Number(given.voip_token ?? false),
  };
}

/** The same device again changes nothing; one of another user moves; the oldest goes when there are too many. */
function register(db: Database, userId: string, device: NewDevice, now: number): void {
  const had = db.get<DeviceRow>("SELECT * FROM devices WHERE id = ?", device.id);
  if (had?.user_id === userId) return;
  db.run("DELETE FROM devices WHERE id = ?", device.id);
  db.run(
    `DELETE FROM devices WHERE id IN (SELECT id FROM devices WHERE user_id = ? ORDER BY created_at DESC, id DESC
     LIMIT -1 OFFSET ?)`,
    userId,
    DEVICES_PER_USER - 1,
  );
  db.run(
    `INSERT INTO devices (id, user_id, push_provider, push_provider_name, hardware_id, voip, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    device.id,
    userId,
    device.push_provider,
    device.push_provider_name,
    device.hardware_id,
    device.voip,
    now,
  );
}

export function createDevice(call: RouteCall): Reply<"createDevice"> {
  const me = actor(call);
  const check = new BodyReader(call.body);
  const added = readDevice(call.db, check);
  check.done();
  register(call.db, me.id, added, call.now());
  return {};
}

/** The `device` key of a handshake (specification/realtime.md §1). Throws an `ApiProblem` of code 4. */
export function connectDevice(
  db: Database,
  userId: string,
  given: Record<string, unknown>,
  now: number,
): void {
  const check = new BodyReader(given, "device.");
  const added = readDevice(db, check);
  check.done();
  register(db, userId, added, now);
}

export function listDevices(call: RouteCall): Reply<"listDevices"> {
  const me = actor(call, call.query);
  return { devices: devicesOf(call.db, [me.id]) };
}

export function deleteDevice(call: RouteCall): Reply<"deleteDevice"> {
  const me = actor(call, { user_id: call.query.user_id });
  const check = new BodyReader(call.query);
  const id = check.need("id", 255);
  check.done();
  const { changes } = call.db.run("DELETE FROM devices WHERE id = ? AND user_id = ?", id, me.id);
  if (changes === 0) throw new ApiProblem(16, `Device ${id} does not exist`);
  return {};
}
