/** Mentions of messages from the shell: whom a text given as an argument names, and `--mention` (R-MENT-7). */
import type { Composer } from "../../core/composer/composer.ts";
import { nameTable, namesIn, mentionKey } from "../../text/mentions.ts";
import { cleanName } from "../../text/sanitize.ts";
import { words } from "../../text/words.ts";
import { isUserId } from "../../wire/ids.ts";
import { CommandError, type Args, type Call } from "./define-command.ts";

/** The `--mention` of every command that writes a message. */
export const MENTION = {
  kind: "list",
  value: "user",
  help: "Mention this user, whom the text names (repeatable)",
} as const;

/**
 * Looks up whom a text given as an argument names, and says which names nobody has but those `asked` for by `--mention`. Text from standard input (`-`) mentions
 * only by `--mention`: a program has written it.
 */
export async function nameMentions(
  { note }: Pick<Call<Args>, "note">,
  composer: Composer,
  given: string | undefined,
  asked: MentionNames = new Map(),
): Promise<void> {
  if (given === undefined || given === "-") return;
  await composer.findMentions();
  // The provider itself answers its commands, such as `/ban @nobody`.
  if (/^\/(?!me\b)/.test(given)) return;
  const named = new Set([...asked.values()].flat().map(mentionKey));
  const { unknown, shared } = composer.mentions();
  const isLeft = (name: string): boolean => !named.has(mentionKey(name));
  const line = words.mentions.notMentioned({
    unknown: unknown.filter(isLeft),
    shared: shared.filter(isLeft),
  });
  if (line !== undefined) note?.(line);
}

/** What each user may be called in a text. */
type MentionNames = ReadonlyMap<string, readonly string[]>;

/** The ids of `--mention`, each once. Throws `CommandError` (usage) for what is no user id. */
function idsOf(mention: readonly string[]): string[] {
  const ids = [...new Set(mention.map((id) => id.replace(/^@/, "")))];
  const wrong = ids.find((id) => !isUserId(id));
  if (wrong !== undefined) throw new CommandError("usage", `--mention must be a user id, not '${wrong}'.`);
  return ids;
}

/** What the users of `--mention` are called. Throws `CommandError` (usage) for what is no user id. */
export async function mentionNames(
  { core }: Pick<Call<Args>, "core">,
  mention: readonly string[],
): Promise<MentionNames> {
  const ids = idsOf(mention);
  if (ids.length === 0) return new Map();
  const { users } = await core.call("queryUsers", {
    query: { filter_conditions: { id: { $in: ids } }, limit: ids.length },
  });
  const named = new Map(users.map(({ id, name }) => [id, name ? [id, name, cleanName(name)] : [id]]));
  return new Map(ids.map((id) => [id, named.get(id) ?? [id]]));
}

/** The users whom a text names anywhere, also in code: they were asked for. */
export function mentionedBy(text: string, names: MentionNames): string[] {
  const all = [...names.values()].flat();
  const table = nameTable(all);
  // The sign of emphasis is not part of a name that ends there: `_hi @Bo_`.
  const texts = [text, text.replace(/_(?![\p{L}\p{N}])/gu, " ")];
  const found = new Set(
    texts.flatMap((each) => [...namesIn(each, table)].map(({ name }) => mentionKey(name))),
  );
  return [...names].flatMap(([id, own]) => (own.some((name) => found.has(mentionKey(name))) ? [id] : []));
}

/** Whom `--mention` names, by id. Throws `CommandError` (usage) for users whom the text does not name. */
export async function requireNamed(
  call: Pick<Call<Args>, "core">,
  text: string,
  mention: readonly string[],
): Promise<MentionNames> {
  const ids = idsOf(mention);
  const byId = new Set(mentionedBy(text, new Map(ids.map((id) => [id, [id]]))));
  const names = await mentionNames(
    call,
    ids.filter((id) => !byId.has(id)),
  );
  requireAllNamed(names, mentionedBy(text, names));
  return new Map(ids.map((id) => [id, names.get(id) ?? [id]]));
}

/** Throws `CommandError` (usage) unless all are named. */
export function requireAllNamed(names: MentionNames, named: Iterable<string>): void {
  const found = new Set(named);
  const missing = [...names.keys()].filter((id) => !found.has(id));
  if (missing.length > 0)
    throw new CommandError(
      "usage",
      `The text does not name ${missing.map((id) => `@${id}`).join(", ")}, so nobody would see the mention.`,
      "Write @ and the name or the id into the text.",
    );
}
