/** What an export of channels is asked for, checked before its task is made (admin.md §9). */
import { EXPORTED_LIMIT } from "../../../wire/constants.ts";
import { makeCid, splitCid } from "../../../wire/ids.ts";
import type { Call } from "../../handler.ts";
import { Check, isObject, type Fields } from "../asked/check.ts";

export interface Part {
  cid: string;
  /** Whole microseconds, both ends included. */
  since: number | null;
  until: number | null;
}

export interface ExportAsked extends Fields {
  parts: Part[];
  form: "v1" | "v2" | "csv";
  clearDeleted: boolean;
  users: boolean;
}

/** Truncated messages are gone for good here: `include_truncated_messages` is accepted and finds none. */
export function readExport({ db, body }: Call): ExportAsked {
  const check = new Check(body);
  const list = check.list("channels", EXPORTED_LIMIT);
  if (!list || list.length === 0) check.fail("channels", "must name at least one channel");
  const version = check.id("version") ?? "v1";
  if (version !== "v1" && version !== "v2") check.fail("version", "must be v1 or v2");
  const format = check.id("format") ?? "json";
  if (format !== "json" && format !== "csv") check.fail("format", "must be json or csv");
  check.flag("include_truncated_messages");
  const deleted = check.flag("include_soft_deleted_channels") ?? false;
  const clearDeleted = check.flag("clear_deleted_message_text") ?? false;
  const users = check.flag("export_users") ?? false;
  const parts = (list ?? []).flatMap((one, i): Part[] => {
    if (!isObject(one)) return (check.fail(`channels.${i}`, "must be an object"), []);
    const inner = new Check(one, `channels.${i}.`);
    const [type, id] = [inner.id("type"), inner.id("id")];
    const cid = inner.id("cid") ?? (type && id ? makeCid(type, id) : undefined);
    const since = inner.date("messages_since") ?? null;
    const until = inner.date("messages_until") ?? null;
    if (since !== null && until !== null && until < since)
      inner.fail("messages_until", "must not be before messages_since");
    inner.done();
    if (cid === undefined || !splitCid(cid))
      return (check.fail(`channels.${i}`, "needs a cid, or type and id"), []);
    const found = db.get<{ deleted_at: number | null }>("SELECT deleted_at FROM channels WHERE cid = ?", cid);
    if (!found || (found.deleted_at !== null && !deleted))
      check.fail(`channels.${i}`, `names a channel that does not exist: ${cid}`);
    return [{ cid, since, until }];
  });
  check.done();
  return { parts, form: format === "csv" ? "csv" : (version as "v1" | "v2"), clearDeleted, users };
}
