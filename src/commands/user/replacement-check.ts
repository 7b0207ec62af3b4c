/** Warns before an upsert removes fields of existing users. */
import { USERS_PER_CALL } from "../../wire/constants.ts";
import type { User } from "../../wire/entities/user.ts";
import { firstFew } from "../../text/words.ts";
import type { Args, Call } from "../base/define-command.ts";
import { replacedFields } from "../base/replaced-fields.ts";
import { inGroups } from "../campaign/audience/people.ts";

type UserInput = Record<string, unknown> & { id: string };
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

  /** Checks users that have not been checked before. */
  async check(users: readonly UserInput[]): Promise<void> {
    const unchecked = users.filter(({ id }) => !this.#exists.has(id));
    for (const group of inGroups(unchecked, USERS_PER_CALL)) {
      const ids = [...new Set(group.map(({ id }) => id))];
      const query = {
        filter_conditions: { id: { $in: ids } },
        limit: ids.length,
        include_deactivated_users: true,
      };
      const { users } = await this.#call.core.call("queryUsers", { query });
      const before = new Map(users.map((user) => [user.id, user]));
      for (const one of group) {
        this.#exists.set(one.id, before.has(one.id));
        this.#compare(one, before.get(one.id));
      }
    }
  }

  #compare(user: UserInput, before: User | undefined): void {
    if (!before) return;
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
