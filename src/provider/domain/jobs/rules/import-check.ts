/** Checks items of an import by themselves, against their file, and against the database (specification/admin.md §10). */
import { IMPORT_ORDER, type ImportError, type ImportItem } from "../../../../wire/entities/import.ts";
import { itemProblem, readImportItem } from "../../../../wire/imports/forms.ts";
import {
  definedKey,
  misplacedReply,
  referencedKeys,
  repeatedItem,
  type ImportKey,
} from "../../../../wire/imports/references.ts";
import { makeCid } from "../../../../wire/ids.ts";
import type { Database } from "../../../base/database.ts";
import { accessOf, configOf } from "../../access/storage/access.ts";
import { isChannelRole } from "../../channels/rules/members.ts";
import { distinctId } from "../../channels/rules/open.ts";
import { findMessage } from "../../messages/storage/rows.ts";
import { hasJobKey, storeJobKey } from "../storage/job-keys.ts";
import { isStored } from "../storage/imported.ts";

/** How many characters of an unreadable item an error shows. */
const SHOWN_CHARACTERS = 1000;

/** The cid of an item: of the channel itself, or of the channel it belongs to. Without a channel id it is a distinct channel. */
export function cidOfItem({ type, data }: ImportItem): string {
  const isChannel = type === "channel";
  const channelType = (isChannel ? data.type : data.channel_type) as string;
  const id = (isChannel ? data.id : data.channel_id) as string | null | undefined;
  const members = (isChannel ? data.member_ids : data.channel_member_ids) as string[];
  return makeCid(channelType, id ? id : distinctId([...new Set(members)]));
}

/** Parses an item; the error for invalid JSON shows the beginning of the text. */
export function readItem(text: string): { item: ImportItem } | { error: ImportError } {
  const read = readImportItem(text);
  if (!("error" in read)) return { item: read };
  return {
    error: {
      error: read.error,
      item_type: read.type,
      item: "value" in read ? read.value : text.slice(0, SHOWN_CHARACTERS),
    },
  };
}

/** The order in which items must be stored, replies after all other messages; a file in another order is read once per round. */
export const ROUNDS = [...IMPORT_ORDER.slice(0, 6), "reply", "reaction"] as const;
const roundName = ({ type, data }: ImportItem): (typeof ROUNDS)[number] =>
  type === "message" && data.parent_id != null ? "reply" : type;
export const roundOf = (item: ImportItem): number => ROUNDS.indexOf(roundName(item));

const itemError = (item: ImportItem, problem: string): ImportError => ({
  error: `Validation error: ${problem}`,
  item_type: item.type,
  item: item.data,
});

export class ItemCheck {
  readonly #db: Database;
  readonly #importId: string;
  /** Whole microseconds. */
  readonly #now: number;

  constructor(db: Database, importId: string, now: number) {
    this.#db = db;
    this.#importId = importId;
    this.#now = now;
  }

  /** Checks an item by itself, and records what it defines. */
  checkItem(item: ImportItem): ImportError | undefined {
    const problem = itemProblem(item, this.#now) ?? this.#recordDefinition(item);
    return problem === undefined ? undefined : itemError(item, problem);
  }

  /** In a second pass: an invalid item has been reported before. */
  checkReferencesOfValid(item: ImportItem): ImportError | undefined {
    return itemProblem(item, this.#now) === undefined ? this.checkReferences(item) : undefined;
  }

  /** Checks an item against its file and the database. */
  checkReferences(item: ImportItem): ImportError | undefined {
    const problem = this.#missingReference(item) ?? this.#appProblem(item);
    return problem === undefined ? undefined : itemError(item, problem);
  }

  /** The problem of an id that the file has twice. */
  #recordDefinition(item: ImportItem): string | undefined {
    const [db, id] = [this.#db, this.#importId];
    const definition = definedKey(item);
    if (!definition) return undefined;
    const { kind } = definition;
    const key = kind === "channel" ? cidOfItem(item) : definition.key;
    if (hasJobKey(db, id, kind, key)) return repeatedItem({ kind, key });
    storeJobKey(db, id, kind, key);
    if (item.type === "message" && item.data.parent_id == null)
      storeJobKey(db, id, "parent", `${cidOfItem(item)} ${key}`);
    return undefined;
  }

  #exists({ kind, key }: ImportKey): boolean {
    if (hasJobKey(this.#db, this.#importId, kind, key)) return true;
    return isStored(this.#db, kind, key);
  }

  #missingReference(item: ImportItem): string | undefined {
    for (const { kind, key } of referencedKeys(item)) {
      const name = kind === "channel" ? cidOfItem(item) : key;
      if (!this.#exists({ kind, key: name }))
        return `${item.type} refers to ${kind} ${name}, which does not exist`;
    }
    return undefined;
  }

  /** Checks what depends on this app: channel types, roles, and the channel and parent of messages. */
  #appProblem({ type, data }: ImportItem): string | undefined {
    const db = this.#db;
    if (type === "user" && data.role != null && !accessOf(db).appRoles.has(data.role as string))
      return `user.role ${String(data.role)} does not exist`;
    if (type === "channel" && !configOf(db, data.type as string))
      return `channel.type ${String(data.type)} does not exist`;
    if (type === "member" && data.channel_role != null && !isChannelRole(db, data.channel_role))
      return `member.channel_role ${String(data.channel_role)} does not exist`;
    if (type !== "message") return undefined;
    const cid = cidOfItem({ type, data });
    const before = findMessage(db, data.id as string);
    if (before && before.cid !== cid) return `message ${before.id} exists in another channel`;
    if (data.parent_id == null) return undefined;
    const parent = findMessage(db, data.parent_id as string);
    const isParent =
      hasJobKey(db, this.#importId, "parent", `${cid} ${String(data.parent_id)}`) ||
      (parent?.cid === cid && parent.parent_id === null);
    return isParent ? undefined : misplacedReply(String(data.parent_id));
  }
}
