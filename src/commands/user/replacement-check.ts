/** Warns before an upsert removes fields of existing users. */
import { USERS_PER_CALL } from "../../wire/constants.ts";
import type { User } from "../../wire/entities/user.ts";
import { firstFew } from "../../text/words.ts";
import type { Args, Call } from "../base/define-command.ts";
import { replacedFields } from "../base/replaced-fields.ts";
import { inGroups } from "../campaign/audience/people.ts";
import { usersNow } from "./settable-users.ts";

export type UserInput = Record<string, unknown> & { id: string };

/** A user to write; `columns`: of the file that names them, if it is a CSV. */
export interface PersonToWrite {
  id: string;
  user: UserInput;
  columns?: readonly string[];
}

type ReplacedCall = Pick<Call<Args>, "core" | "machine">;

/** Fields an upsert keeps when they are not given. */
const RETAINED_FIELDS = new Set([
  "id",
  "role",
  "teams",
  "teams_role",
  "invisible",
  "bypass_moderation",
  "privacy_settings",
  "status",
]);

/** Removes fields managed by the provider, which the output of `user list` contains. */
export function withoutManaged(user: Record<string, unknown>): Record<string, unknown> {
  const {
    created_at: _created,
    updated_at: _updated,
    deactivated_at: _deactivated,
    deleted_at: _deleted,
    last_active: _active,
    online: _online,
    banned: _banned,
    shadow_banned: _shadow,
    ban_expires: _expires,
    blocked_user_ids: _blocked,
    mutes: _mutes,
    channel_mutes: _channels,
    devices: _devices,
    push_notifications: _push,
    avg_response_time: _response,
    ...rest
  } = user;
  return rest;
}

/** The whole user to write: of the fields that a CSV has no column for, what is there stays. */
export function completed({ user, columns }: PersonToWrite, before: User | undefined): UserInput {
  if (columns === undefined || before === undefined) return user;
  const kept = Object.entries(withoutManaged(before as never)).filter(
    ([name]) => !columns.includes(name) && !RETAINED_FIELDS.has(name),
  );
  return { ...Object.fromEntries(kept), ...user };
}

/** Whether writing a user changes nothing. */
export function isUnchanged(user: UserInput, before: User | undefined): boolean {
  if (before === undefined) return false;
  const now = withoutManaged(before as never);
  const given = withoutManaged(user);
  const { gone, changed } = replacedFields(now, given, RETAINED_FIELDS);
  const { gone: added, changed: other } = replacedFields(given, now);
  return [gone, changed, added, other].every((names) => names.length === 0);
}

/** Finds users who would lose data, and asks once before writing if fields would go, several would change, or a role changes. */
export class ReplacementCheck {
  readonly #call: ReplacedCall;
  /** Users with a field that would go or change. */
  readonly #losing = new Set<string>();
  /** Fields that would go, by user id. */
  readonly #gone = new Map<string, string[]>();
  /** Changes of roles as text, by user id. */
  readonly #roleChanges = new Map<string, string>();
  /** Checked users → whether they were there, or were written by this run. */
  readonly #exists = new Map<string, boolean | "written">();
  #isAnswered = false;

  constructor(call: ReplacedCall) {
    this.#call = call;
  }

  /** Checks users that have not been checked before. `known`: those of them who are there, if that is known. */
  async check(people: readonly PersonToWrite[], known?: ReadonlyMap<string, User>): Promise<void> {
    const unchecked = people.filter(({ id }) => !this.#exists.has(id));
    for (const group of inGroups(unchecked, USERS_PER_CALL)) {
      const before =
        known ??
        (await usersNow(
          this.#call.core,
          group.map(({ id }) => id),
        ));
      for (const one of group) {
        this.#exists.set(one.id, before.has(one.id));
        this.#compare(one, before.get(one.id));
      }
    }
  }

  #compare(person: PersonToWrite, before: User | undefined): void {
    if (!before) return;
    const user = completed(person, before);
    const { id, role } = user;
    const { gone, changed } = replacedFields(withoutManaged(before as never), user, RETAINED_FIELDS);
    if (gone.length > 0) this.#gone.set(id, gone);
    if (gone.length + changed.length > 0) this.#losing.add(id);
    if (role !== undefined && role !== "" && role !== before.role)
      this.#roleChanges.set(id, `${id} from ${before.role} to ${String(role)}`);
  }

  /** Marks a user as written; returns whether it was there, or written already. */
  markWritten(id: string): boolean | "written" {
    const before = this.#exists.get(id) ?? false;
    this.#exists.set(id, "written");
    return before;
  }

  /** Asks if fields of anybody would go, several users would change, or a role changes; resolves when no question is needed or the answer is yes. */
  async ask(): Promise<void> {
    const [losing, roleChanges] = [[...this.#losing], [...this.#roleChanges.values()]];
    if (this.#isAnswered || (this.#gone.size === 0 && losing.length < 2 && roleChanges.length === 0)) return;
    const [[one, gone] = []] = this.#gone;
    const consequences = [
      ...(roleChanges.length > 0 ? [`change the role of ${firstFew(roleChanges)}`] : []),
      ...(losing.length > 1 ? [`replace what ${losing.length} users have (${firstFew(losing)})`] : []),
    ].join(" and ");
    const question = [
      ...(losing.length === 1 && gone ? [`Remove ${firstFew(gone)} of ${one}?`] : []),
      ...(consequences === "" ? [] : [`${consequences[0]!.toUpperCase()}${consequences.slice(1)}?`]),
    ].join(" ");
    await this.#call.machine?.ask({ level: "moderate", question });
    this.#isAnswered = true;
  }
}
