/** The table of all endpoints, used by the client, the provider, the contract tests and the printed protocol. */
import { adminEndpoints } from "./admin.ts";
import { appEndpoints } from "./app.ts";
import { campaignsEndpoints } from "./campaigns.ts";
import { channelsEndpoints } from "./channels.ts";
import { connectEndpoints } from "./connect.ts";
import { devicesEndpoints } from "./devices.ts";
import { draftsEndpoints } from "./drafts.ts";
import { filesEndpoints } from "./files.ts";
import { jobsEndpoints } from "./jobs.ts";
import { locationsEndpoints } from "./locations.ts";
import { messagesEndpoints } from "./messages.ts";
import { moderationEndpoints } from "./moderation.ts";
import { pollsEndpoints } from "./polls.ts";
import { remindersEndpoints } from "./reminders.ts";
import { searchEndpoints } from "./search.ts";
import { threadsEndpoints } from "./threads.ts";
import { usersEndpoints } from "./users.ts";
import type { BodyName, bodies } from "../bodies/index.ts";
import type { Infer } from "../entities/fields.ts";
import type { Endpoint } from "./row.ts";

export type { EndpointRow } from "./row.ts";
export type { AppReply } from "./app.ts";
export type { QueryChannelsBody, QueryChannelBody, UpdateChannelBody, UnreadReply } from "./channels.ts";
export type { ConnectPayload, LongPollReply } from "./connect.ts";

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

type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
/** The rows under the name of the endpoint in `bodies/`. */
type Described<K> = K extends BodyName ? Infer<(typeof bodies)[K]> : undefined;
type TypesOf<K extends EndpointName> =
  Endpoints[K] extends Endpoint<infer P, infer Q, infer F, infer R>
    ? Q extends "payload"
      ? { path: P; query: Described<K>; body: undefined; reply: R }
      : { path: P; query: Q; body: F extends undefined ? Described<K> : F; reply: R }
    : never;
export type PathOf<K extends EndpointName> = TypesOf<K>["path"];
export type QueryOf<K extends EndpointName> = TypesOf<K>["query"];
export type BodyOf<K extends EndpointName> = TypesOf<K>["body"];
/** What a handler returns: the JSON of a 2xx answer without `duration`. */
export type ResultOf<K extends EndpointName> = TypesOf<K>["reply"];
/** The JSON of a 2xx answer; `duration` is always there. */
export type ReplyOf<K extends EndpointName> = ResultOf<K> & { duration: string };

/** `/channels/{type}/{id}` with its parameters percent-encoded. */
export function fillPath(path: string, parameters: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));
}
