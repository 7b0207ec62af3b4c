/** One row of the contract: who sends which request, and the answer the provider must give. */
import type { RequestInput, Json, Room, Caller } from "./world.ts";
import type { Shape } from "./shape.ts";

export interface Case {
  /** A line of routes.txt. */
  route: string;
  name: string;
  as: Caller;
  /** Only the embedded provider must do this, not the protocol: skipped for a hosted provider. */
  embeddedOnly?: true;
  /** Prepares the room; its result is `room.extra`. */
  prepare?: (room: Room) => Promise<Json>;
  /** Path parameters other than those of the room. */
  path?: (room: Room) => Record<string, string>;
  input?: (room: Room) => RequestInput;
  /** Expected error code; without one the request must succeed: 201 for POST, 200 for other methods. */
  code?: number;
  /** Expected HTTP status where it differs from the one that belongs to the code. */
  status?: number;
  /** Key that `exception_fields` must have. */
  field?: string;
  /** Text that the reason must contain literally. */
  messagePart?: string;
  /** Shape of the whole answer of a success; `duration` is added automatically. */
  reply?: Record<string, Shape>;
  /** Values that the answer must have, besides its shape. */
  values?: (room: Room) => object;
}

/** Code → HTTP status, written out by hand, so that a wrong change of the provider's table is noticed. */
export const STATUS: Record<number, number> = {
  [-1]: 500,
  2: 401,
  4: 400,
  5: 401,
  16: 404,
  17: 403,
  18: 400,
  19: 400,
  20: 400,
  21: 400,
  22: 413,
  40: 401,
  41: 401,
  42: 401,
  43: 401,
  44: 400,
  60: 403,
  70: 403,
  73: 400,
  99: 403,
};

/** The path of a route with its parameters filled in from the room, its message, or the case itself. */
export function fill(
  route: string,
  room: Room,
  own: Record<string, string> = {},
): { method: string; path: string } {
  const [method, template] = route.split(" ") as [string, string];
  const parameters: Record<string, string> = {
    type: room.type,
    id: template.startsWith("/messages/") ? room.message : room.id,
    parent_id: room.message,
    message_id: room.extra?.message ?? room.message,
    poll_id: room.extra?.poll?.id ?? "no-poll",
    vote_id: room.extra?.vote?.id ?? "no-vote",
    user_id: "ada",
    reaction_type: "love",
    ...own,
  };
  return {
    method,
    path: template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name]!)),
  };
}
