/** Which blocklist of a channel a text matches, and what happens then (specification/moderation.md §6, specification/admin.md §5). */
import type { Blocklist } from "../../../../wire/entities/blocklist.ts";
import type { ChannelConfig } from "../../../../wire/entities/channel.ts";
import { ApiProblem } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { can, type Permissions } from "../../access/view/policy.ts";
import { matcherOf, type Matcher } from "../../query/blocklist-matcher.ts";
import { blocklistsOf } from "../../admin/storage/blocklists.ts";

/** Strongest first. */
const BEHAVIORS = ["block", "shadow_block", "flag"] as const;
type Behavior = (typeof BEHAVIORS)[number];

export interface BlocklistMatch {
  list: string;
  behavior: Behavior;
}

/** Compiled when a list is first used. */
const matchers = new WeakMap<Blocklist, Matcher>();
function matcher(list: Blocklist): Matcher {
  const matches = matchers.get(list) ?? matcherOf(list.type, list.words);
  matchers.set(list, matches);
  return matches;
}

/** The blocklists in a channel's configuration, strongest behavior first; the default behavior is `flag`. */
function listsFor(
  db: Database,
  config: ChannelConfig,
): { name: string; behavior: Behavior; matches: Matcher }[] {
  const { blocklist, blocklist_behavior, blocklists } = config as ChannelConfig & {
    blocklists?: { blocklist?: string; behavior?: string }[] | null;
  };
  const entries = [
    ...(blocklist ? [{ blocklist, behavior: blocklist_behavior }] : []),
    ...(blocklists ?? []),
  ];
  if (entries.length === 0) return [];
  const lists = blocklistsOf(db);
  return entries
    .flatMap(({ blocklist: name, behavior }) => {
      const list = name === undefined ? undefined : lists.get(name);
      const knownBehavior = BEHAVIORS.find((each) => each === behavior) ?? "flag";
      return list ? [{ name: name!, behavior: knownBehavior, matches: matcher(list) }] : [];
    })
    .toSorted((a, b) => BEHAVIORS.indexOf(a.behavior) - BEHAVIORS.indexOf(b.behavior));
}

/**
 * The first list that matches a text of the caller. Throws code 73 if that list blocks. `forced` also checks callers who may skip
 * moderation, such as servers.
 */
export function moderate(
  db: Database,
  permissions: Permissions,
  text: string,
  forced = false,
): BlocklistMatch | undefined {
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
