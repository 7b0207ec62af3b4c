/** Reads the configuration and grants that a server overrides for one channel (specification/admin.md §2). */
import type { Database } from "../../../base/database.ts";
import { readGrants } from "./grants.ts";
import { readConfig } from "./type-settings.ts";
import { BodyReader, isObject, invalidField, type Fields } from "../../validation/check.ts";
import { OVERRIDABLE } from "../../access/storage/channel-types.ts";

/** `config_overrides` as stored JSON, null for none: `{}` removes all overrides. Throws code 4 with the key's path. */
export function readOverrides(db: Database, value: unknown, field: string): string | null {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw invalidField(field, "must be an object");
  const check = new BodyReader(value, `${field}.`);
  const { settings } = readConfig(db, check, { allowed: OVERRIDABLE, refusal: "cannot be overridden" });
  const grants = readGrants(db, check, true);
  check.done();
  const overrides: Fields = { ...settings, ...(grants && Object.keys(grants).length > 0 ? { grants } : {}) };
  return Object.keys(overrides).length === 0 ? null : JSON.stringify(overrides);
}
