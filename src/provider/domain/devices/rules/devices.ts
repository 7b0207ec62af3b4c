/** Routes of push devices: registering, listing, removing (specification/users.md §8). Nothing is ever pushed. */
import { device } from "../../../../wire/bodies/devices.ts";
import { DEVICES_PER_USER } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader } from "../../validation/check.ts";
import { devicesOf } from "../view/devices.ts";
import { storedPushProviders } from "../../admin/storage/schema.ts";
import { devices, removeOldDevices, type DeviceRow } from "../storage/devices.ts";

type DeviceInput = Omit<DeviceRow, "user_id" | "created_at" | "disabled_reason">;

/** The name must be one of the app's push providers of that type. */
function checkName(db: Database, check: BodyReader, provider: string, name: string | undefined): void {
  if (name === undefined || provider === "") return;
  const names = storedPushProviders.values(db, "name", { type: provider });
  if (!names.includes(name)) check.fail("push_provider_name", `is not a ${provider} provider of this app`);
}

function readDevice(db: Database, check: BodyReader): DeviceInput {
  const fields = check.read(device);
  const { id, push_provider: provider, push_provider_name: name, hardware_id: hardware } = fields;
  checkName(db, check, provider, name);
  return {
    id,
    push_provider: provider,
    push_provider_name: name ?? null,
    hardware_id: hardware ?? null,
    voip: Number(fields.voip_token ?? false),
  };
}

/** Moves a device of another user to this one, and removes the user's oldest devices over the limit. */
function register(db: Database, userId: string, device: DeviceInput, now: number): void {
  if (devices.has(db, { id: device.id, user_id: userId })) return;
  devices.remove(db, { id: device.id });
  removeOldDevices(db, userId, DEVICES_PER_USER - 1);
  devices.insert(db, { ...device, user_id: userId, created_at: now });
}

export function createDevice(call: RouteCall): Reply<"createDevice"> {
  const me = actor(call);
  const check = new BodyReader(call.body);
  const device = readDevice(call.db, check);
  check.done();
  register(call.db, me.id, device, call.now());
  return {};
}

/** The `device` key of a handshake (specification/realtime.md §1). Throws an `ApiProblem` of code 4. */
export function connectDevice(
  db: Database,
  userId: string,
  source: Record<string, unknown>,
  now: number,
): void {
  const check = new BodyReader(source, "device.");
  const device = readDevice(db, check);
  check.done();
  register(db, userId, device, now);
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
  if (!devices.remove(call.db, { id, user_id: me.id }))
    throw ApiProblem.notFound(`Device ${id} does not exist`);
  return {};
}
