/** The list of routes that only read and may take long; a reading thread answers them (specification/embedded-provider.md §4). */
import type { EndpointName } from "../../wire/endpoints/index.ts";
import type { RouteCall } from "../base/handler.ts";
import type { Database } from "../base/database.ts";
import { requireReadable } from "./access/view/policy.ts";
import { startWatching } from "./watching/rules/watching.ts";
import { lastMessageNumber } from "./messages/storage/newest.ts";

export const longRoutes: ReadonlySet<EndpointName> = new Set([
  "exportUser",
  "getReplies",
  "queryBannedUsers",
  "queryCampaigns",
  "queryChannels",
  "queryDrafts",
  "queryFlagReports",
  "queryMembers",
  "queryMessageFlags",
  "queryMessageHistory",
  "queryPolls",
  "queryPollVotes",
  "queryReactions",
  "queryReminders",
  "queryThreads",
  "queryUsers",
  "search",
] satisfies EndpointName[]);

/** Messages ever written up to which a search is tried like all else: what the index does in one go ends soon then. */
const FEW_MESSAGES = 2000;

/** The index of words is asked in one go that nothing can interrupt, so among many messages a search is not even tried. */
export function needsReadingThread(db: Database, name: EndpointName): boolean {
  if (name !== "search") return false;
  return lastMessageNumber(db) > FEW_MESSAGES;
}

/** The connection of a call watches channels that it may read, on behalf of a reading thread. */
export function watchFor(call: RouteCall, cids: readonly string[]): void {
  for (const cid of cids) startWatching(call, requireReadable(call, cid));
}
