/** POST /guest: creates a temporary user (specification/auth.md §5). The transport adds the token. */
import { id, need } from "../../../../wire/entities/fields.ts";
import { isUserId } from "../../../../wire/ids.ts";
import { readApp } from "../../../store/app-settings.ts";
import { ApiProblem, type RouteCall, type NewGuest } from "../../../base/handler.ts";
import { BodyReader } from "../../validation/check.ts";
import { readUserFields, writeUser } from "./fields.ts";
import { publicUser } from "../view/users.ts";
import { userRow } from "../storage/rows.ts";

/** Longest requested id: 255 characters without `guest-<uuid>-`. */
const ID_LIMIT = 255 - "guest-".length - 36 - 1;

export function createGuest(call: RouteCall): ReturnType<NewGuest> {
  const { db, emit } = call;
  const app = readApp(db);
  if (app.guest_user_creation_disabled)
    throw ApiProblem.notAllowed("Guest users are not enabled for this app");
  if (app.multi_tenant_enabled)
    throw ApiProblem.notAllowed("Guest users are not possible with multi-tenancy");
  const check = new BodyReader(call.body).inside("user");
  const { id: requestedId } = check.read({ id: need(id(ID_LIMIT)) });
  if (requestedId.trim() !== "" && !isUserId(requestedId)) check.fail("id", "is not a user id");
  const fields = readUserFields(check);
  check.done();
  for (const [key, value] of Object.entries(fields.data)) if (value === null) delete fields.data[key];
  const guestId = `guest-${call.uuid()}-${requestedId}`;
  writeUser(db, guestId, undefined, { ...fields, name: fields.name ?? null, role: "guest" }, call.now());
  return { user: publicUser(userRow(db, guestId), emit.online(guestId)) };
}
