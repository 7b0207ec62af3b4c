/** One row of the contract: who asks what, and what the provider must answer. */
import type { Asked, Json, Room, Who } from "./world.ts";
import type { Shape } from "./shape.ts";

export interface Case {
  /** A line of routes.txt. */
  route: string;
  name: string;
  as: Who;
  /** A choice of the embedded provider, not of the protocol: not asked of a hosted one. */
  ours?: true;
  /** Prepares the room; its result is `room.extra`. */
  given?: (room: Room) => Promise<Json>;
  /** Path parameters besides the room's own. */
  path?: (room: Room) => Record<string, string>;
  ask?: (room: Room) => Asked;
  /** Without one the case is a success: 201 for POST, 200 for the rest. */
  code?: number;
  /** Only where it is not the status of the code. */
  status?: number;
  /** Key of `exception_fields`. */
  field?: string;
  /** A part of the reason, literally. */
  says?: string;
  /** The whole answer of a success, `duration` included by itself. */
  reply?: Record<string, Shape>;
  /** What the answer holds besides its shape. */
  holds?: (room: Room) => object;
}

/** Code → HTTP status, written out by hand: a table that changes by mistake is noticed here. */
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
  60: 403,
  70: 403,
  73: 400,
  99: 403,
};

/** The path of a route with its parameters filled in: the room's, its message's, or the case's own. */
export function fill(
  route: string,
  room: Room,
  own: Record<string, string> = {},
): { method: string; path: string } {
  const [method, template] = route.split(" ") as [string, string];
  const given: Record<string, string> = {
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
    path: template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name]!)),
  };
}
