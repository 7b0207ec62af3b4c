/** Read-only routes that may take long; a reading thread can answer them (specification/embedded-provider.md §4). */
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

/** Up to this many messages ever written, a search is fast enough to be tried on the main thread. */
const MAIN_THREAD_SEARCH_LIMIT = 2000;

/** A query of the full-text index cannot be interrupted, so a search among many messages never runs on the main thread. */
export function needsReadingThread(db: Database, name: EndpointName): boolean {
  if (name !== "search") return false;
  return lastMessageNumber(db) > MAIN_THREAD_SEARCH_LIMIT;
}

/** Makes the caller's connection watch channels; a reading thread, which cannot do so itself, asks for it. Throws where reading is refused. */
export function watchFor(call: RouteCall, cids: readonly string[]): void {
  for (const cid of cids) startWatching(call, requireReadable(call, cid));
}
