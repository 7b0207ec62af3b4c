/** Warns before an upsert removes fields of existing users. */
import { USERS_PER_CALL } from "../../wire/constants.ts";
import type { User } from "../../wire/entities/user.ts";
import { firstFew } from "../../text/words.ts";
import type { Args, CommandCall } from "../base/define-command.ts";
import { inGroups } from "../campaign/audience/people.ts";

type Given = Record<string, unknown> & { id: string };
type Asking = Pick<CommandCall<Args>, "core" | "machine">;

/** Fields an upsert keeps when they are not given. */
const STAYS = new Set(["id", "role", "teams", "teams_role", "invisible", "privacy_settings", "status"]);

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

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A value that is no loss. */
const isEmpty = (value: unknown): boolean =>
  !value || (typeof value === "object" && Object.keys(value).length === 0);

/** Whether an existing value would be removed or changed; additions do not count. */
const loses = (before: User, given: Given): boolean =>
  Object.entries(withoutManaged(before as never)).some(
    ([name, value]) =>
      !isEmpty(value) && !same(value, given[name]) && !(STAYS.has(name) && given[name] === undefined),
  );

/** Finds users who would lose data, and asks once before writing if there are several or a role changes. */
export class Replaced {
  readonly #call: Asking;
  readonly #lost = new Set<string>();
  /** Changes of roles as text, by user id. */
  readonly #ranks = new Map<string, string>();
  /** Checked users → whether they exist. */
  readonly #there = new Map<string, boolean>();
  #isAnswered = false;

  constructor(call: Asking) {
    this.#call = call;
  }

  /** Checks users that have not been checked before. */
  async look(given: readonly Given[]): Promise<void> {
    const fresh = given.filter(({ id }) => !this.#there.has(id));
    for (const group of inGroups(fresh, USERS_PER_CALL)) {
      const ids = [...new Set(group.map(({ id }) => id))];
      const query = {
        filter_conditions: { id: { $in: ids } },
        limit: ids.length,
        include_deactivated_users: true,
      };
      const { users } = await this.#call.core.call("queryUsers", { query });
      const before = new Map(users.map((user) => [user.id, user]));
      for (const one of group) {
        this.#there.set(one.id, before.has(one.id));
        this.#compare(one, before.get(one.id));
      }
    }
  }

  #compare(given: Given, before: User | undefined): void {
    if (!before) return;
    const { id, role } = given;
    if (loses(before, given)) this.#lost.add(id);
    if (role !== undefined && role !== "" && role !== before.role)
      this.#ranks.set(id, `${id} from ${before.role} to ${String(role)}`);
  }

  /** Marks a user as existing and returns whether it existed before. */
  written(id: string): boolean {
    const before = this.#there.get(id) === true;
    this.#there.set(id, true);
    return before;
  }

  /** Asks if several users lose data or a role changes; resolves when no question is needed or the answer is yes. */
  async ask(): Promise<void> {
    const [lost, ranks] = [[...this.#lost], [...this.#ranks.values()]];
    if (this.#isAnswered || (lost.length < 2 && ranks.length === 0)) return;
    const what = [
      ...(ranks.length > 0 ? [`change the role of ${firstFew(ranks)}`] : []),
      ...(lost.length > 1 ? [`replace what ${lost.length} users have (${firstFew(lost)})`] : []),
    ].join(" and ");
    const question = `${what[0]!.toUpperCase()}${what.slice(1)}?`;
    await this.#call.machine?.ask({ level: "moderate", question });
    this.#isAnswered = true;
  }
}
