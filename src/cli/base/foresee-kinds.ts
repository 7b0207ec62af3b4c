/** Looks which of named things are there, kind by kind: what a dry run asks before it plans a change. */
import type { Core } from "../../core/core.ts";
import { ALL_COMMANDS, BUILT_IN_COMMANDS } from "../../wire/built-in-commands.ts";
import { TRANSLATED_LANGUAGES } from "../../wire/languages.ts";
import { QUERY_CHANNELS_LIMIT, USERS_PER_CALL } from "../../wire/constants.ts";
import { exitOf } from "./exit.ts";

export type Calls = Pick<Core, "call" | "userId">;

const PAGE = QUERY_CHANNELS_LIMIT[1];

/** Kind of thing → its name in a sentence, and those of the named that are there. */
export const KINDS = {
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
  /** Also one that was deleted, whom no list shows. */
  knownUser: {
    called: "User",
    async there(core, named) {
      const living: readonly string[] = await KINDS.user.there(core, named);
      const found = [...living];
      for (const id of named)
        if (!living.includes(id) && (await ifThere(core.call("exportUser", { path: { id } }))))
          found.push(id);
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
  action: {
    called: "Action",
    there: async (core) => (await core.call("listPermissions")).permissions.map(({ action }) => action),
  },
  language: { called: "Language", there: () => Promise.resolve(TRANSLATED_LANGUAGES) },
  channel: {
    called: "Channel",
    async there(core, named) {
      const found: string[] = [];
      for (let at = 0; at < named.length; at += PAGE) {
        const body = { filter_conditions: { cid: { $in: named.slice(at, at + PAGE) } }, state: false };
        const { channels } = await core.call("queryChannels", { body: { ...body, limit: PAGE } });
        found.push(...channels.map(({ channel }) => channel.cid));
      }
      return found;
    },
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
  poll: {
    called: "Poll",
    async there(core, named) {
      const found: string[] = [];
      for (const id of named)
        if (await ifThere(core.call("getPoll", { path: { poll_id: id }, query: {} }))) found.push(id);
      return found;
    },
  },
  message: { called: "Message", there: (core, named) => shown(core, "getMessage", named) },
} as const satisfies Record<
  string,
  { called: string; there(core: Calls, named: readonly string[]): Promise<readonly string[]> }
>;

export type ForeseenKind = keyof typeof KINDS;

/** The answer of a call that reads one thing, or undefined where that thing does not exist. */
export async function ifThere<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (exitOf(error) === 3) return undefined;
    throw error;
  }
}

/** Those that a GET of their own shows. */
async function shown(
  core: Calls,
  get: "getSegment" | "getCampaign" | "getMessage",
  named: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const id of named) if (await ifThere(core.call(get, { path: { id } }))) found.push(id);
  return found;
}
