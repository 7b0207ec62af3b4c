/** The channels that a search covers: at most 500 that match its filter and whose messages the caller may search. */
import type { RouteCall } from "../../../base/handler.ts";
import { capabilitiesOf } from "../../access/view/capabilities.ts";
import { callerPermissions } from "../../access/view/policy.ts";
import { readableChannels } from "../../access/view/readable.ts";
import { channelRow } from "../../channels/storage/rows.ts";
import { visibilityOf } from "../../messages/view/visibility.ts";
import type { Sql } from "../../query/filter-fields.ts";
import { matchingChannels, type FoundChannel } from "../storage/channels.ts";

export const SEARCHED_CHANNELS = 500;

export interface SearchedChannels {
  cids: string[];
  /** Their rowids, by which the index finds them. */
  rowids: number[];
  /** Whether the caller may read restricted messages in all of them. */
  readsRestricted: boolean;
  /** Whether part of the history of some of them is hidden from the caller. */
  hasHiddenHistory: boolean;
  truncated: boolean;
}

/** Latest active channels first, so that the limit drops inactive ones. */
export function searchedChannels(
  call: RouteCall,
  where: Sql,
  userId: string | undefined,
  now: number,
): SearchedChannels {
  const { db } = call;
  const rows = matchingChannels(db, where, {
    userId,
    readable: readableChannels(db, call.caller, userId),
    disabled: call.caller.kind === "server",
    limit: SEARCHED_CHANNELS + 1,
  });
  const rightsOf = rightsByKind(call, now);
  const searched = rows.slice(0, SEARCHED_CHANNELS).filter((row) => rightsOf(row).canSearch);
  return {
    cids: searched.map(({ cid }) => cid),
    rowids: searched.map(({ rowid }) => rowid),
    readsRestricted: searched.every((row) => rightsOf(row).readsRestricted),
    hasHiddenHistory: searched.some(({ hide_before: before }) => before !== null),
    truncated: rows.length > SEARCHED_CHANNELS,
  };
}

/** Caches the rights by type, overrides, team and role, because they are the same for such channels. */
function rightsByKind(
  call: RouteCall,
  now: number,
): (row: FoundChannel) => { canSearch: boolean; readsRestricted: boolean } {
  const cache = new Map<string, { canSearch: boolean; readsRestricted: boolean }>();
  return (row) => {
    const kind = JSON.stringify([row.type, row.overrides, row.team, row.is_creator, row.role]);
    let rights = cache.get(kind);
    if (!rights) {
      const permissions = callerPermissions(call, channelRow(call.db, row.cid));
      const canSearch =
        permissions.config.search &&
        (permissions.unrestricted || capabilitiesOf(permissions, now).includes("search-messages"));
      cache.set(kind, (rights = { canSearch, readsRestricted: visibilityOf(permissions).readsRestricted }));
    }
    return rights;
  };
}
