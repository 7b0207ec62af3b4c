/** Endpoints of connections and missed events. */
import type { AnyEvent } from "../events.ts";
import type { OwnUser } from "../entities/user.ts";
import type { connectBodies } from "../bodies/connect.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row } from "./row.ts";

/** The JSON handshake of `/connect` and of a long-poll opening. */
export interface ConnectPayload {
  user_id: string;
  user_details?: Partial<OwnUser> & { id?: string };
  server_determines_connection_id?: boolean;
  user_token?: string;
  device?: { id: string; push_provider: string; push_provider_name?: string };
  client_request_id?: string;
}

export interface LongPollReply {
  event?: AnyEvent;
  events?: AnyEvent[];
  /** Number of the newest event of this session so far, if the poll had `after`; the next poll passes it back. */
  last?: number;
}

type Body<K extends keyof typeof connectBodies> = Infer<(typeof connectBodies)[K]>;

export const connectEndpoints = withOperations({
  hi: row("GET /hi", { open: true, perMinute: 10_000 }),
  longPoll: row<
    LongPollReply,
    undefined,
    object,
    { json?: string; connection_id?: string; after?: number; close?: boolean }
  >("GET /longpoll", { op: "Connect", perMinute: 10_000 }),
  sync: row<
    { events: AnyEvent[]; inaccessible_cids?: string[] },
    Body<"sync">,
    object,
    { with_inaccessible_cids?: boolean }
  >("POST /sync", { safe: true }),
});
