/** Settings that a server overrides for one channel: configuration keys and grants (specification/admin.md §2). */
import type { Database } from "../../../base/database.ts";
import { readGrants } from "./grants.ts";
import { readConfig } from "./type-settings.ts";
import { BodyReader, isObject, invalidField, type Fields } from "../../validation/check.ts";
import { OVERRIDABLE } from "../../access/storage/channel-types.ts";

/** The stored text of `config_overrides`, null when nothing is left of them: `{}` removes all. Code 4 with the key's path. */
export function readOverrides(db: Database, given: unknown, field: string): string | null {
  if (given === undefined || given === null) return null;
  if (!isObject(given)) throw invalidField(field, "must be an object");
  const check = new BodyReader(given, `${field}.`);
  const { settings } = readConfig(db, check, { allowed: OVERRIDABLE, refusal: "cannot be overridden" });
  const grants = readGrants(db, check, true);
  check.done();
  const kept: Fields = { ...settings, ...(grants && Object.keys(grants).length > 0 ? { grants } : {}) };
  return Object.keys(kept).length === 0 ? null : JSON.stringify(kept);
}
