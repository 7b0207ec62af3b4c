/** Drafts in state.db, and a history of drafts that another process overwrote (D10). */
import { withStoreFailure } from "../../model/files/storage.ts";
import type { OpenFile, PrepareStatement } from "./statements.ts";
import type { LocalDraft, Store } from "./store.ts";
import { transaction } from "../../model/files/transaction.ts";

/** Most replaced drafts in the history. */
const MAX_HISTORY = 50;

type Drafts = Pick<Store, "draft" | "drafts" | "saveDraft" | "dropDraft" | "replacedDrafts">;

export function draftTable({ db, file, sql }: OpenFile): Drafts & {
  /** The draft was sent; runs within a transaction of the caller. One that another process has written since stays. */
  clearSent(cid: string, parentId?: string): void;
} {
  /** Channel or thread → text that this process last read or wrote. */
  const known = new Map<string, string | undefined>();
  const placeOf = (cid: string, parentId = ""): string => `${cid} ${parentId}`;

  function read(cid: string, parentId = ""): LocalDraft | undefined {
    const raw = sql("SELECT draft FROM drafts WHERE cid = ? AND parent_id = ?").get(cid, parentId);
    return raw && fromRaw(raw);
  }

  function clear(cid: string, parentId = ""): void {
    sql("DELETE FROM drafts WHERE cid = ? AND parent_id = ?").run(cid, parentId);
    known.delete(placeOf(cid, parentId));
  }

  function clearSent(cid: string, parentId = ""): void {
    const place = placeOf(cid, parentId);
    const isRival = known.has(place) && read(cid, parentId)?.text !== known.get(place);
    if (!isRival) clear(cid, parentId);
  }

  function save(draft: LocalDraft): void {
    const place = placeOf(draft.cid, draft.parentId);
    const held = read(draft.cid, draft.parentId);
    const expected = known.get(place);
    // A draft that this process wrote is not a conflict, even when the wall clock was set back since.
    const rival = held !== undefined && held.text !== expected;
    const loser = rival && held.updatedAt > draft.updatedAt ? draft : held;
    if (rival && loser && held.text !== draft.text) keepInHistory(sql, loser);
    if (held && loser === draft) return;
    sql(
      `INSERT INTO drafts (cid, parent_id, updated_at, draft) VALUES (?, ?, ?, ?)
       ON CONFLICT (cid, parent_id) DO UPDATE SET updated_at = excluded.updated_at, draft = excluded.draft`,
    ).run(...columnsOf(draft));
    known.set(place, draft.text);
  }

  return {
    clearSent,
    draft: (cid, parentId) =>
      withStoreFailure(file, () => {
        const draft = read(cid, parentId);
        known.set(placeOf(cid, parentId), draft?.text);
        return draft;
      }),
    drafts: () =>
      withStoreFailure(file, () =>
        sql("SELECT draft FROM drafts ORDER BY updated_at DESC").all().map(fromRaw),
      ),
    saveDraft: (draft) => transaction(db, file, () => save(draft)),
    dropDraft: (cid, parentId) => withStoreFailure(file, () => clear(cid, parentId)),
    replacedDrafts: () =>
      withStoreFailure(file, () =>
        sql("SELECT draft FROM draft_history ORDER BY id DESC").all().map(fromRaw),
      ),
  };
}

function keepInHistory(sql: PrepareStatement, draft: LocalDraft): void {
  sql("INSERT INTO draft_history (cid, parent_id, updated_at, draft) VALUES (?, ?, ?, ?)").run(
    ...columnsOf(draft),
  );
  sql("DELETE FROM draft_history WHERE id <= (SELECT max(id) FROM draft_history) - ?").run(MAX_HISTORY);
}

const fromRaw = (raw: { draft?: unknown }): LocalDraft => JSON.parse(raw.draft as string) as LocalDraft;

const columnsOf = (draft: LocalDraft): [string, string, number, string] => [
  draft.cid,
  draft.parentId ?? "",
  draft.updatedAt,
  JSON.stringify(draft),
];
