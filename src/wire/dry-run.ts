/** A write that the embedded provider answers without doing it (specification/embedded-provider.md §6). */
import type { Task } from "./entities/task.ts";

/** Whether a write is a dry run: `1` with the usual body, `after` with a `DryRun` as its body. Only the embedded provider knows it. */
export const DRY_RUN_HEADER = "x-dry-run";

/** The value of `Expect` beside it: a server that knows no dry run refuses the expectation (RFC 9110 §10.1.1) and does nothing. */
export const DRY_RUN_EXPECTED = "dry-run";

/** Most calls that a dry run can be based on. */
export const MAX_CALLS_BEFORE = 20;

/** A planned call as the provider would have received it: its credentials and address are those of the request. */
export interface CallBefore {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** JSON text. */
  body?: string;
}

/** What a dry run is made of: the calls that would have been made before it, and its own body. */
export interface DryRun {
  before: readonly CallBefore[];
  /** JSON text. */
  body?: string;
}

/** The body of an upload's dry run, in place of its bytes. */
export interface AnnouncedFile {
  name: string;
  mime_type?: string;
  /** Bytes. */
  size: number;
}

/** The answer of a dry run that would start a task: with the task as it would end, if that takes only a few steps and no file. */
export interface TriedTask {
  task_id: string;
  task?: Task;
}
