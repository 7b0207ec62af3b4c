/** Checks one item of an import by itself, and against the rest of its file and what is stored (specification/admin.md §10). */
import { IMPORT_ORDER, type ImportError, type ImportItem } from "../../../../wire/entities/import.ts";
import { itemProblem, readImportItem } from "../../../../wire/imports/forms.ts";
import { broughtBy, misplaced, neededBy } from "../../../../wire/imports/references.ts";
import { makeCid } from "../../../../wire/ids.ts";
import type { Database } from "../../../base/database.ts";
import { accessOf, configOf } from "../../access/storage/access.ts";
import { isChannelRole } from "../../channels/rules/members.ts";
import { distinctId } from "../../channels/rules/open.ts";
import { findMessage } from "../../messages/storage/rows.ts";
import { isRemembered, rememberKey } from "../storage/seen.ts";
import { isStored } from "../storage/imported.ts";

/** Text of an item that is none, in a report. */
const SHOWN = 1000;

/** The cid an item speaks of: its own, or that of its channel; members alone name the distinct channel of them. */
export function cidOfItem({ type, data }: ImportItem): string {
  const own = type === "channel";
  const channelType = (own ? data.type : data.channel_type) as string;
  const id = (own ? data.id : data.channel_id) as string | null | undefined;
  const members = (own ? data.member_ids : data.channel_member_ids) as string[];
  return makeCid(channelType, id ? id : distinctId([...new Set(members)]));
}

/** The item of one text, or what is wrong with it; of a text that is no JSON its beginning is shown. */
export function readItem(text: string): { item: ImportItem } | { error: ImportError } {
  const read = readImportItem(text);
  if (!("error" in read)) return { item: read };
  return {
    error: {
      error: read.error,
      item_type: read.type,
      item: "value" in read ? read.value : text.slice(0, SHOWN),
    },
  };
}

/** The rounds in which items are stored when a file does not hold them in this order: replies come after all other messages. */
export const ROUNDS = [...IMPORT_ORDER.slice(0, 6), "reply", "reaction"] as const;
const roundName = ({ type, data }: ImportItem): (typeof ROUNDS)[number] =>
  type === "message" && data.parent_id != null ? "reply" : type;
export const roundOf = (item: ImportItem): number => ROUNDS.indexOf(roundName(item));

const wrongItem = (item: ImportItem, problem: string): ImportError => ({
  error: `Validation error: ${problem}`,
  item_type: item.type,
  item: item.data,
});

export class ItemCheck {
  readonly #db: Database;
  readonly #importId: string;

  constructor(db: Database, importId: string) {
    this.#db = db;
    this.#importId = importId;
  }

  /** Remembers what an item brings; answers what is wrong with one by itself. */
  bring(item: ImportItem): ImportError | undefined {
    const problem = itemProblem(item);
    if (problem !== undefined) return wrongItem(item, problem);
    this.#bring(item);
    return undefined;
  }

  /** What is wrong with an item beside all others of its file and what is stored. */
  fit(item: ImportItem): ImportError | undefined {
    const problem = this.#unknown(item) ?? this.#unfit(item);
    return problem === undefined ? undefined : wrongItem(item, problem);
  }

  #bring(item: ImportItem): void {
    const brought = broughtBy(item);
    if (!brought) return;
    if (brought.kind === "channel") return rememberKey(this.#db, this.#importId, "channel", cidOfItem(item));
    rememberKey(this.#db, this.#importId, brought.kind, brought.key);
    if (item.type === "message" && item.data.parent_id == null)
      rememberKey(this.#db, this.#importId, "parent", `${cidOfItem(item)} ${brought.key}`);
  }

  #has(kind: "user" | "channel" | "message", key: string): boolean {
    if (isRemembered(this.#db, this.#importId, kind, key)) return true;
    return isStored(this.#db, kind, key);
  }

  #unknown(item: ImportItem): string | undefined {
    for (const { kind, key } of neededBy(item)) {
      const name = kind === "channel" ? cidOfItem(item) : key;
      if (!this.#has(kind, name)) return `${item.type} refers to ${kind} ${name}, which does not exist`;
    }
    return undefined;
  }

  /** What only this app can say: its channel types, its roles, and where messages stand. */
  #unfit({ type, data }: ImportItem): string | undefined {
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
    const stands =
      isRemembered(db, this.#importId, "parent", `${cid} ${String(data.parent_id)}`) ||
      (parent?.cid === cid && parent.parent_id === null);
    return stands ? undefined : misplaced(String(data.parent_id));
  }
}
