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
  numbers: number[];
  /** Whether the caller may read restricted messages in all of them. */
  readsRestricted: boolean;
  /** Whether part of the history of some of them is hidden from the caller. */
  hidesSome: boolean;
  cut: boolean;
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
  const searched = rows.slice(0, SEARCHED_CHANNELS).filter((row) => rightsOf(row).searches);
  return {
    cids: searched.map(({ cid }) => cid),
    numbers: searched.map(({ no }) => no),
    readsRestricted: searched.every((row) => rightsOf(row).readsRestricted),
    hidesSome: searched.some(({ hide_before: before }) => before !== null),
    cut: rows.length > SEARCHED_CHANNELS,
  };
}

/** Caches the rights by type, overrides, team and role, because they are the same for such channels. */
function rightsByKind(
  call: RouteCall,
  now: number,
): (row: FoundChannel) => { searches: boolean; readsRestricted: boolean } {
  const cache = new Map<string, { searches: boolean; readsRestricted: boolean }>();
  return (row) => {
    const kind = JSON.stringify([row.type, row.overrides, row.team, row.made, row.role]);
    let rights = cache.get(kind);
    if (!rights) {
      const permissions = callerPermissions(call, channelRow(call.db, row.cid));
      const searches =
        permissions.config.search &&
        (permissions.all || capabilitiesOf(permissions, now).includes("search-messages"));
      cache.set(kind, (rights = { searches, readsRestricted: visibilityOf(permissions).readsRestricted }));
    }
    return rights;
  };
}
