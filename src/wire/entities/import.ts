/** Imports: the task, its states, and the kinds of items in a file (specification/admin.md §10). */
import {
  any,
  choice,
  entity,
  flag,
  list,
  need,
  object,
  shape,
  orBlank,
  orNull,
  text,
  time,
  whole,
  type Infer,
} from "./fields.ts";

export const IMPORT_MODES = ["upsert", "insert"] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

const IMPORT_STATES = [
  "uploaded",
  "analyzing",
  "analyze_failed",
  "waiting_confirmation",
  "importing",
  "completed",
  "failed",
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export const ImportError = shape(() => ({
  /** `Validation error: …` or `Parse error: …`. */
  error: need(text()),
  item_type: need(text()),
  /** The item, or its text if it could not be parsed. */
  item: need(any()),
}));
export interface ImportError extends Infer<typeof ImportError> {}

const UNUSED_KINDS = [
  "message",
  "text",
  "file",
  "reply",
  "reaction",
  "notice",
  "person",
  "channel",
  "member",
  "field",
  "entry",
] as const;
export type UnusedKind = (typeof UNUSED_KINDS)[number];

/** Items of a file that are not in the import, with the same reason. */
export const Unused = shape(() => ({
  kind: need(choice(...UNUSED_KINDS)),
  /** Why, to be read after `12 files: `. */
  reason: need(text()),
  count: need(whole()),
  /** A text, file, reply or reaction of the file is missing. */
  lost: need(flag()),
}));
export interface Unused extends Infer<typeof Unused> {}

export const ImportResult = shape(() => ({
  errors: need(list(entity("ImportError"))),
  /** Of `local import`: what differs from what exists, which stays. */
  unused: list(entity("Unused")),
  stats: need(
    object({
      total: need(
        object({
          users: need(whole()),
          channels: need(whole()),
          members: need(whole()),
          messages: need(whole()),
          reactions: need(whole()),
        }),
      ),
    }),
  ),
}));
export interface ImportResult extends Infer<typeof ImportResult> {}

export const ImportTask = shape(() => ({
  id: need(text()),
  path: need(text()),
  mode: need(choice(...IMPORT_MODES)),
  state: need(choice(...IMPORT_STATES)),
  history: need(
    list(
      object({
        created_at: need(time()),
        prev_state: need(orBlank(choice(...IMPORT_STATES))),
        next_state: need(choice(...IMPORT_STATES)),
      }),
    ),
  ),
  size: need(whole()),
  result: need(orNull(entity("ImportResult"))),
  created_at: need(time()),
  updated_at: need(time()),
}));
export interface ImportTask extends Infer<typeof ImportTask> {}

/** Types in the order they are stored: each refers only to earlier ones. A file may have any order. */
export const IMPORT_ORDER = [
  "user",
  "device",
  "future_channel_ban",
  "channel",
  "member",
  "message",
  "reaction",
] as const;
export type ImportType = (typeof IMPORT_ORDER)[number];

export interface ImportItem {
  type: ImportType;
  data: Record<string, unknown>;
}

/** `stats.total` counts these. */
export const COUNTED_AS: Partial<Record<ImportType, keyof ImportResult["stats"]["total"]>> = {
  user: "users",
  channel: "channels",
  member: "members",
  message: "messages",
  reaction: "reactions",
};
