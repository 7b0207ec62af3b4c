/** Bodies of exports, imports and batches. */
import { DELETED_CHANNELS_LIMIT, EXPORTED_LIMIT } from "../constants.ts";
import { BATCH_OPERATIONS, type ChosenChannels } from "../entities/batch.ts";
import {
  choice,
  filter,
  flag,
  id,
  list,
  need,
  object,
  paths,
  text,
  time,
  withProblem,
  type Field,
} from "../entities/fields.ts";
import { IMPORT_MODES } from "../entities/import.ts";
import { members, settableData } from "./channels.ts";
import { acting } from "./frame.ts";

const channel = {
  type: id(),
  id: id(),
  cid: id(),
  messages_since: time(),
  messages_until: time(),
};

export const jobBodies = {
  deleteChannels: {
    ...acting,
    cids: need(withProblem(list(text(), DELETED_CHANNELS_LIMIT), "must name at least one channel")),
    hard_delete: flag(),
  },
  batchChannels: {
    ...acting,
    operation: need(choice(...BATCH_OPERATIONS)),
    filter: need({ ...filter(), type: "ChosenChannels" } as Field<ChosenChannels>),
    members,
    data: paths({ ...settableData, custom: paths(settableData) }),
  },
  exportChannels: {
    ...acting,
    channels: need(withProblem(list(object(channel), EXPORTED_LIMIT), "must name at least one channel")),
    version: choice("v1", "v2"),
    include_truncated_messages: flag(),
    include_soft_deleted_channels: flag(),
    clear_deleted_message_text: flag(),
    export_users: flag(),
    format: choice("json", "csv"),
  },
  exportUsers: {
    ...acting,
    user_ids: need(withProblem(list(text(), EXPORTED_LIMIT), "must name at least one user")),
  },
  createImportUrl: { ...acting, filename: need(text(255)) },
  createImport: { ...acting, path: need(text(1000)), mode: choice(...IMPORT_MODES), merge_custom: flag() },
};
