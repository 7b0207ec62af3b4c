/** The files of a composer: at most ten, each with upload state, retry and removal (specification/attachments.md §5.1, R-ATT-1…7). */
import type { Attachment } from "../../wire/entities/attachment.ts";
import { MAX_FILES_PER_MESSAGE } from "../../wire/constants.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import type { Upload } from "../base/api-types.ts";
import { UPLOADS_FORBIDDEN } from "../../model/permissions.ts";
import type { ThreadRef, Notice, State } from "../../model/state.ts";
import { errorMessage, LocalError, TransportError } from "../../model/errors.ts";
import type { Random, UploadSource } from "../base/ports.ts";
import {
  FILE_REQUIRED,
  nextUpload,
  UPLOAD_BLOCKED,
  UPLOAD_FAILED,
  UploadFailure,
  type UploadInput,
  type Uploads,
} from "../uploads/uploads.ts";

export const LOCAL_ID_MISSING = "Local upload attachment missing local id";

interface AttachmentsState {
  uploads: readonly Upload[];
  /** Free slots: MAX_FILES_PER_MESSAGE minus the uploads in any state. */
  slots: number;
}

export interface AttachmentsDeps {
  place: ThreadRef;
  uploads: Pick<Uploads, "checkWrite" | "prepare" | "findBlock" | "transfer">;
  random: Random;
  state(): State;
  notify(notice: Pick<Notice, "level" | "text"> & Partial<Notice>): void;
}

const ORIGIN = "composer";
const TOO_MANY_FILES = `A message can have at most ${MAX_FILES_PER_MESSAGE} files`;
const lastName = (file: string): string => file.split(/[\\/]/).findLast((part) => part !== "") ?? file;

export interface AttachOptions {
  signal?: AbortSignal;
  onProgress?(upload: Upload): void;
  /** After the check of the rules and before the first byte of each file; a rejection ends the upload. */
  beforeBytes?(): Promise<void>;
}

/** The file of an upload, and the controller of its running request. */
interface UploadRun {
  file: string;
  about?: Attachment;
  abort?: AbortController;
}

export class AttachmentComposer implements Observable<AttachmentsState> {
  readonly #deps: AttachmentsDeps;
  readonly #observable = createObservable<AttachmentsState>({ uploads: [], slots: MAX_FILES_PER_MESSAGE });
  readonly #runs = new Map<string, UploadRun>();

  constructor(deps: AttachmentsDeps) {
    this.#deps = deps;
  }

  readonly state = (): AttachmentsState => this.#observable.state();
  readonly subscribe = (listener: () => void): (() => void) => this.#observable.subscribe(listener);

  /**
   * Uploads the first files that fit; a notice names the others. Resolves when all have ended (`finished`, `failed`,
   * `blocked` or removed), with those that could not be started. Throws `LocalError` when no file is named.
   */
  async add(files: readonly string[]): Promise<string[]> {
    const { accepted, refused } = this.#accept(files);
    const ended = await this.#runAll(accepted);
    return [...refused, ...accepted.flatMap(({ file }, at) => (ended[at] instanceof LocalError ? file : []))];
  }

  /**
   * Keeps files that are uploaded by {@link start} only; until then nothing of them is read. Throws as {@link add} does. `about`
   * is what their attachments say besides what the file tells.
   */
  hold(files: readonly string[], about?: Attachment): void {
    this.#accept(files, true, about);
  }

  /** Begins the uploads that are held. */
  start(): void {
    const held = this.state().uploads.filter((upload) => upload.held);
    if (held.length === 0) return;
    for (const { localId } of held) this.#change(localId, ({ held: _held, ...upload }) => upload);
    void this.#runAll(held);
  }

  /** Adds the first files that fit and may be sent; a notice names the others. */
  #accept(
    files: readonly string[],
    held = false,
    about?: Attachment,
  ): { accepted: { localId: string; file: string }[]; refused: string[] } {
    if (files.length === 0 || files.some((file) => typeof file !== "string" || file.trim() === "")) {
      this.#notify(FILE_REQUIRED);
      throw new LocalError(FILE_REQUIRED);
    }
    if (!this.mayUpload()) {
      this.#notify(UPLOADS_FORBIDDEN);
      return { accepted: [], refused: [...files] };
    }
    const fitting = files.slice(0, this.state().slots);
    const accepted = fitting.map((file) => ({ file, localId: this.#addFile(file, held, about) }));
    const leftOut = files.slice(fitting.length).map(lastName);
    if (leftOut.length > 0) this.#notify(TOO_MANY_FILES, { reason: `left out: ${leftOut.join(", ")}` });
    return { accepted, refused: [] };
  }

  /** Runs uploads to their ends, and says why one failed. */
  #runAll(uploads: readonly { localId: string }[]): Promise<(Error | undefined)[]> {
    return Promise.all(
      uploads.map(async ({ localId }) => {
        const error = await this.#run(localId);
        if (error) this.#notifyFailure(localId, error);
        return error;
      }),
    );
  }

  /**
   * For a script: uploads all files, one after the other, or throws; the provider checks the permission. Throws
   * `LocalError` before any request for more files than slots, and for one that cannot be read, `UploadFailure` for one
   * that is blocked or fails, and `TransportError` ERR_CANCELED after an abort.
   */
  async attach(files: readonly string[], options: AttachOptions = {}): Promise<Upload[]> {
    if (files.some((file) => file.trim() === "")) throw new LocalError(FILE_REQUIRED);
    if (files.length > this.state().slots) throw new LocalError(TOO_MANY_FILES);
    const done: Upload[] = [];
    for (const file of files) {
      const id = this.#addFile(file);
      const ended = await this.#run(id, options);
      if (ended instanceof Error) throw ended;
      done.push(this.#upload(id)!);
    }
    return done;
  }

  /** Checks and sends a failed upload again; ignores other states. Throws `LocalError` for a blank id. */
  async retry(localId: string): Promise<void> {
    this.#requireId(localId);
    if (this.#upload(localId)?.state !== "failed") return;
    const ended = await this.#run(localId);
    if (ended instanceof Error) this.#notifyFailure(localId, ended);
  }

  /** R-ATT-6: removes an upload and aborts its request; a late answer is ignored. Throws `LocalError` for a blank id. */
  remove(localId: string): void {
    this.#requireId(localId);
    if (this.#upload(localId)) this.#removeUpload(localId);
  }

  /** For the draft: what is uploaded, and the paths of files that are not, in order; without blocked ones, which never will be. */
  draftFiles(): { attachments: Attachment[]; files: string[]; heldFiles: string[] } {
    const { uploads } = this.state();
    if (uploads.length === 0) return { attachments: [], files: [], heldFiles: [] };
    const waiting = uploads.filter(({ state }) => state !== "finished" && state !== "blocked");
    const filesOf = (isHeld: boolean): string[] =>
      waiting
        .filter(({ held = false }) => held === isHeld)
        .flatMap(({ localId }) => this.#runs.get(localId)?.file ?? []);
    return { attachments: finishedAttachments(uploads), files: filesOf(false), heldFiles: filesOf(true) };
  }

  /** Removes all uploads and aborts their requests, after a send or when the message is discarded. */
  clear(): void {
    for (const { abort } of this.#runs.values()) abort?.abort();
    this.#runs.clear();
    this.#setUploads([]);
  }

  #addFile(file: string, held = false, about?: Attachment): string {
    const localId = this.#deps.random.uuid();
    const name = lastName(file);
    this.#runs.set(localId, { file, ...(about && { about }) });
    const attachment: Attachment = { type: "file", title: name, ...about };
    this.#setUploads([
      ...this.state().uploads,
      { localId, name, state: "pending", ...(held && { held }), sent: 0, total: 0, attachment },
    ]);
    return localId;
  }

  /** Runs an upload from `pending` or `failed` to its end. Resolves to the error that ended it, or undefined when finished or removed. */
  async #run(localId: string, options: AttachOptions = {}): Promise<Error | undefined> {
    const run = this.#runs.get(localId);
    if (!run || run.abort) return undefined;
    const abort = new AbortController();
    run.abort = abort;
    const cancel = (): void => abort.abort();
    options.signal?.addEventListener("abort", cancel, { once: true });
    if (options.signal?.aborted) cancel();
    try {
      await this.#uploadFile(localId, run.file, abort.signal, options);
      return undefined;
    } catch (error) {
      // Removed meanwhile: the error does not matter.
      const isRemoved = abort.signal.aborted && !options.signal?.aborted;
      return isRemoved ? undefined : (error as Error);
    } finally {
      options.signal?.removeEventListener("abort", cancel);
      if (run.abort === abort) delete run.abort;
    }
  }

  /** Throws when it fails; the state shows the failure too, except for an unreadable file, which is removed. */
  async #uploadFile(
    localId: string,
    file: string,
    signal: AbortSignal,
    options: AttachOptions,
  ): Promise<void> {
    const { uploads, place } = this.#deps;
    const report = (): void => {
      const upload = this.#upload(localId);
      if (upload) options.onProgress?.(upload);
    };
    const move = (input: UploadInput): void => {
      this.#change(localId, (upload) => nextUpload(upload, input));
      report();
    };
    const source = await this.#prepare(localId, file, signal);
    report();
    const reason = await uploads.findBlock(source);
    signal.throwIfAborted();
    if (reason) {
      move({ type: "blocked", reason });
      throw new UploadFailure(UPLOAD_BLOCKED, this.#upload(localId)!);
    }
    await options.beforeBytes?.();
    await uploads.checkWrite(place.cid, file, source);
    signal.throwIfAborted();
    try {
      const answer = await uploads.transfer(place.cid, source, {
        signal,
        started: () => move({ type: "started" }),
        progress: (sent, total) => move({ type: "progress", sent, total }),
      });
      signal.throwIfAborted();
      move({ type: "finished", answer });
    } catch (error) {
      const reason = errorMessage(error);
      move({ type: "failed", reason });
      const upload = this.#upload(localId);
      if (!upload || isCancelled(error)) throw error;
      throw new UploadFailure(UPLOAD_FAILED, upload, error);
    }
  }

  async #prepare(localId: string, file: string, signal: AbortSignal): Promise<UploadSource> {
    try {
      const { source, attachment } = await this.#deps.uploads.prepare(file);
      signal.throwIfAborted();
      this.#change(localId, (upload) => ({
        ...upload,
        name: source.name,
        total: source.size,
        attachment: { ...attachment, ...this.#runs.get(localId)?.about },
      }));
      return source;
    } catch (error) {
      if (!signal.aborted && this.#upload(localId)?.state === "pending") {
        // Delete the run first, so that removing the upload does not abort it: it ends with this error.
        this.#runs.delete(localId);
        this.#removeUpload(localId);
      }
      throw error;
    }
  }

  #notifyFailure(localId: string, error: Error): void {
    if (isCancelled(error)) return;
    if (!(error instanceof UploadFailure)) return this.#notify(error.message);
    const { reason } = error.upload;
    this.#notify(error.sentence, { ...(reason !== undefined && { reason }), origin: localId });
  }

  /** Whether files may be added here, as far as it is known. */
  mayUpload(): boolean {
    const channel = this.#deps.state().channels.get(this.#deps.place.cid)?.channel;
    if (channel?.config?.uploads === false) return false;
    // For a channel that is not loaded the provider decides.
    return channel?.own_capabilities?.includes("upload-file") ?? true;
  }

  #requireId(localId: string): void {
    if (typeof localId === "string" && localId.trim() !== "") return;
    this.#notify(LOCAL_ID_MISSING);
    throw new LocalError(LOCAL_ID_MISSING);
  }

  #notify(text: string, details: Partial<Notice> = {}): void {
    this.#deps.notify({ level: "error", text, origin: ORIGIN, ...details });
  }

  #upload(localId: string): Upload | undefined {
    return this.state().uploads.find((upload) => upload.localId === localId);
  }

  #change(localId: string, next: (upload: Upload) => Upload): void {
    this.#setUploads(
      this.state().uploads.map((upload) => (upload.localId === localId ? next(upload) : upload)),
    );
  }

  #removeUpload(localId: string): void {
    this.#runs.get(localId)?.abort?.abort();
    this.#runs.delete(localId);
    this.#setUploads(this.state().uploads.filter((upload) => upload.localId !== localId));
  }

  #setUploads(list: readonly Upload[]): void {
    this.#observable.set({ uploads: list, slots: Math.max(0, MAX_FILES_PER_MESSAGE - list.length) });
  }
}

const isCancelled = (error: unknown): boolean =>
  error instanceof TransportError && error.code === "ERR_CANCELED";

/** R-ATT-7: attachments of finished uploads, without local fields. */
function finishedAttachments(uploads: readonly Upload[]): Attachment[] {
  return uploads.filter(({ state }) => state === "finished").map(({ attachment }) => attachment);
}
