/** Endpoints of connections and missed events. */
import type { OwnUser } from "../entities/user.ts";
import { anyEvent, type AnyEvent } from "../events.ts";
import { any, flag, id, list, need, shape, text, whole, type Infer } from "../entities/fields.ts";
import { row, withOperations } from "./row.ts";

/** The JSON handshake of `/connect` and of a long-poll opening. */
export interface ConnectPayload {
  user_id: string;
  user_details?: Partial<OwnUser> & { id?: string };
  server_determines_connection_id?: boolean;
  user_token?: string;
  device?: { id: string; push_provider: string; push_provider_name?: string };
  client_request_id?: string;
}

export const LongPollReply = shape(() => ({
  event: anyEvent,
  events: list(any<AnyEvent>("AnyEvent")),
  /** Number of the newest event of this session so far, if the poll had `after`; the next poll passes it back. */
  last: whole(),
}));
export interface LongPollReply extends Infer<typeof LongPollReply> {}

export const connectEndpoints = withOperations({
  hi: row("GET /hi", { source: "ours", open: true, perMinute: 10_000 }),
  longPoll: row("GET /longpoll", {
    source: "ours",
    op: "Connect",
    perMinute: 10_000,
    query: { json: text(), connection_id: id(), after: whole(), close: flag() },
    answer: LongPollReply,
  }),
  sync: row("POST /sync", {
    source: "ours",
    safe: true,
    query: { with_inaccessible_cids: flag() },
    answer: () => ({ events: need(list(any<AnyEvent>("AnyEvent"))), inaccessible_cids: list(text()) }),
  }),
});
