/** Reads the request to export channels (specification/admin.md §9). */
import { jobBodies } from "../../../../wire/bodies/jobs.ts";
import { makeCid, splitCid } from "../../../../wire/ids.ts";
import type { RouteCall } from "../../../base/handler.ts";
import { BodyReader, type Fields } from "../../validation/check.ts";
import { findAnyChannel } from "../../channels/storage/rows.ts";
import type { ExportPart } from "../view/export-rows.ts";

export interface ExportRequest extends Fields {
  parts: ExportPart[];
  form: "v1" | "v2" | "csv";
  clearDeleted: boolean;
  users: boolean;
}

/** Truncated messages are erased, so `include_truncated_messages` is accepted and has no effect. */
export function readExport({ db, body }: RouteCall): ExportRequest {
  const check = new BodyReader(body);
  const { version = "v1", format = "json", channels, ...fields } = check.read(jobBodies.exportChannels);
  const { include_soft_deleted_channels: deleted = false, clear_deleted_message_text: clearDeleted = false } =
    fields;
  check.done();
  const parts = channels.flatMap(({ type, id, ...channel }, i): ExportPart[] => {
    const cid = channel.cid ?? (type && id ? makeCid(type, id) : undefined);
    const { messages_since: since = null, messages_until: until = null } = channel;
    if (since !== null && until !== null && until < since)
      check.fail(`channels.${i}.messages_until`, "must not be before messages_since");
    if (cid === undefined || !splitCid(cid))
      return (check.fail(`channels.${i}`, "needs a cid, or type and id"), []);
    const found = findAnyChannel(db, cid);
    if (!found || (found.deleted_at !== null && !deleted))
      check.fail(`channels.${i}`, `names a channel that does not exist: ${cid}`);
    return [{ cid, since, until }];
  });
  check.done();
  return {
    parts,
    form: format === "csv" ? "csv" : version,
    clearDeleted,
    users: fields.export_users ?? false,
  };
}
