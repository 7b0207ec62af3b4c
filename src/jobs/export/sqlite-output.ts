/** SQLite output: one file with the tables of an archive and only the selected messages. */
import { rmSync } from "node:fs";
import { hashOf } from "../archive/manifest.ts";
import { beginRun, endRun } from "../archive/meta.ts";
import { newDatabase, type OpenArchive } from "../archive/open.ts";
import { fillWords } from "../archive/schema.ts";
import { ArchiveWriter, type MessageWithDetails } from "../archive/writer.ts";
import type { Exported, ExportedChannel } from "./form.ts";
import { finishPart, onFile, prepareFile, type OutputPlace } from "./sink.ts";
import type { ExportOutput, WrittenFile } from "./text-output.ts";

/** Messages per transaction. */
const PAGE = 1000;

const pageOf = ({ message, reactions, votes, replies, gone }: Exported): MessageWithDetails[] => [
  { message, reactions, votes, ...(gone === undefined ? {} : { gone }) },
  ...replies.flatMap(pageOf),
];

export class SqliteOutput implements ExportOutput {
  readonly #file: string;
  readonly #part: string;
  readonly #place: OutputPlace;
  readonly #unmake: () => void;
  readonly #now: string;
  readonly #archive: OpenArchive;
  readonly #run;
  readonly #writer: ArchiveWriter;
  #page: MessageWithDetails[] = [];
  #messages = 0;

  constructor(
    file: string,
    {
      place,
      now,
      version,
      newest,
    }: { place: OutputPlace; now: string; version: string; newest?: number | undefined },
  ) {
    this.#file = file;
    this.#part = `${file}.part`;
    this.#place = place;
    this.#now = now;
    this.#unmake = prepareFile(file, place);
    try {
      rmSync(this.#part, { force: true });
      this.#archive = newDatabase(this.#part);
      const options = {
        channels: [],
        threads: true,
        attachments: "link" as const,
        ...(newest && { newest }),
      };
      this.#run = beginRun(this.#archive.db, { kind: "export", options, version, started_at: now });
      this.#writer = new ArchiveWriter(this.#archive, { n: this.#run.n, now: () => now }, false);
    } catch (error) {
      this.#remove();
      throw error;
    }
  }

  async channel({ channel, members, reads }: ExportedChannel): Promise<void> {
    const { cid } = channel;
    await onFile(this.#file, () => {
      this.#writer.channel(channel, [...reads()]);
      this.#writer.members(cid, [...members()], { cid, part: "members", done: true });
    });
  }

  async message(one: Exported, { channel }: ExportedChannel): Promise<void> {
    const page = pageOf(one);
    this.#messages += page.length;
    this.#page.push(...page);
    if (this.#page.length >= PAGE) await onFile(this.#file, () => this.#flush(channel.cid));
  }

  async endChannel({ channel }: ExportedChannel): Promise<void> {
    await onFile(this.#file, () => {
      this.#flush(channel.cid);
      this.#writer.saveCheckpoint({ cid: channel.cid, part: "messages", done: true });
    });
  }

  async end(): Promise<WrittenFile[]> {
    return onFile(this.#file, () => this.#finish());
  }

  async #finish(): Promise<WrittenFile[]> {
    const { db } = this.#archive;
    fillWords(db);
    endRun(db, this.#run, this.#now);
    this.#archive.close();
    const written = await hashOf(this.#part);
    finishPart(this.#part, this.#file, this.#place);
    return [{ file: this.#file, format: "sqlite", messages: this.#messages, ...written }];
  }

  async discard(): Promise<void> {
    if (this.#archive.db.isOpen) this.#archive.close();
    this.#remove();
  }

  #remove(): void {
    rmSync(this.#part, { force: true });
    rmSync(`${this.#part}-journal`, { force: true });
    this.#unmake();
  }

  #flush(cid: string): void {
    this.#writer.messages(this.#page, { cid, part: "messages" });
    this.#page = [];
  }
}
