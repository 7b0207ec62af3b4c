/** CSV output: one row per message; cells that spreadsheets would run as formulas get a leading quote. */
import { stringify } from "csv-stringify/sync";
import type { Exported, ExportForm } from "./form.ts";
import { linksOf } from "./texts.ts";

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
    linksOf(one)
      .map(({ label, url }) => url ?? label)
      .join(" "),
  reactions: ({ reactions }) => reactions.map(({ type, user_id }) => `${type}:${user_id}`).join(" "),
  replies: ({ message }) => message.reply_count,
  updated_at: ({ message }) => message.updated_at,
  deleted_at: ({ message }) => message.deleted_at,
  gone_at: ({ gone }) => gone,
};

const lines = (rows: readonly unknown[][]): string =>
  stringify(rows as unknown[][], { escape_formulas: true });

const rowOf = (exported: Exported): unknown[] => Object.values(COLUMNS).map((cell) => cell(exported));

const rowsOf = (exported: Exported): unknown[][] => [rowOf(exported), ...exported.replies.flatMap(rowsOf)];

export const csvForm = (): ExportForm => ({
  begin: () => lines([Object.keys(COLUMNS)]),
  message: (one) => lines(rowsOf(one)),
});
