/** A found message as a row: where it is, who wrote it and when. */
import type { Message } from "../../wire/entities/message.ts";
import { rowView, type View } from "./define-command.ts";

export const foundView = ({ cid, user, created_at, text, id }: Message): View =>
  rowView(
    { channel: cid, by: user.name ?? user.id, at: created_at, text, id },
    { channel: "cid", by: "user.id", at: "created_at" },
  );
