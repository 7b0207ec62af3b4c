/** Leaves out items that every import would refuse, with what cannot be without them, and counts them (specification/admin.md §10). */
import type { ImportItem, UnusedKind } from "../../wire/entities/import.ts";
import { itemProblem } from "../../wire/imports/forms.ts";
import { definedKey, referencedKeys, type ImportKey } from "../../wire/imports/references.ts";
import type { Tally } from "../tally.ts";

const KIND_OF_TYPE = {
  user: "person",
  device: "field",
  future_channel_ban: "field",
  channel: "channel",
  member: "member",
  message: "message",
  reaction: "reaction",
} as const satisfies Record<ImportItem["type"], UnusedKind>;

const kindOf = ({ type, data }: ImportItem): UnusedKind =>
  type === "message" && data.parent_id != null ? "reply" : KIND_OF_TYPE[type];

const nameOf = ({ kind, key }: ImportKey): string => `${kind} ${key}`;

/** References that a message can do without, and their fields. */
function withoutLost(item: ImportItem, isLost: (key: ImportKey) => boolean): ImportItem {
  if (item.type !== "message") return item;
  const { mentioned_users_ids: mentioned, quoted_message_id: quoted, ...rest } = item.data;
  const kept = ((mentioned ?? []) as string[]).filter((key) => !isLost({ kind: "user", key }));
  const hasQuoted = typeof quoted === "string" && !isLost({ kind: "message", key: quoted });
  return {
    type: "message",
    data: {
      ...rest,
      ...(kept.length > 0 ? { mentioned_users_ids: kept } : {}),
      ...(hasQuoted ? { quoted_message_id: quoted } : {}),
    },
  };
}

/** What an invalid item would have defined, as far as its id can be read. */
function idOfInvalid({ type, data }: ImportItem): ImportKey | undefined {
  if (typeof data.id !== "string") return undefined;
  if (type === "channel") return { kind: "channel", key: `${String(data.type)}:${data.id}` };
  return type === "user" || type === "message" ? { kind: type, key: data.id } : undefined;
}

/** `now`: milliseconds since 1970. Memory holds the ids of the file. */
export async function* importableItems(
  items: AsyncIterable<ImportItem>,
  { now, tally }: { now: number; tally: Tally },
): AsyncIterable<ImportItem> {
  const seen = new Set<string>();
  const lost = new Set<string>();
  const isLost = (key: ImportKey): boolean => lost.has(nameOf(key)) && !seen.has(nameOf(key));
  for await (const found of items) {
    const problem = itemProblem(found, now * 1000);
    const item = problem === undefined && lost.size > 0 ? withoutLost(found, isLost) : found;
    const key = problem === undefined ? definedKey(item) : idOfInvalid(found);
    const missing = problem === undefined ? referencedKeys(item).find(isLost) : undefined;
    const reason =
      problem ??
      (key && seen.has(nameOf(key)) ? "its id is in the file twice" : undefined) ??
      (missing && `its ${missing.kind} is not imported`);
    if (reason === undefined) {
      if (key) seen.add(nameOf(key));
      yield item;
      continue;
    }
    if (key) lost.add(nameOf(key));
    tally.add(kindOf(found), reason);
  }
}
