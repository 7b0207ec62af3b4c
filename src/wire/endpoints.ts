/** One row per endpoint, by subject: both ends of the wire, the router, the contract and the printed protocol read this table. */
import { adminEndpoints } from "./endpoints/admin.ts";
import { appEndpoints } from "./endpoints/app.ts";
import { campaignsEndpoints } from "./endpoints/campaigns.ts";
import { channelsEndpoints } from "./endpoints/channels.ts";
import { connectEndpoints } from "./endpoints/connect.ts";
import { devicesEndpoints } from "./endpoints/devices.ts";
import { draftsEndpoints } from "./endpoints/drafts.ts";
import { filesEndpoints } from "./endpoints/files.ts";
import { jobsEndpoints } from "./endpoints/jobs.ts";
import { locationsEndpoints } from "./endpoints/locations.ts";
import { messagesEndpoints } from "./endpoints/messages.ts";
import { moderationEndpoints } from "./endpoints/moderation.ts";
import { pollsEndpoints } from "./endpoints/polls.ts";
import { remindersEndpoints } from "./endpoints/reminders.ts";
import { searchEndpoints } from "./endpoints/search.ts";
import { threadsEndpoints } from "./endpoints/threads.ts";
import { usersEndpoints } from "./endpoints/users.ts";
import type { Endpoint } from "./endpoints/row.ts";

export type { EndpointRow, Method, PartialBody } from "./endpoints/row.ts";
export type { AppReply } from "./endpoints/app.ts";
export type {
  QueryChannelsBody,
  QueryChannelBody,
  UpdateChannelBody,
  QueryMembersPayload,
  UnreadReply,
} from "./endpoints/channels.ts";
export type { ConnectPayload, LongPollReply } from "./endpoints/connect.ts";
export type { QueryUsersPayload } from "./endpoints/users.ts";

export const endpoints = {
  ...connectEndpoints,
  ...appEndpoints,
  ...usersEndpoints,
  ...devicesEndpoints,
  ...channelsEndpoints,
  ...messagesEndpoints,
  ...threadsEndpoints,
  ...filesEndpoints,
  ...pollsEndpoints,
  ...locationsEndpoints,
  ...draftsEndpoints,
  ...remindersEndpoints,
  ...searchEndpoints,
  ...moderationEndpoints,
  ...adminEndpoints,
  ...jobsEndpoints,
  ...campaignsEndpoints,
} as const;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
type TypesOf<K extends EndpointName> =
  Endpoints[K] extends Endpoint<infer P, infer Q, infer B, infer R>
    ? { path: P; query: Q; body: B; reply: R }
    : never;
export type PathOf<K extends EndpointName> = TypesOf<K>["path"];
export type QueryOf<K extends EndpointName> = TypesOf<K>["query"];
export type BodyOf<K extends EndpointName> = TypesOf<K>["body"];
/** The JSON of a 2xx answer; `duration` is always there. */
export type ReplyOf<K extends EndpointName> = TypesOf<K>["reply"] & { duration: string };

/** `/channels/{type}/{id}` with its parameters percent-encoded. */
export function fillPath(path: string, parameters: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));
}
