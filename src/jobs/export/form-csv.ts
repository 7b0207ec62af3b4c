/** CSV output: one row per message; cells that spreadsheets would run as formulas get a leading quote. */
import { stringify } from "csv-stringify/sync";
import type { Exported, ExportForm } from "./form.ts";
import { countHidden, detailsOf, type Detail } from "./details.ts";

const COLUMNS: Readonly<Record<string, (one: Exported) => unknown>> = {
  cid: ({ message }) => message.cid,
  id: ({ message }) => message.id,
  parent_id: ({ message }) => message.parent_id,
  type: ({ message }) => message.type,
  created_at: ({ message }) => message.created_at,
  user_id: ({ message }) => message.user.id,
  user_name: ({ message }) => message.user.name,
  text: ({ message }) => message.text,
  attachments: (one) =>
    detailsOf(one)
      .filter(({ kind }) => kind === "card")
      .map(({ head, url }) => url ?? head)
      .join(" "),
  reactions: ({ reactions }) => reactions.map(({ type, user_id }) => `${type}:${user_id}`).join(" "),
  replies: ({ message }) => message.reply_count,
  updated_at: ({ message }) => message.updated_at,
  deleted_at: ({ message }) => message.deleted_at,
  gone_at: ({ gone }) => gone,
  edited_at: ({ message }) => message.message_text_updated_at,
  pinned_at: ({ message }) => message.pinned_at,
  quoted_id: ({ message }) => message.quoted_message_id,
  poll: (one) => detailsText(one, "poll"),
  location: (one) => detailsText(one, "location"),
  cards: (one) => detailsText(one, "card"),
  fields: (one) => detailsText(one, "fields"),
};

/** A detail in one cell, a line per line; of attachments only those with more than a link. */
const detailsText = (one: Exported, kind: Detail["kind"]): string =>
  detailsOf(one)
    .filter((detail) => detail.kind === kind && (kind !== "card" || detail.lines.length > 0))
    .map(({ head, lines }) => (kind === "fields" ? lines : [head, ...lines]).join("\n"))
    .join("\n\n");

const lines = (rows: readonly unknown[][]): string =>
  stringify(rows as unknown[][], { escape_formulas: true });

const rowOf = (exported: Exported): unknown[] => Object.values(COLUMNS).map((cell) => cell(exported));

const rowsOf = (exported: Exported): unknown[][] => [rowOf(exported), ...exported.replies.flatMap(rowsOf)];

export const csvForm = (): ExportForm => ({
  begin: () => lines([Object.keys(COLUMNS)]),
  message: (one) => lines(rowsOf(one)),
  countUnused: (one, add) => countHidden(one, add, true),
});
