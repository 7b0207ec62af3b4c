/** Local checks of calls before any request (R-ID), with the error texts of the specification (specification/errors.md §3). */
import { MAX_OFFSET } from "../../wire/constants.ts";
import {
  CAMPAIGN_ID_MISSING,
  CAMPAIGNS_ARE_SERVER_SIDE,
  SEGMENT_ID_MISSING,
} from "../../wire/entities/campaign.ts";
import { endpoints, type EndpointName, type EndpointRow } from "../../wire/endpoints/index.ts";
import { channelIdProblem, channelTypeProblem, cidProblem, splitCid } from "../../wire/ids.ts";
import { SEARCH_PROBLEMS, type SearchPayload } from "../../wire/search.ts";
import { NOTHING_TO_UPDATE, reservedThreadProblem } from "../../wire/entities/thread.ts";
import type { CallArgs } from "./api-types.ts";
import { LocalError } from "../../model/errors.ts";

const CHANNEL_REQUIRED = "Channel or channel type have to be provided to query a channel";
export const MEMBERS_REQUIRED = "Channel ID or channel members array have to be provided to query a channel";
const USER_ID_REQUIRED = "User ID is required when updating a user";
const MESSAGE_ID_REQUIRED = "a message id is required for an update";
const REACTION_REQUIRED = "message id and reaction type are required";
const MEMBER_ID_REQUIRED = "user id is required to update a member";
const SINCE_BLANK = "The since date cannot be blank";

const blank = (value: unknown): boolean => typeof value !== "string" || value.trim() === "";

/** Type and id of a cid; throws `LocalError` in the order of R-ID-12. */
export function partsOf(cid: string): { type: string; id: string } {
  if (cid === "") throw new LocalError(CHANNEL_REQUIRED);
  const problem = cidProblem(cid);
  if (problem) throw new LocalError(problem);
  return splitCid(cid)!;
}

/** R-ID-7. */
export function requireMessageId(id: unknown): void {
  if (blank(id)) throw new LocalError(MESSAGE_ID_REQUIRED);
}

/** R-ID-8. */
export function requireReaction(id: unknown, type: unknown): void {
  if (blank(id) || blank(type)) throw new LocalError(REACTION_REQUIRED);
}

/** R-SEARCH-1: the first of SE-1…6 that applies; an `offset` of 0 is no conflict. */
export function searchProblem(payload: Partial<SearchPayload>): string | undefined {
  const { filter_conditions: channels, query, message_filter_conditions: messages, sort, next } = payload;
  const { limit = 1, offset = 0 } = payload;
  const isSet = (value: unknown): boolean => value !== undefined && value !== null;
  const texts = isSet(query) && String(query).trim() !== "";
  const filters = isSet(messages) && Object.keys(messages!).length > 0;
  if (offset !== 0 && isSet(next)) return SEARCH_PROBLEMS["SE-1"];
  if (offset !== 0 && isSet(sort)) return SEARCH_PROBLEMS["SE-2"];
  if (texts && filters) return SEARCH_PROBLEMS["SE-3"];
  if (!texts && !filters) return SEARCH_PROBLEMS["SE-4"];
  if (!isSet(channels) || Object.keys(channels!).length === 0) return SEARCH_PROBLEMS["SE-5"];
  const isInteger = (value: number): boolean => Number.isInteger(value);
  if (!isInteger(limit) || limit < 1 || !isInteger(offset) || offset < 0 || offset > MAX_OFFSET)
    return SEARCH_PROBLEMS["SE-6"];
  return undefined;
}

type CallParts = {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
};
type Check = (parts: CallParts) => void;

/** R-ID-4: needs an id or members. */
const idOrMembers: Check = ({ path, body }) => {
  const { members } = (body.data ?? {}) as { members?: unknown };
  if (blank(path.id) && !(Array.isArray(members) && members.length > 0))
    throw new LocalError(MEMBERS_REQUIRED);
};

/** R-ID-6: the users of an upsert (a map) and of a partial update (a list). */
const userIds: Check = ({ body }) => {
  const users = Object.values((body.users ?? {}) as Record<string, { id?: unknown } | null>);
  if (users.some((user) => blank(user?.id))) throw new LocalError(USER_ID_REQUIRED);
};

const messageId: Check = ({ path }) => requireMessageId(path.id);

/** R-ID-10: key → allowed values, in the order of the specification. */
const DELETE_OPTIONS = {
  user: ["soft", "hard", "pruning"],
  conversations: ["soft", "hard"],
  messages: ["soft", "hard", "pruning"],
} as const;

const deleteOptions: Check = ({ body }) => {
  for (const [key, values] of Object.entries(DELETE_OPTIONS)) {
    const value = body[key];
    if (value !== undefined && !(values as readonly unknown[]).includes(value))
      throw new LocalError(`invalid delete user options: ${key} must be one of ${values.join(", ")}`);
  }
};

/** A blank date would revoke no tokens, or all (specification/auth.md §9). */
const revocation: Check = ({ body }) => {
  const users = Array.isArray(body.users) ? (body.users as { set?: unknown }[]) : [];
  for (const from of [body, ...users.map(({ set }) => set ?? {})] as Record<string, unknown>[]) {
    const date = from.revoke_tokens_issued_before;
    if (typeof date === "string" && blank(date)) throw new LocalError(SINCE_BLANK);
  }
};

/** CA-1, then CA-2 (CA-3): decided by the path, so that it covers every route. */
function checkCampaign(row: EndpointRow, parts: CallParts, hasSecret: boolean): void {
  const [, subject] = /^\/(campaigns|segments)(?:\/|$)/.exec(row.path) ?? [];
  if (subject === undefined) return;
  if (!hasSecret) throw new LocalError(CAMPAIGNS_ARE_SERVER_SIDE);
  if (row.path.includes("{id}") && blank(parts.path.id))
    throw new LocalError(subject === "campaigns" ? CAMPAIGN_ID_MISSING : SEGMENT_ID_MISSING);
}

const CHECKS: Partial<Record<EndpointName, Check>> = {
  queryChannel: idOrMembers,
  queryDistinctChannel: idOrMembers,
  upsertUsers: userIds,
  updateUsersPartial(parts) {
    userIds(parts);
    revocation(parts);
  },
  updateApp: revocation,
  deleteUsers: deleteOptions,
  updateMessage: messageId,
  updateMessagePartial: messageId,
  sendReaction: ({ path, body }) =>
    requireReaction(path.id, (body.reaction as { type?: unknown } | undefined)?.type),
  deleteReaction: ({ path }) => requireReaction(path.id, path.reaction_type),
  updateMemberPartial: ({ path }) => {
    if (blank(path.user_id)) throw new LocalError(MEMBER_ID_REQUIRED);
  },
  updateThreadPartial: ({ path, body }) => {
    requireMessageId(path.message_id);
    const fields = [...Object.keys((body.set ?? {}) as object), ...((body.unset ?? []) as string[])];
    const problem = reservedThreadProblem(fields) ?? (fields.length === 0 ? NOTHING_TO_UPDATE : undefined);
    if (problem !== undefined) throw new LocalError(problem);
  },
  search: ({ query }) => {
    const problem = searchProblem(query as Partial<SearchPayload>);
    if (problem !== undefined) throw new LocalError(problem);
  },
  sync: ({ body }) => {
    if (blank(body.last_sync_at)) throw new LocalError(SINCE_BLANK);
  },
};

/**
 * Throws `LocalError` for a call that cannot succeed; type and id are checked first (R-ID-12).
 * `hasSecret`: the client can make server-side calls.
 */
export function validateCall(name: EndpointName, args: CallArgs<EndpointName>, hasSecret = false): void {
  const parts = { path: {}, query: {}, body: {}, ...args } as CallParts;
  checkCampaign(endpoints[name], parts, hasSecret);
  const { type, id } = parts.path;
  if ("type" in parts.path && blank(type)) throw new LocalError(CHANNEL_REQUIRED);
  const problem =
    (typeof type === "string" && type.includes(":") && channelTypeProblem(type)) ||
    (type !== undefined && typeof id === "string" && id.includes(":") && channelIdProblem(id));
  if (problem) throw new LocalError(problem);
  CHECKS[name]?.(parts);
}
