/** Writes one text format to files: a single one, one per channel, or split by size or month. */
import path from "node:path";
import { cleanFileName } from "../../text/file-name.ts";
import type { Exported, ExportedChannel, ExportForm, OnUnused, Partition } from "./form.ts";
import type { FileNames } from "./pattern.ts";
import { fileSink, lostSink, OutputFailed, outputSink, type OutputPlace, type Sink } from "./sink.ts";

export interface WrittenFile {
  file: string;
  format: string;
  /** The month or day of its messages, where files are split by time. */
  period?: string;
  messages: number;
  bytes: number;
  sha256: string;
}

/** A file that could not be written. */
export interface FailedFile {
  file: string;
  /** Its format; `file` for a copied attachment, `manifest` for the manifest, `unread` for what is kept as it came. */
  format: string;
  /** The rest of a sentence that begins with the name of the file. */
  reason: string;
  /** There is a file of this name, and nothing allows overwriting it. */
  exists?: true;
}

/** Receives an export: channels, each with its messages. Throws `OutputFailed` if nothing more can be written. */
export interface ExportOutput {
  channel(channel: ExportedChannel): Promise<void>;
  message(message: Exported, channel: ExportedChannel): Promise<void>;
  endChannel(channel: ExportedChannel): Promise<void>;
  end(): Promise<WrittenFile[]>;
  /** Removes incomplete files. */
  discard(): Promise<void>;
}

/** The month or day of a time, `2026-05` or `2026-05-01`; undefined if files are not split by time. */
function periodOf(partition: Partition | undefined, at: string): string | undefined {
  if (partition?.kind === "month") return at.slice(0, 7);
  return partition?.kind === "day" ? at.slice(0, 10) : undefined;
}

const isByTime = (partition: Partition | undefined): boolean => periodOf(partition, "") !== undefined;

interface OutputTarget {
  format: string;
  ext: string;
  /** Absent: standard output. */
  names?: FileNames;
  write?: (bytes: Uint8Array) => Promise<void>;
  partition?: Partition | undefined;
  place: OutputPlace;
  onFailed(failure: OutputFailed): void;
  onUnused: OnUnused;
}

/** Path of a copied attachment inside the export. */
export const copyName = (hash: string, name: string | null): string =>
  path.posix.join("files", `${hash.slice(0, 12)}-${cleanFileName(name ?? "file")}`);

const messageCount = (one: Exported): number => 1 + one.replies.length;

interface OpenFile {
  form: ExportForm;
  sink: Sink;
  file: string;
  messages: number;
  inChannel: boolean;
  /** It could not be written. */
  lost: boolean;
}

export class TextOutput implements ExportOutput {
  readonly #createForm: () => ExportForm;
  readonly #target: OutputTarget;
  readonly #finished: WrittenFile[] = [];
  #open: OpenFile | undefined;
  #part = 0;
  #period: string | undefined;

  constructor(make: () => ExportForm, target: OutputTarget) {
    this.#createForm = make;
    this.#target = target;
  }

  async channel(channel: ExportedChannel): Promise<void> {
    if (this.#target.names?.perChannel) this.#part = 0;
    // Files by time start with their first message.
    if (!isByTime(this.#target.partition)) await this.#startChannel(channel);
  }

  async message(one: Exported, channel: ExportedChannel): Promise<void> {
    if (this.#isFull(one)) await this.#closeFile(channel);
    this.#period = periodOf(this.#target.partition, one.message.created_at);
    await this.#startChannel(channel);
    const open = this.#open!;
    await this.#write(open.form.message(this.#withPaths(one, open.file), channel));
    open.form.countUnused?.(one, this.#target.onUnused);
    open.messages += messageCount(one);
  }

  async endChannel(channel: ExportedChannel): Promise<void> {
    const { names, partition } = this.#target;
    if (names?.perChannel || isByTime(partition)) return this.#closeFile(channel);
    if (this.#open?.inChannel) await this.#write(this.#open.form.endChannel?.(channel));
    if (this.#open) this.#open.inChannel = false;
  }

  async end(): Promise<WrittenFile[]> {
    // Without any channel, an empty file is written.
    if (!this.#open && this.#part === 0 && !this.#target.names?.perChannel) await this.#openFile();
    await this.#closeFile();
    return this.#finished;
  }

  async discard(): Promise<void> {
    await this.#open?.sink.discard();
    this.#open = undefined;
  }

  #isFull({ message }: Exported): boolean {
    const { partition } = this.#target;
    if (!partition || !this.#open) return false;
    if (!("limit" in partition)) return periodOf(partition, message.created_at) !== this.#period;
    const { messages, sink } = this.#open;
    return messages > 0 && (partition.kind === "messages" ? messages : sink.bytes) >= partition.limit;
  }

  /** Starts the channel, in a new file if none is open. */
  async #startChannel(channel: ExportedChannel): Promise<void> {
    if (this.#open?.inChannel) return;
    if (!this.#open) await this.#openFile(channel);
    const open = this.#open!;
    await this.#write(open.form.channel?.(channel));
    open.inChannel = true;
  }

  async #openFile(channel?: ExportedChannel): Promise<void> {
    const { format, ext, names, write, place } = this.#target;
    this.#part++;
    const part = this.#period ?? String(this.#part);
    const of = names?.perChannel && channel ? { channel: channel.channel } : {};
    const file = names?.fileFor({ ...of, format, ext, part }) ?? "-";
    const form = this.#createForm();
    this.#open = { form, sink: lostSink(), file, messages: 0, inChannel: false, lost: false };
    await this.#orLost(async (open) => {
      open.sink = names ? await fileSink(file, place) : outputSink(write!);
    });
    await this.#write(form.begin?.());
  }

  async #write(pieces: Iterable<string> | string | undefined): Promise<void> {
    for (const piece of piecesOf(pieces)) await this.#orLost(({ sink }) => sink.write(piece));
  }

  /** Works on the open file. If it fails, the file is lost, and what follows goes nowhere. */
  async #orLost(work: (open: OpenFile) => Promise<void>): Promise<void> {
    const open = this.#open!;
    try {
      await work(open);
    } catch (error) {
      if (!(error instanceof OutputFailed)) throw error;
      await open.sink.discard();
      open.sink = lostSink(open.sink.bytes);
      open.lost = true;
      this.#target.onFailed(error);
    }
  }

  async #closeFile(channel?: ExportedChannel): Promise<void> {
    const open = this.#open;
    if (!open) return;
    const { form, file, messages } = open;
    if (open.inChannel && channel) await this.#write(form.endChannel?.(channel));
    await this.#write(form.end?.());
    await this.#orLost(async ({ sink, lost }) => {
      const written = await sink.end();
      const period = this.#period === undefined ? {} : { period: this.#period };
      if (!lost) this.#finished.push({ file, format: this.#target.format, ...period, messages, ...written });
    });
    this.#open = undefined;
  }

  /** Adds the paths of copied files, relative to this output file. */
  #withPaths(one: Exported, file: string): Exported {
    const { names } = this.#target;
    const replies = one.replies.map((reply) => this.#withPaths(reply, file));
    if (one.files.length === 0 || !names) return { ...one, replies };
    const up = path.relative(path.dirname(file), names.root).replaceAll(path.sep, "/");
    const paths = new Map(
      one.files.map(({ n, hash, name }) => [
        n,
        path.posix.join(up, (names.copyName ?? copyName)(hash, name)),
      ]),
    );
    return { ...one, replies, paths };
  }
}

const piecesOf = (pieces: Iterable<string> | string | undefined): Iterable<string> =>
  pieces === undefined ? [] : typeof pieces === "string" ? [pieces] : pieces;
