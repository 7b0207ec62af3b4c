/** Predicts in a dry run what the provider would refuse: names that do not exist, and new names that are taken. */
import { valueProblems } from "../../commands/base/value-problems.ts";
import { CommandError } from "../../commands/base/define-command.ts";
import type { Core } from "../../core/core.ts";
import { ALL_COMMANDS, BUILT_IN_COMMANDS } from "../../wire/built-in-commands.ts";
import { USERS_PER_CALL } from "../../wire/constants.ts";
import { bodyOf } from "../../wire/bodies/index.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import { exitOf } from "./exit.ts";

type Calls = Pick<Core, "call">;
type Fields = Record<string, unknown>;
interface Asked {
  path?: Record<string, string>;
  query?: Fields;
  body?: Fields;
}

/** Kind of thing → its name in a sentence, and those of the named that are there. */
const KINDS = {
  user: {
    called: "User",
    async there(core, named) {
      const found: string[] = [];
      for (let at = 0; at < named.length; at += USERS_PER_CALL) {
        const ids = named.slice(at, at + USERS_PER_CALL);
        const query = {
          filter_conditions: { id: { $in: ids } },
          include_deactivated_users: true,
          limit: ids.length,
        };
        found.push(...(await core.call("queryUsers", { query })).users.map(({ id }) => id));
      }
      return found;
    },
  },
  role: {
    called: "Role",
    there: async (core) => (await core.call("listRoles")).roles.map(({ name }) => name),
  },
  permission: {
    called: "Permission",
    there: async (core) => (await core.call("listPermissions")).permissions.map(({ id }) => id),
  },
  channelType: {
    called: "Channel type",
    there: async (core) => Object.keys((await core.call("listChannelTypes")).channel_types),
  },
  command: {
    called: "Command",
    // The name of a set of commands stands for all of it.
    there: async (core) => [
      ALL_COMMANDS,
      ...[...BUILT_IN_COMMANDS, ...(await core.call("listCommands")).commands].flatMap(({ name, set }) =>
        set ? [name, set] : [name],
      ),
    ],
  },
  blocklist: {
    called: "Blocklist",
    there: async (core) => (await core.call("listBlocklists")).blocklists.map(({ name }) => name),
  },
  segment: { called: "Segment", there: (core, named) => shown(core, "getSegment", named) },
  campaign: { called: "Campaign", there: (core, named) => shown(core, "getCampaign", named) },
  message: { called: "Message", there: (core, named) => shown(core, "getMessage", named) },
} as const satisfies Record<
  string,
  { called: string; there(core: Calls, named: readonly string[]): Promise<readonly string[]> }
>;

type Kind = keyof typeof KINDS;

/** Those that a GET of their own shows. */
async function shown(
  core: Calls,
  get: "getSegment" | "getCampaign" | "getMessage",
  named: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const id of named) {
    try {
      await core.call(get, { path: { id } });
      found.push(id);
    } catch (error) {
      if (exitOf(error) !== 3) throw error;
    }
  }
  return found;
}

/** `taken`: these must not be there yet; `missing`: how the provider calls it when one is not there. */
interface Need {
  kind: Kind;
  names: unknown;
  missing: "notFound" | "rejected" | "taken";
}

const missing = (kind: Kind, names: unknown): Need => ({ kind, names, missing: "notFound" });
const refused = (kind: Kind, names: unknown): Need => ({ kind, names, missing: "rejected" });
const taken = (kind: Kind, names: unknown): Need => ({ kind, names, missing: "taken" });

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** One field of each entry. */
const each = (list: unknown, field: string): unknown[] => listOf(list).map((one) => fieldsOf(one)[field]);
/** Members are ids, or objects with one. */
const people = (list: unknown): unknown[] =>
  listOf(list).map((one) => (typeof one === "string" ? one : fieldsOf(one).user_id));

function granted(grants: unknown): Need[] {
  const given = fieldsOf(grants);
  return [refused("role", Object.keys(given)), refused("permission", Object.values(given).flat())];
}

const typeNeeds = ({ grants, commands, blocklist }: Fields): Need[] => [
  ...granted(grants),
  refused(
    "command",
    listOf(commands).map((one) => (typeof one === "string" ? one : fieldsOf(one).name)),
  ),
  refused("blocklist", [blocklist]),
];

const newChannel = ({ path, body }: Asked): Need[] => {
  const { members, invites } = fieldsOf(body?.data);
  return [missing("channelType", [path?.type]), refused("user", [...people(members), ...people(invites)])];
};

const named =
  (...fields: string[]) =>
  ({ body, query }: Asked): Need[] => [
    missing(
      "user",
      fields.flatMap((field) => body?.[field] ?? query?.[field]),
    ),
  ];

const campaignNeeds = (body: Fields): Need[] => [
  refused("user", [body.sender_id]),
  refused("segment", body.segment_ids),
];

const NEEDS: Partial<Record<EndpointName, (asked: Asked & { body: Fields }) => Need[]>> = {
  queryChannel: newChannel,
  queryDistinctChannel: newChannel,
  updateChannel: ({ body }) => [
    refused("user", [
      ...people(body.add_members),
      ...people(body.invites),
      ...people(body.add_moderators),
      ...people(body.assign_roles),
    ]),
    refused("role", [...each(body.assign_roles, "channel_role"), ...each(body.add_members, "channel_role")]),
  ],
  upsertUsers: ({ body }) => [refused("role", each(Object.values(fieldsOf(body.users)), "role"))],
  updateUsersPartial: ({ body }) => [
    missing("user", each(body.users, "id")),
    refused("role", each(each(body.users, "set"), "role")),
  ],
  sendMessage: ({ body }) => {
    const { parent_id, quoted_message_id } = fieldsOf(body.message);
    return [refused("message", [parent_id, quoted_message_id])];
  },
  muteUser: named("target_id", "target_ids"),
  blockUser: named("blocked_user_id"),
  ban: named("target_user_id", "banned_by_id"),
  unban: named("target_user_id"),
  flag: ({ body }) => [missing("user", [body.target_user_id]), missing("message", [body.target_message_id])],
  deleteUsers: named("user_ids"),
  deactivateUsers: named("user_ids"),
  reactivateUsers: named("user_ids"),
  deactivateUser: ({ path }) => [missing("user", [path?.id])],
  reactivateUser: ({ path }) => [missing("user", [path?.id])],
  sendUserEvent: ({ path }) => [missing("user", [path?.id])],
  createChannelType: ({ body }) => [taken("channelType", [body.name]), ...typeNeeds(body)],
  updateChannelType: ({ body }) => typeNeeds(body),
  updateApp: ({ body }) => granted(body.grants),
  createRole: ({ body }) => [taken("role", [body.name])],
  deleteRole: ({ path }) => [missing("role", [path?.name])],
  createPermission: ({ body }) => [taken("permission", [body.id])],
  createCommand: ({ body }) => [taken("command", [body.name])],
  createBlocklist: ({ body }) => [taken("blocklist", [body.name])],
  createSegment: ({ body }) => [taken("segment", [body.id])],
  createCampaign: ({ body }) => [taken("campaign", [body.id]), ...campaignNeeds(body)],
  updateCampaign: ({ body }) => campaignNeeds(body),
};

/** What is there once all that a dry run has planned so far is done. */
export class Foresight {
  readonly #core: Calls;
  readonly #made = new Set<string>();

  constructor(core: Calls) {
    this.#core = core;
  }

  /** Throws what the provider would say: of values that do not fit, of names that are not there, or are taken. */
  async check(name: EndpointName, asked: object): Promise<void> {
    const given = asked as Asked;
    const body = given.body ?? {};
    for (const { path, says } of valueProblems(bodyOf(name), body))
      throw new CommandError("rejected", `${path.join(".")} ${says}.`);
    for (const need of NEEDS[name]?.({ ...given, body }) ?? []) {
      const names = listOf(need.names).filter((one) => typeof one === "string" && one !== "");
      if (names.length > 0) await this.#needs({ ...need, names: [...new Set(names as string[])] });
    }
    if (name === "upsertUsers") this.#make("user", Object.keys(fieldsOf(body.users)));
  }

  #make(kind: Kind, names: readonly string[]): void {
    for (const one of names) this.#made.add(`${kind} ${one}`);
  }

  /** What may not be read is not looked at. */
  async #needs({ kind, names, missing: how }: Need & { names: string[] }): Promise<void> {
    const open = names.filter((one) => !this.#made.has(`${kind} ${one}`));
    if (open.length === 0) return;
    let there: ReadonlySet<string>;
    try {
      there = new Set(await KINDS[kind].there(this.#core, open));
    } catch (error) {
      if (exitOf(error) === 5) return;
      throw error;
    }
    const { called } = KINDS[kind];
    const [bad, ...more] = open.filter((one) => there.has(one) === (how === "taken"));
    if (how === "taken") {
      if (bad !== undefined) throw new CommandError("conflict", `${called} ${bad} already exists.`);
      return this.#make(kind, names);
    }
    if (bad === undefined) return;
    throw new CommandError(
      how,
      more.length === 0
        ? `${called} ${bad} does not exist.`
        : `There are no ${called.toLowerCase()}s ${[bad, ...more].join(", ")}.`,
    );
  }
}
