/** The files of a composition: ten slots, one state machine a file, retry and removal (specification/attachments.md §5.1, R-ATT-1…7). */
import type { Attachment } from "../../wire/attachment.ts";
import { MAX_FILES_PER_MESSAGE } from "../../wire/constants.ts";
import { createObservable } from "../base/observable.ts";
import type { Observable } from "../base/observable.ts";
import type { Upload } from "../base/api-types.ts";
import type { ThreadRef, Notice, State } from "../../model/state.ts";
import { LocalError, TransportError } from "../../model/errors.ts";
import type { Random, UploadSource } from "../base/ports.ts";
import { FILE_REQUIRED, nextUpload, UPLOAD_BLOCKED, UPLOAD_FAILED } from "../uploads/uploads.ts";
import type { UploadInput, Uploads } from "../uploads/uploads.ts";

export const LOCAL_ID_MISSING = "Local upload attachment missing local id";

export interface AttachmentsState {
  uploads: readonly Upload[];
  /** Free slots: MAX_FILES_PER_MESSAGE minus the uploads held, whatever their state. */
  slots: number;
}

export interface AttachmentComposer extends Observable<AttachmentsState> {
  /** R-ATT-3: capability, config and a free slot. */
  canUpload(): boolean;
  /**
   * Takes the first files that fit and starts them; the rest is told by a notice. Resolves when each has come to an
   * end (`finished`, `failed`, `blocked` or removed). Throws `LocalError` when no file is named.
   */
  add(files: readonly string[]): Promise<void>;
  /** A failed one is checked and sent again; others stay as they are. Throws `LocalError` for a blank id. */
  retry(localId: string): Promise<void>;
  /** R-ATT-6: aborts its request; its late answer is ignored. Throws `LocalError` for a blank id. */
  remove(localId: string): void;
  /** After a send, or when the composition is thrown away: everything goes, requests too. */
  clear(): void;
}

export interface AttachmentsDeps {
  place: ThreadRef;
  uploads: Pick<Uploads, "prepare" | "blockOf" | "transfer">;
  random: Random;
  state(): State;
  notify(notice: Pick<Notice, "level" | "text"> & Partial<Notice>): void;
}

const ORIGIN = "composer";
const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const lastName = (file: string): string => file.split(/[\\/]/).findLast((part) => part !== "") ?? file;

export function createAttachmentComposer(deps: AttachmentsDeps): AttachmentComposer {
  const { notify, random, uploads } = deps;
  const cell = createObservable<AttachmentsState>({ uploads: [], slots: MAX_FILES_PER_MESSAGE });
  /** Local id → what its file is and how its run is ended; gone with the upload. */
  const runs = new Map<string, { file: string; abort?: AbortController }>();

  const put = (list: readonly Upload[]): void =>
    cell.set({ uploads: list, slots: Math.max(0, MAX_FILES_PER_MESSAGE - list.length) });
  const held = (localId: string): Upload | undefined =>
    cell.state().uploads.find((upload) => upload.localId === localId);
  const change = (localId: string, next: (upload: Upload) => Upload): void =>
    put(cell.state().uploads.map((upload) => (upload.localId === localId ? next(upload) : upload)));
  const move = (localId: string, input: UploadInput): void =>
    change(localId, (upload) => nextUpload(upload, input));
  const forget = (localId: string): void => {
    runs.get(localId)?.abort?.abort();
    runs.delete(localId);
    put(cell.state().uploads.filter((upload) => upload.localId !== localId));
  };
  const needId = (localId: string): void => {
    if (typeof localId === "string" && localId.trim() !== "") return;
    notify({ level: "error", text: LOCAL_ID_MISSING, origin: ORIGIN });
    throw new LocalError(LOCAL_ID_MISSING);
  };

  /** Check, turn, request: from `pending` or `failed` to an end. */
  async function run(localId: string): Promise<void> {
    const entry = runs.get(localId);
    if (!entry || entry.abort) return;
    const abort = new AbortController();
    entry.abort = abort;
    /** Removed, or cleared: whatever comes is late. */
    const late = (): boolean => abort.signal.aborted;
    try {
      let source: UploadSource;
      try {
        const prepared = await uploads.prepare(entry.file);
        if (late()) return;
        ({ source } = prepared);
        change(localId, (upload) => ({
          ...upload,
          name: source.name,
          total: source.size,
          attachment: prepared.attachment,
        }));
      } catch (error) {
        if (late()) return;
        notify({ level: "error", text: words(error), origin: ORIGIN });
        // Nothing was begun with it: a file that cannot be read is not attached.
        if (held(localId)?.state === "pending") forget(localId);
        return;
      }
      const reason = await uploads.blockOf(source);
      if (late()) return;
      if (reason) {
        move(localId, { type: "blocked", reason });
        return notify({ level: "error", text: UPLOAD_BLOCKED, reason, origin: localId });
      }
      try {
        const answer = await uploads.transfer(deps.place.cid, source, {
          signal: abort.signal,
          started: () => move(localId, { type: "started" }),
          progress: (sent, total) => move(localId, { type: "progress", sent, total }),
        });
        if (!late()) move(localId, { type: "finished", answer });
      } catch (error) {
        if (late()) return;
        const why = words(error);
        move(localId, { type: "failed", reason: why });
        if (error instanceof TransportError && error.code === "ERR_CANCELED") return;
        notify({ level: "error", text: UPLOAD_FAILED, reason: why, origin: localId });
      }
    } finally {
      if (entry.abort === abort) delete entry.abort;
    }
  }

  function canUse(): boolean {
    const channel = deps.state().channels.get(deps.place.cid)?.channel;
    if (channel?.config?.uploads === false) return false;
    // A channel that is not held says nothing: the provider decides.
    return channel?.own_capabilities?.includes("upload-file") ?? true;
  }

  return {
    state: cell.state,
    subscribe: cell.subscribe,
    canUpload: () => canUse() && cell.state().slots > 0,
    async add(files) {
      if (files.length === 0 || files.some((file) => typeof file !== "string" || file.trim() === "")) {
        notify({ level: "error", text: FILE_REQUIRED, origin: ORIGIN });
        throw new LocalError(FILE_REQUIRED);
      }
      if (!canUse())
        return notify({ level: "error", text: "Files may not be sent to this channel", origin: ORIGIN });
      const taken = files.slice(0, cell.state().slots);
      const ids = taken.map((file) => {
        const localId = random.uuid();
        runs.set(localId, { file });
        const name = lastName(file);
        put([
          ...cell.state().uploads,
          { localId, name, state: "pending", sent: 0, total: 0, attachment: { type: "file", title: name } },
        ]);
        return localId;
      });
      const left = files.slice(taken.length).map(lastName);
      if (left.length > 0)
        notify({
          level: "error",
          text: `At most ${MAX_FILES_PER_MESSAGE} files go with a message`,
          reason: `left out: ${left.join(", ")}`,
          origin: ORIGIN,
        });
      await Promise.all(ids.map(run));
    },
    async retry(localId) {
      needId(localId);
      if (held(localId)?.state === "failed") await run(localId);
    },
    remove(localId) {
      needId(localId);
      if (held(localId)) forget(localId);
    },
    clear() {
      for (const { abort } of runs.values()) abort?.abort();
      runs.clear();
      put([]);
    },
  };
}

/** R-ATT-7: the attachments that go out: finished ones, without a local field. */
export function outgoing(uploads: readonly Upload[]): Attachment[] {
  return uploads.filter(({ state }) => state === "finished").map(({ attachment }) => attachment);
}
