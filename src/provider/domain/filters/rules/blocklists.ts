/** Which blocklist a text meets, and what is to happen then (specification/moderation.md §6, specification/admin.md §5). */
import type { Blocklist } from "../../../../wire/entities/blocklist.ts";
import type { ChannelConfig } from "../../../../wire/entities/channel.ts";
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { can, type Permissions } from "../../access/view/policy.ts";
import { matcherOf, type Matcher } from "../../query/match.ts";
import { blocklistsOf } from "../../admin/storage/blocklists.ts";

/** Strongest first. */
const BEHAVIORS = ["block", "shadow_block", "flag"] as const;
type Behavior = (typeof BEHAVIORS)[number];

export interface Met {
  list: string;
  behavior: Behavior;
}

/** Compiled when a text first meets the list, and kept as long as the list. */
const matchers = new WeakMap<Blocklist, Matcher>();
function matcher(list: Blocklist): Matcher {
  const matches = matchers.get(list) ?? matcherOf(list.type, list.words);
  matchers.set(list, matches);
  return matches;
}

/** The lists that a channel's settings name, strongest behaviour first; `flag` where none is said. */
function listsFor(
  db: Database,
  config: ChannelConfig,
): { name: string; behavior: Behavior; matches: Matcher }[] {
  const { blocklist, blocklist_behavior, blocklists } = config as ChannelConfig & {
    blocklists?: { blocklist?: string; behavior?: string }[] | null;
  };
  const named = [...(blocklist ? [{ blocklist, behavior: blocklist_behavior }] : []), ...(blocklists ?? [])];
  if (named.length === 0) return [];
  const lists = blocklistsOf(db);
  return named
    .flatMap(({ blocklist: name, behavior }) => {
      const list = name === undefined ? undefined : lists.get(name);
      const known = BEHAVIORS.find((each) => each === behavior) ?? "flag";
      return list ? [{ name: name!, behavior: known, matches: matcher(list) }] : [];
    })
    .toSorted((a, b) => BEHAVIORS.indexOf(a.behavior) - BEHAVIORS.indexOf(b.behavior));
}

/**
 * What a text of the caller meets; undefined: nothing. Throws the refusal (73) of a list that blocks. Who may skip moderation
 * is not looked at, and a server only when it asks for it.
 */
export function moderate(
  db: Database,
  permissions: Permissions,
  text: string,
  forced = false,
): Met | undefined {
  if (text === "" || (!forced && can(permissions, "skip-message-moderation", false))) return undefined;
  for (const { name, behavior, matches } of listsFor(db, permissions.config)) {
    if (!matches(text)) continue;
    if (behavior === "block")
      throw ApiProblem.moderationFailed(`The message was rejected by the blocklist ${name}`, {
        fields: { "message.text": `is rejected by the blocklist ${name}` },
      });
    return { list: name, behavior };
  }
  return undefined;
}
