/** CSV output: a row a message; cells that spreadsheets take for formulas begin with a quote. */
import { stringify } from "csv-stringify/sync";
import type { Exported, Form } from "./form.ts";
import { linksOf } from "./texts.ts";

const COLUMNS = [
  "cid",
  "id",
  "parent_id",
  "type",
  "created_at",
  "user_id",
  "user_name",
  "text",
  "attachments",
  "reactions",
  "replies",
  "updated_at",
  "deleted_at",
  "gone_at",
] as const;

const lines = (rows: readonly unknown[][]): string =>
  stringify(rows as unknown[][], { escape_formulas: true });

function rowOf(one: Exported): unknown[] {
  const { message, reactions, gone } = one;
  return [
    message.cid,
    message.id,
    message.parent_id,
    message.type,
    message.created_at,
    message.user.id,
    message.user.name,
    message.text,
    linksOf(one)
      .map(({ label, url }) => url ?? label)
      .join(" "),
    reactions.map(({ type, user_id }) => `${type}:${user_id}`).join(" "),
    message.reply_count,
    message.updated_at,
    message.deleted_at,
    gone,
  ];
}

const rowsOf = (one: Exported): unknown[][] => [rowOf(one), ...one.replies.flatMap(rowsOf)];

export const csvForm = (): Form => ({
  begin: () => lines([[...COLUMNS]]),
  message: (one) => lines(rowsOf(one)),
});
