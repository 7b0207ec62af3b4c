/** The chunk files of slackdump, `*.json.gz`: lines of lists that were received, of messages, people and channels. */
import { createGunzip, gunzipSync, constants } from "node:zlib";
import { pipeline, Readable } from "node:stream";
import { isFilledText, isObject } from "../../../wire/json-object.ts";
import { parseBounded } from "../../../wire/bounded-json.ts";
import { Tally } from "../../tally.ts";
import { headOf, type ExportFiles } from "../base/foreign-files.ts";
import { lineElements } from "../base/json-stream.ts";
import { textsOf } from "../base/shapes.ts";
import type { ExportFile } from "../base/zip.ts";
import { COPY, type SlackdumpRows } from "./rows.ts";

/** Types of chunks; messages of a channel and of a thread are the same. */
const [MESSAGES, THREAD, USERS, CHANNELS, CHANNEL, MEMBERS] = [0, 1, 3, 4, 5, 7];

/** The first line of a packed file, as far as it is in its first bytes. */
async function firstLine(file: ExportFile): Promise<string> {
  try {
    const bytes = gunzipSync(await headOf(file), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: 64 * 2 ** 20,
    });
    return bytes.toString("utf8").split("\n", 1)[0]!;
  } catch {
    return "";
  }
}

/** Whether a file begins like a chunk: `{"t":0,"ts":…`. */
async function isChunkFile(file: ExportFile): Promise<boolean> {
  const line = await firstLine(file);
  const value = parseBounded(line);
  return isObject(value) ? typeof value.t === "number" && "ts" in value : /^\{"t":\d+,"ts":\d+,/.test(line);
}

async function* chunksOf(file: ExportFile, tally: Tally): AsyncGenerator<Record<string, unknown>> {
  const unpacked = pipeline(Readable.from(file.read()), createGunzip(), () => {});
  try {
    for await (const elements of lineElements(unpacked))
      for (const element of elements)
        if ("value" in element && isObject(element.value)) yield element.value;
        else tally.add("entry", `${file.name}: a line that is no chunk`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    tally.add("entry", `${file.name}: cut in the middle`);
  }
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export class ChunkRows implements SlackdumpRows {
  readonly #files: readonly ExportFile[];
  /** Channel → the files with its messages. */
  readonly #places = new Map<string, Set<ExportFile>>();

  private constructor(files: readonly ExportFile[]) {
    this.#files = files;
  }

  /** Undefined if none of the files is one of chunks. */
  static async find({ files }: ExportFiles): Promise<ChunkRows | undefined> {
    const found: ExportFile[] = [];
    for (const file of files)
      if ((files.length === 1 || file.name.endsWith(".json.gz")) && (await isChunkFile(file)))
        found.push(file);
    return found.length === 0 ? undefined : new ChunkRows(found);
  }

  close(): void {}

  async *users(tally: Tally): AsyncIterable<unknown> {
    for (const file of this.#files)
      for await (const { t, u, id, m, p } of chunksOf(file, tally)) {
        if (t === USERS) yield* listIn(u);
        if ((t === MESSAGES || t === THREAD) && isFilledText(id) && (listIn(m).length > 0 || isObject(p)))
          this.#places.set(id, (this.#places.get(id) ?? new Set()).add(file));
      }
  }

  async *channels(): AsyncIterable<{ fields: object; members?: string[] | undefined }> {
    const known = new Map<string, object>();
    const members = new Map<string, string[]>();
    const add = (channel: unknown): void => {
      if (isObject(channel) && isFilledText(channel.id))
        known.set(channel.id, { ...known.get(channel.id), ...channel });
    };
    for (const file of this.#files)
      for await (const { t, id, ch, ci, cu } of chunksOf(file, new Tally())) {
        if (t === CHANNELS) for (const one of listIn(ch)) add(one);
        if (t === CHANNEL) add(ci);
        if (t === MEMBERS && isFilledText(id)) members.set(id, [...(members.get(id) ?? []), ...textsOf(cu)]);
      }
    for (const id of this.#places.keys()) if (!known.has(id)) known.set(id, { id });
    for (const [id, fields] of known) yield { fields, members: members.get(id) };
  }

  /** The messages of a channel in the order of the files, each with the number of its row. */
  async *#rows(channel: string, tally: Tally): AsyncGenerator<unknown> {
    for (const file of this.#places.get(channel) ?? [])
      for await (const { t, id, m, p } of chunksOf(file, tally)) {
        if (id !== channel || (t !== MESSAGES && t !== THREAD)) continue;
        if (t === THREAD && isObject(p)) yield p;
        yield* listIn(m);
      }
  }

  async *messagesIn(channel: string, tally: Tally): AsyncIterable<unknown> {
    const last = new Map<unknown, number>();
    const timeOf = (value: unknown): unknown => (isObject(value) ? value.ts : undefined);
    let row = 0;
    for await (const value of this.#rows(channel, new Tally())) last.set(timeOf(value), row++);
    row = 0;
    for await (const value of this.#rows(channel, new Tally())) {
      const time = timeOf(value);
      if (!isFilledText(time) || last.get(time) === row) yield value;
      else tally.add("notice", COPY);
      row++;
    }
  }
}
