/** The files of a message being written: at most ten, each with its upload state, retry and removal (specification/attachments.md §5.1, R-ATT-1…7). */
import type { Attachment } from "../../wire/entities/attachment.ts";
import { MAX_FILES_PER_MESSAGE } from "../../wire/constants.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import type { Upload } from "../base/api-types.ts";
import type { ThreadRef, Notice, State } from "../../model/state.ts";
import { LocalError, TransportError } from "../../model/errors.ts";
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
  /** Free slots: MAX_FILES_PER_MESSAGE minus the uploads held, whatever their state. */
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
const TOO_MANY_FILES = `At most ${MAX_FILES_PER_MESSAGE} files go with a message`;
const lastName = (file: string): string => file.split(/[\\/]/).findLast((part) => part !== "") ?? file;

/** What is told of one file after the other that `attach` takes. */
export interface AttachOptions {
  signal?: AbortSignal;
  onProgress?(upload: Upload): void;
}

/** What the file of an upload is, and how its run is ended; gone with the upload. */
interface Run {
  file: string;
  abort?: AbortController;
}

export class AttachmentComposer implements Observable<AttachmentsState> {
  readonly #deps: AttachmentsDeps;
  readonly #held = createObservable<AttachmentsState>({ uploads: [], slots: MAX_FILES_PER_MESSAGE });
  readonly #runs = new Map<string, Run>();

  constructor(deps: AttachmentsDeps) {
    this.#deps = deps;
  }

  readonly state = (): AttachmentsState => this.#held.state();
  readonly subscribe = (listener: () => void): (() => void) => this.#held.subscribe(listener);

  /**
   * Takes the first files that fit and starts them; the rest is told by a notice. Resolves when each has come to an
   * end (`finished`, `failed`, `blocked` or removed), with those that could not be begun. Throws `LocalError` when no file is named.
   */
  async add(files: readonly string[]): Promise<string[]> {
    if (files.length === 0 || files.some((file) => typeof file !== "string" || file.trim() === "")) {
      this.#notify(FILE_REQUIRED);
      throw new LocalError(FILE_REQUIRED);
    }
    if (!this.#mayUpload()) {
      this.#notify("Files may not be sent to this channel");
      return [...files];
    }
    const taken = files.slice(0, this.state().slots);
    const ids = taken.map((file) => this.#take(file));
    const left = files.slice(taken.length).map(lastName);
    if (left.length > 0) this.#notify(TOO_MANY_FILES, { reason: `left out: ${left.join(", ")}` });
    const ended = await Promise.all(
      ids.map(async (id) => {
        const error = await this.#run(id);
        if (error) this.#tell(id, error);
        return error;
      }),
    );
    return taken.filter((_, at) => ended[at] instanceof LocalError);
  }

  /**
   * For a script: one file after the other, all of them or an error; who may is said by the provider. Throws `LocalError` before any request for more
   * files than there are slots and for one that cannot be read, `UploadFailure` for one that is blocked or fails, and
   * `TransportError` ERR_CANCELED after an abort.
   */
  async attach(files: readonly string[], how: AttachOptions = {}): Promise<Upload[]> {
    if (files.some((file) => file.trim() === "")) throw new LocalError(FILE_REQUIRED);
    if (files.length > this.state().slots) throw new LocalError(TOO_MANY_FILES);
    const done: Upload[] = [];
    for (const file of files) {
      const id = this.#take(file);
      const ended = await this.#run(id, how);
      if (ended instanceof Error) throw ended;
      done.push(this.#upload(id)!);
    }
    return done;
  }

  /** A failed one is checked and sent again; others stay as they are. Throws `LocalError` for a blank id. */
  async retry(localId: string): Promise<void> {
    this.#needId(localId);
    if (this.#upload(localId)?.state !== "failed") return;
    const ended = await this.#run(localId);
    if (ended instanceof Error) this.#tell(localId, ended);
  }

  /** R-ATT-6: aborts its request; its late answer is ignored. Throws `LocalError` for a blank id. */
  remove(localId: string): void {
    this.#needId(localId);
    if (this.#upload(localId)) this.#forget(localId);
  }

  /** Paths of the files that are not at the provider, in their order: a draft keeps them. Blocked ones never will be. */
  waiting(): string[] {
    const left = this.state().uploads.filter(({ state }) => state !== "finished" && state !== "blocked");
    return left.flatMap(({ localId }) => this.#runs.get(localId)?.file ?? []);
  }

  /** After a send, or when the composition is thrown away: everything goes, requests too. */
  clear(): void {
    for (const { abort } of this.#runs.values()) abort?.abort();
    this.#runs.clear();
    this.#put([]);
  }

  #take(file: string): string {
    const localId = this.#deps.random.uuid();
    const name = lastName(file);
    this.#runs.set(localId, { file });
    const attachment: Attachment = { type: "file", title: name };
    this.#put([...this.state().uploads, { localId, name, state: "pending", sent: 0, total: 0, attachment }]);
    return localId;
  }

  /** Check, turn, request: from `pending` or `failed` to an end. The error that ended it, nothing when it is finished or gone. */
  async #run(localId: string, how: AttachOptions = {}): Promise<Error | undefined> {
    const run = this.#runs.get(localId);
    if (!run || run.abort) return undefined;
    const abort = new AbortController();
    run.abort = abort;
    const cancel = (): void => abort.abort();
    how.signal?.addEventListener("abort", cancel, { once: true });
    if (how.signal?.aborted) cancel();
    try {
      await this.#upTo(localId, run.file, abort.signal, how);
      return undefined;
    } catch (error) {
      // Removed, or cleared: whatever comes is late.
      const late = abort.signal.aborted && !how.signal?.aborted;
      return late ? undefined : (error as Error);
    } finally {
      how.signal?.removeEventListener("abort", cancel);
      if (run.abort === abort) delete run.abort;
    }
  }

  /** Throws what stands in the way; the state says it too, but for a file that cannot be read: nothing was begun with it. */
  async #upTo(localId: string, file: string, signal: AbortSignal, how: AttachOptions): Promise<void> {
    const { uploads, place } = this.#deps;
    const tell = (): void => {
      const upload = this.#upload(localId);
      if (upload) how.onProgress?.(upload);
    };
    const move = (input: UploadInput): void => {
      this.#change(localId, (upload) => nextUpload(upload, input));
      tell();
    };
    const source = await this.#prepared(localId, file, signal);
    tell();
    const reason = await uploads.findBlock(source);
    signal.throwIfAborted();
    if (reason) {
      move({ type: "blocked", reason });
      throw new UploadFailure(UPLOAD_BLOCKED, this.#upload(localId)!);
    }
    await uploads.checkWrite(place.cid, file);
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
      const reason = error instanceof Error ? error.message : String(error);
      move({ type: "failed", reason });
      const upload = this.#upload(localId);
      if (!upload || isCancelled(error)) throw error;
      throw new UploadFailure(UPLOAD_FAILED, upload, error);
    }
  }

  async #prepared(localId: string, file: string, signal: AbortSignal): Promise<UploadSource> {
    try {
      const { source, attachment } = await this.#deps.uploads.prepare(file);
      signal.throwIfAborted();
      this.#change(localId, (upload) => ({
        ...upload,
        name: source.name,
        total: source.size,
        attachment,
      }));
      return source;
    } catch (error) {
      if (!signal.aborted && this.#upload(localId)?.state === "pending") {
        // Its run ends with this error, not with an abort.
        this.#runs.delete(localId);
        this.#forget(localId);
      }
      throw error;
    }
  }

  #tell(localId: string, error: Error): void {
    if (isCancelled(error)) return;
    if (!(error instanceof UploadFailure)) return this.#notify(error.message);
    const { reason } = error.upload;
    this.#notify(error.sentence, { ...(reason !== undefined && { reason }), origin: localId });
  }

  #mayUpload(): boolean {
    const channel = this.#deps.state().channels.get(this.#deps.place.cid)?.channel;
    if (channel?.config?.uploads === false) return false;
    // A channel that is not held says nothing: the provider decides.
    return channel?.own_capabilities?.includes("upload-file") ?? true;
  }

  #needId(localId: string): void {
    if (typeof localId === "string" && localId.trim() !== "") return;
    this.#notify(LOCAL_ID_MISSING);
    throw new LocalError(LOCAL_ID_MISSING);
  }

  #notify(text: string, more: Partial<Notice> = {}): void {
    this.#deps.notify({ level: "error", text, origin: ORIGIN, ...more });
  }

  #upload(localId: string): Upload | undefined {
    return this.state().uploads.find((upload) => upload.localId === localId);
  }

  #change(localId: string, next: (upload: Upload) => Upload): void {
    this.#put(this.state().uploads.map((upload) => (upload.localId === localId ? next(upload) : upload)));
  }

  #forget(localId: string): void {
    this.#runs.get(localId)?.abort?.abort();
    this.#runs.delete(localId);
    this.#put(this.state().uploads.filter((upload) => upload.localId !== localId));
  }

  #put(list: readonly Upload[]): void {
    this.#held.set({ uploads: list, slots: Math.max(0, MAX_FILES_PER_MESSAGE - list.length) });
  }
}

const isCancelled = (error: unknown): boolean =>
  error instanceof TransportError && error.code === "ERR_CANCELED";

/** R-ATT-7: the attachments that go out: finished ones, without a local field. */
export function outgoing(uploads: readonly Upload[]): Attachment[] {
  return uploads.filter(({ state }) => state === "finished").map(({ attachment }) => attachment);
}
