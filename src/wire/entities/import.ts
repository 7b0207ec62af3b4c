/** Imports: the task, its states, and the kinds of items in a file (specification/admin.md §10). */

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

export interface ImportError {
  /** `Validation error: …` or `Parse error: …`. */
  error: string;
  item_type: string;
  /** The item, or its text if it could not be parsed. */
  item: unknown;
}

export type UnusedKind =
  | "message"
  | "text"
  | "file"
  | "reply"
  | "reaction"
  | "notice"
  | "person"
  | "channel"
  | "member"
  | "field"
  | "entry";

/** Items of a file that are not in the import, with the same reason. */
export interface Unused {
  kind: UnusedKind;
  /** Why, to be read after `12 files: `. */
  reason: string;
  count: number;
  /** A text, file, reply or reaction of the file is missing. */
  lost: boolean;
}

export interface ImportResult {
  errors: ImportError[];
  /** Of `local import`: what differs from what exists, which stays. */
  unused?: Unused[];
  stats: { total: { users: number; channels: number; members: number; messages: number; reactions: number } };
}

export interface ImportTask {
  id: string;
  path: string;
  mode: ImportMode;
  state: ImportState;
  history: { created_at: string; prev_state: ImportState | ""; next_state: ImportState }[];
  size: number;
  result: ImportResult | null;
  created_at: string;
  updated_at: string;
}

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
