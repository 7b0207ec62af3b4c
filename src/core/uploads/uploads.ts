/** Uploads files: check, queue, send with progress, time out when nothing moves (specification/attachments.md §5.1, §1). */
import type { Attachment, BlockReason, UploadedFile } from "../../wire/entities/attachment.ts";
import { IMAGE_TYPES, uploadBlock } from "../../wire/upload-rules.ts";
import type { AnnouncedFile } from "../../wire/dry-run.ts";
import type { AppReply, EndpointName } from "../../wire/endpoints/index.ts";
import { partsOf } from "../base/validate-call.ts";
import type { CallArgs, Upload, WriteStep } from "../base/api-types.ts";
import { LocalError, TransportError } from "../../model/errors.ts";
import type { ApiCaller } from "../http/caller.ts";
import type { Clock, Log, Random, Timer, UploadSource } from "../base/ports.ts";
import { multipart } from "./multipart.ts";

export function isImage(mimeType: string | undefined): boolean {
  return IMAGE_TYPES.has(mimeType?.toLowerCase() ?? "");
}

export function attachmentKind(mimeType: string | undefined): NonNullable<Attachment["type"]> {
  if (isImage(mimeType)) return "image";
  if (mimeType?.startsWith("video/")) return "video";
  if (mimeType?.startsWith("audio/")) return "audio";
  return "file";
}

/** The attachment of an uploaded file. */
function finishedAttachment(pending: Attachment, answer: { file: string; thumb_url?: string }): Attachment {
  return {
    ...pending,
    ...(pending.type === "image" ? { image_url: answer.file } : { asset_url: answer.file }),
    ...(answer.thumb_url && { thumb_url: answer.thumb_url }),
  };
}

export const UPLOAD_FAILED = "Error uploading attachment";
export const UPLOAD_BLOCKED = "The attachment upload was blocked";
export const FILE_REQUIRED = "File is required for upload attachment";
/** Concurrent uploads; more wait as `pending`. */
const UPLOADS_AT_ONCE = 2;

/** Instead of a cid: the file belongs to no channel. */
const NO_CHANNEL = "";

export type UploadInput =
  | { type: "blocked"; reason: BlockReason }
  | { type: "started" }
  | { type: "progress"; sent: number; total: number }
  | { type: "finished"; answer: UploadedFile }
  | { type: "failed"; reason: string };

/** State → input → next state (specification/attachments.md §5.1); other inputs change nothing. */
export const UPLOAD_MOVES: Readonly<
  Record<Upload["state"], Partial<Record<UploadInput["type"], Upload["state"]>>>
> = {
  pending: { blocked: "blocked", started: "uploading" },
  uploading: { progress: "uploading", finished: "finished", failed: "failed" },
  finished: {},
  // A retry runs the check again.
  failed: { started: "uploading", blocked: "blocked" },
  blocked: {},
};

/** The upload after an input; the same object when nothing changes. */
export function nextUpload(upload: Upload, input: UploadInput): Upload {
  const state = UPLOAD_MOVES[upload.state][input.type];
  if (!state) return upload;
  const { reason: _old, ...unchanged } = upload;
  switch (input.type) {
    case "blocked":
    case "failed":
      return { ...unchanged, state, reason: input.reason };
    case "started":
      return { ...unchanged, state, sent: 0 };
    case "progress":
      return { ...unchanged, state, sent: Math.min(input.sent, input.total), total: input.total };
    case "finished":
      return {
        ...unchanged,
        state,
        sent: unchanged.total,
        attachment: finishedAttachment(unchanged.attachment, input.answer),
      };
  }
}

/** An upload that was blocked, failed or timed out. `cause` is the error of the call, if one was made. */
export class UploadFailure extends LocalError {
  /** A notice was shown already: the screen shows no second one. */
  noticed = false;
  readonly upload: Upload;
  /** UPLOAD_BLOCKED or UPLOAD_FAILED; the reason is in `upload`. */
  readonly sentence: string;
  constructor(sentence: string, upload: Upload, cause?: unknown) {
    super(`${sentence}: ${upload.reason}`);
    this.name = "UploadFailure";
    this.sentence = sentence;
    this.upload = upload;
    if (cause !== undefined) this.cause = cause;
  }
}

interface UploadsDeps {
  caller: Pick<ApiCaller, "upload">;
  /** How long an upload may go without progress, milliseconds; 0 = no limit. */
  stall: number;
  beforeWrite?: WriteStep;
  /** The app's settings, cached by the provider of this function. */
  settings(): Promise<AppReply["app"]>;
  clock: Clock;
  random: Random;
  log: Log;
  openFile(file: string): Promise<UploadSource>;
}

export interface TransferOptions {
  signal?: AbortSignal | undefined;
  /** The request is sent now. */
  started?(): void;
  /** Bytes. */
  progress?(sent: number, total: number): void;
}

export interface Uploads {
  /** Runs `beforeWrite`; throws its error, or `LocalError` for an invalid cid. */
  checkWrite(cid: string, file: string, source: UploadSource): Promise<void>;
  /** Opens a file and prepares its attachment; throws `LocalError` when the path is empty or cannot be read. */
  prepare(file: string): Promise<{ source: UploadSource; attachment: Attachment }>;
  /** R-ATT-2: why the app refuses the file. When its rules cannot be fetched, only the default size limit applies. */
  findBlock(source: UploadSource): Promise<BlockReason | undefined>;
  /** Waits for a slot, then sends. Rejects as the call does, and with `ETIMEDOUT` when there is no progress for too long. */
  transfer(cid: string, source: UploadSource, options?: TransferOptions): Promise<UploadedFile>;
}

/** Limits concurrent uploads; a cancelled upload does not wait for a slot. */
class UploadSlots {
  #running = 0;
  readonly #queue: (() => void)[] = [];

  acquire(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const start = (): void => {
        signal?.removeEventListener("abort", leave);
        this.#running += 1;
        resolve();
      };
      const leave = (): void => {
        this.#queue.splice(this.#queue.indexOf(start), 1);
        start();
      };
      if (this.#running < UPLOADS_AT_ONCE) return start();
      this.#queue.push(start);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  release(): void {
    this.#running -= 1;
    if (this.#running < UPLOADS_AT_ONCE) this.#queue.shift()?.();
  }
}

/** The route for a file: of its channel or of none, of pictures or of other files. */
function uploadRoute(
  cid: string,
  mimeType: string | undefined,
): {
  name: "uploadFile" | "uploadImage" | "uploadChannelFile" | "uploadChannelImage";
  path?: { type: string; id: string };
} {
  const isPicture = isImage(mimeType);
  if (cid === NO_CHANNEL) return { name: isPicture ? "uploadImage" : "uploadFile" };
  return { name: isPicture ? "uploadChannelImage" : "uploadChannelFile", path: partsOf(cid) };
}

/** Sends one file; times out when there is no progress for too long. */
async function send(
  { caller, clock, random, stall }: UploadsDeps,
  cid: string,
  source: UploadSource,
  options: TransferOptions,
): Promise<UploadedFile> {
  const { contentType, length, open } = multipart(source, random.uuid());
  const abort = new AbortController();
  const cancel = (): void => abort.abort();
  options.signal?.addEventListener("abort", cancel, { once: true });
  let stalled = false;
  let timer: Timer | undefined;
  let sent = -1;
  const watch = (): void => {
    clock.clearTimeout(timer);
    if (stall === 0) return;
    timer = clock.setTimeout(() => {
      stalled = true;
      abort.abort();
    }, stall);
  };
  const onProgress = (now: number, total: number): void => {
    if (now <= sent) return;
    sent = now;
    watch();
    options.progress?.(now, total);
  };
  watch();
  const body = { body: { length, open }, contentType, onProgress };
  const { signal } = abort;
  try {
    const { name, path } = uploadRoute(cid, source.mimeType);
    return await caller.upload(name, { ...(path && { path }), signal } as never, body);
  } catch (error) {
    if (!stalled) throw error;
    throw new TransportError("ETIMEDOUT", `the upload stood still for ${stall / 1000} s`);
  } finally {
    // The provider may answer before the whole body is sent: later progress must not restart the timer.
    sent = Infinity;
    clock.clearTimeout(timer);
    options.signal?.removeEventListener("abort", cancel);
  }
}

export function createUploads(deps: UploadsDeps): Uploads {
  const slots = new UploadSlots();
  return {
    async checkWrite(cid, file, { name: title, mimeType, size }) {
      const announced: AnnouncedFile = {
        name: title,
        ...(mimeType !== undefined && { mime_type: mimeType }),
        size,
      };
      const { name, path } = uploadRoute(cid, mimeType);
      const args = { ...(path && { path }), body: file, announced };
      await deps.beforeWrite?.(name, args as unknown as CallArgs<EndpointName>);
    },

    async prepare(file) {
      if (typeof file !== "string" || file.trim() === "") throw new LocalError(FILE_REQUIRED);
      const source = await deps.openFile(file);
      const type = attachmentKind(source.mimeType);
      const pixels = type === "image" ? await source.dimensions() : undefined;
      const attachment: Attachment = {
        type,
        title: source.name,
        mime_type: source.mimeType ?? "application/octet-stream",
        file_size: source.size,
        ...(pixels && { original_width: pixels.width, original_height: pixels.height }),
      };
      return { source, attachment };
    },

    async findBlock(source) {
      const app = await deps.settings().catch((error: Error): AppReply["app"] => {
        deps.log.warn("the upload rules could not be fetched", { error: error.message });
        return {};
      });
      const isPicture = source.mimeType?.toLowerCase().startsWith("image/");
      return uploadBlock((isPicture ? app.image_upload_config : app.file_upload_config) ?? {}, source);
    },

    async transfer(cid, source, options = {}) {
      await slots.acquire(options.signal);
      try {
        if (options.signal?.aborted) throw new TransportError("ERR_CANCELED", "cancelled");
        options.started?.();
        const answer = await send(deps, cid, source, options);
        // Anything else would be sent as a file that nobody can open.
        if (!URL.canParse(answer.file ?? ""))
          throw new TransportError("ERR_BAD_RESPONSE", "the upload was answered without an address");
        return answer;
      } finally {
        slots.release();
      }
    },
  };
}
