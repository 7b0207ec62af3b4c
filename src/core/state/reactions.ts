/** Reactions of the current user, which events never contain (R-MSG-9). */
import { DEFAULT_REACTION_SCORE } from "../../wire/constants.ts";
import { compareTimes } from "../../wire/time.ts";
import type { Reaction } from "../../wire/entities/message.ts";
import type { ClientMessage } from "../../model/state.ts";
import type { OutboxAction } from "../base/outbox-row.ts";

const MAX_LATEST = 10;

/** Total number of reactions of a message. */
function total(message: ClientMessage): number {
  return Object.values(message.reaction_groups).reduce((sum, group) => sum + (group?.count ?? 0), 0);
}

/** The user's reactions that are consistent with the groups; taken from the latest reactions when those are complete. */
export function ownReactionsAmong(
  message: ClientMessage,
  own: readonly Reaction[],
  me: string | undefined,
): Reaction[] {
  const listed = message.latest_reactions;
  if (me !== undefined && total(message) <= Math.min(MAX_LATEST, listed.length))
    return listed.filter((reaction) => reaction.user_id === me);
  return own.filter((reaction) => message.reaction_groups[reaction.type]);
}

export function addOwnReaction(own: readonly Reaction[], reaction: Reaction): Reaction[] {
  const held = own.find((each) => each.type === reaction.type);
  if (held && compareTimes(reaction.updated_at, held.updated_at) < 0) return [...own];
  return [...own.filter((each) => each.type !== reaction.type), reaction];
}

/** The message with a reaction added or removed, before the provider confirms it (R-SEND-14). */
export function withReaction(
  message: ClientMessage,
  action: Extract<OutboxAction, { kind: "react" | "unreact" }>,
  me: string,
  at: string,
): ClientMessage {
  const groups = { ...message.reaction_groups };
  let own = [...message.own_reactions];
  let latest = [...message.latest_reactions];
  const removeReaction = (reaction: Reaction): void => {
    own = own.filter((each) => each.type !== reaction.type);
    latest = latest.filter((each) => !(each.type === reaction.type && each.user_id === me));
    const group = groups[reaction.type];
    if (!group) return;
    if (group.count <= 1) delete groups[reaction.type];
    else
      groups[reaction.type] = {
        ...group,
        count: group.count - 1,
        sum_scores: group.sum_scores - reaction.score,
      };
  };
  for (const each of own.slice())
    if (each.type === action.type || (action.kind === "react" && action.unique)) removeReaction(each);
  if (action.kind === "react") {
    const added: Reaction = {
      type: action.type,
      user_id: me,
      message_id: message.id,
      score: action.score ?? DEFAULT_REACTION_SCORE,
      created_at: at,
      updated_at: at,
    };
    const group = groups[action.type];
    groups[action.type] = {
      count: (group?.count ?? 0) + 1,
      sum_scores: (group?.sum_scores ?? 0) + added.score,
      first_reaction_at: group?.first_reaction_at ?? at,
      last_reaction_at: at,
    };
    own.push(added);
    latest = [added, ...latest].slice(0, MAX_LATEST);
  }
  return { ...message, reaction_groups: groups, own_reactions: own, latest_reactions: latest };
}
