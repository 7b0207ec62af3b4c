/** Converts users to the wire, and loads each user once per call. */
import { timeFromMicros } from "../../../../wire/time.ts";
import type { PrivacySettings, User } from "../../../../wire/entities/user.ts";
import type { Emit } from "../../../base/emit.ts";
import type { Database } from "../../../base/database.ts";
import type { Fields } from "../../validation/check.ts";
import { type UserRow, usersById } from "../storage/rows.ts";

/** The "all" keys of specification/users.md §2, which everybody may see. Absent optional keys are left out. */
export function publicUser(row: UserRow, online: boolean): User {
  const user: User & Fields = {
    ...(JSON.parse(row.data) as Fields),
    id: row.id,
    role: row.role,
    teams: JSON.parse(row.teams) as string[],
    online: online && row.invisible === 0,
    banned: row.banned === 1,
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
  user.language ??= "";
  if (row.name !== null) user.name = row.name;
  if (row.teams_role !== "{}") user.teams_role = JSON.parse(row.teams_role) as Record<string, string>;
  if (row.response_count > 0) user.avg_response_time = Math.round(row.response_seconds / row.response_count);
  if (row.last_active !== null) user.last_active = timeFromMicros(row.last_active);
  if (row.deleted_at !== null) user.deleted_at = timeFromMicros(row.deleted_at);
  if (row.deactivated_at !== null) user.deactivated_at = timeFromMicros(row.deactivated_at);
  return user;
}

/** The privacy settings that were set, as the user itself and servers see them; undefined when none were. */
export function storedPrivacy(row: Pick<UserRow, "privacy">): PrivacySettings | undefined {
  const settings = JSON.parse(row.privacy) as PrivacySettings;
  return Object.keys(settings).length > 0 ? settings : undefined;
}

/** The effective privacy settings; missing parts are enabled (specification/users.md §12). */
export function privacyOf(row: Pick<UserRow, "privacy">): Required<PrivacySettings> {
  const settings = JSON.parse(row.privacy) as PrivacySettings;
  return {
    typing_indicators: { enabled: settings.typing_indicators?.enabled !== false },
    read_receipts: { enabled: settings.read_receipts?.enabled !== false },
    delivery_receipts: { enabled: settings.delivery_receipts?.enabled !== false },
  };
}

/** Users of one call: missing ids are read in one query, and each object is built once and shared. */
export class People {
  readonly #db: Database;
  readonly #emit: Pick<Emit, "online">;
  readonly #known = new Map<string, User>();

  constructor(db: Database, emit: Pick<Emit, "online">) {
    this.#db = db;
    this.#emit = emit;
  }

  get db(): Database {
    return this.#db;
  }

  add(row: UserRow): User {
    const user = publicUser(row, this.#emit.online(row.id));
    this.#known.set(row.id, user);
    return user;
  }

  load(ids: Iterable<string>): void {
    const missing = [...new Set(ids)].filter((id) => !this.#known.has(id));
    if (missing.length === 0) return;
    for (const row of usersById(this.#db, missing)) this.add(row);
  }

  has(id: string): boolean {
    this.load([id]);
    return this.#known.has(id);
  }

  /** The user, or a minimal object when it was erased. */
  get(id: string): User {
    if (!this.#known.has(id)) this.load([id]);
    return this.#known.get(id) ?? { id, role: "user", teams: [], online: false, banned: false };
  }
}
