/** Looks up which of the given ids exist, kind by kind, for the checks of a dry run. */
import type { Core } from "../../core/core.ts";
import { ALL_COMMANDS, BUILT_IN_COMMANDS } from "../../wire/built-in-commands.ts";
import { TRANSLATED_LANGUAGES } from "../../wire/languages.ts";
import { QUERY_CHANNELS_LIMIT, USERS_PER_CALL } from "../../wire/constants.ts";
import { exitOf } from "./exit.ts";

export type PreflightCore = Pick<Core, "call" | "userId">;

const CHANNELS_PER_QUERY = QUERY_CHANNELS_LIMIT[1];

/** Kind → its label in messages, and a lookup of the existing ones among some ids. */
export const KINDS = {
  user: {
    label: "User",
    async findExisting(core, names) {
      const found: string[] = [];
      for (let start = 0; start < names.length; start += USERS_PER_CALL) {
        const ids = names.slice(start, start + USERS_PER_CALL);
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
  /** Includes deleted users, which no list returns. */
  knownUser: {
    label: "User",
    async findExisting(core, names) {
      const active: readonly string[] = await KINDS.user.findExisting(core, names);
      const found = [...active];
      for (const id of names)
        if (!active.includes(id) && (await ifExists(core.call("exportUser", { path: { id } }))))
          found.push(id);
      return found;
    },
  },
  role: {
    label: "Role",
    findExisting: async (core) => (await core.call("listRoles")).roles.map(({ name }) => name),
  },
  permission: {
    label: "Permission",
    findExisting: async (core) => (await core.call("listPermissions")).permissions.map(({ id }) => id),
  },
  action: {
    label: "Action",
    findExisting: async (core) =>
      (await core.call("listPermissions")).permissions.map(({ action }) => action),
  },
  language: { label: "Language", findExisting: () => Promise.resolve(TRANSLATED_LANGUAGES) },
  channel: {
    label: "Channel",
    async findExisting(core, names) {
      const found: string[] = [];
      for (let start = 0; start < names.length; start += CHANNELS_PER_QUERY) {
        const body = {
          filter_conditions: { cid: { $in: names.slice(start, start + CHANNELS_PER_QUERY) } },
          state: false,
        };
        const { channels } = await core.call("queryChannels", {
          body: { ...body, limit: CHANNELS_PER_QUERY },
        });
        found.push(...channels.map(({ channel }) => channel.cid));
      }
      return found;
    },
  },
  channelType: {
    label: "Channel type",
    findExisting: async (core) => Object.keys((await core.call("listChannelTypes")).channel_types),
  },
  command: {
    label: "Command",
    // The name of a command set is accepted in place of its commands.
    findExisting: async (core) => [
      ALL_COMMANDS,
      ...[...BUILT_IN_COMMANDS, ...(await core.call("listCommands")).commands].flatMap(({ name, set }) =>
        set ? [name, set] : [name],
      ),
    ],
  },
  blocklist: {
    label: "Blocklist",
    findExisting: async (core) => (await core.call("listBlocklists")).blocklists.map(({ name }) => name),
  },
  segment: { label: "Segment", findExisting: (core, names) => findReadable(core, "getSegment", names) },
  campaign: { label: "Campaign", findExisting: (core, names) => findReadable(core, "getCampaign", names) },
  poll: {
    label: "Poll",
    async findExisting(core, names) {
      const found: string[] = [];
      for (const id of names)
        if (await ifExists(core.call("getPoll", { path: { poll_id: id }, query: {} }))) found.push(id);
      return found;
    },
  },
  message: { label: "Message", findExisting: (core, names) => findReadable(core, "getMessage", names) },
} as const satisfies Record<
  string,
  { label: string; findExisting(core: PreflightCore, names: readonly string[]): Promise<readonly string[]> }
>;

export type PreflightKind = keyof typeof KINDS;

/** The answer of a call that reads one object, or undefined when the object does not exist. */
export async function ifExists<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (exitOf(error) === 3) return undefined;
    throw error;
  }
}

/** The ids among `named` that a GET returns. */
async function findReadable(
  core: PreflightCore,
  get: "getSegment" | "getCampaign" | "getMessage",
  ids: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const id of ids) if (await ifExists(core.call(get, { path: { id } }))) found.push(id);
  return found;
}
