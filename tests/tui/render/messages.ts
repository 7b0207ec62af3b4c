/** Example messages for rendering tests: one of each kind, small and realistic. */
import type { ClientMessage } from "../../../src/model/state.ts";
import type { RowContext } from "../../../src/tui/render/context.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import type { ReactionGroup } from "../../../src/wire/entities/message.ts";

export const NOW = Date.UTC(2026, 10, 17, 9, 40);

export function message(over: Partial<ClientMessage> = {}): ClientMessage {
  return {
    id: "m1",
    cid: "messaging:general",
    type: "regular",
    text: "deploy at ten?",
    user: { id: "ana", name: "ana" },
    attachments: [],
    mentioned_users: [],
    reply_count: 0,
    reaction_groups: {},
    latest_reactions: [],
    own_reactions: [],
    created_at: "2026-11-17T09:14:00.000000Z",
    updated_at: "2026-11-17T09:14:00.000000Z",
    ...over,
  };
}

export function group(count: number, minute: number): ReactionGroup {
  const at = `2026-11-17T09:${minute}:00.000000Z`;
  return { count, sum_scores: count, first_reaction_at: at, last_reaction_at: at };
}

export function context(over: Partial<RowContext> = {}): RowContext {
  return { width: 84, theme: makeTheme(0), now: NOW, utc: true, me: { id: "me" }, ...over };
}
