/** A slackdump archive as a workspace of Slack: its rows, and the files that were downloaded. */
import { lstat } from "node:fs/promises";
import path from "node:path";
import type { Tally } from "../../tally.ts";
import { openForeign, type ExportFiles } from "../base/foreign-files.ts";
import type { ForeignScope } from "../base/format.ts";
import type { ExportFile } from "../base/zip.ts";
import { slackMessageIn, type SlackConversation, type SlackSource } from "../slack/reader.ts";
import type { SlackMessage } from "../slack/shapes.ts";
import type { SlackdumpRows } from "./rows.ts";

/** `__uploads/<id>/<name>`, and beside a dump `<channel>/<id>-<name>`. */
const UPLOAD = /(?:^|\/)(?:__uploads\/([^/]+)\/[^/]+|[CDG][A-Z0-9]+\/(F[A-Z0-9]+)-[^/]+)$/;

export class SlackdumpSource implements SlackSource {
  readonly joinsAuthors = true;
  readonly channels = new Map<string, SlackConversation>();
  readonly #rows: SlackdumpRows;
  readonly #scope: ForeignScope;
  readonly #uploads = new Map<string, ExportFile>();

  constructor(rows: SlackdumpRows, scope: ForeignScope) {
    this.#rows = rows;
    this.#scope = scope;
  }

  /** Files of the folder; of a database alone those that stand beside it. */
  async findUploads({ files, source }: ExportFiles): Promise<void> {
    const folder = path.join(path.dirname(source), "__uploads");
    const isAlone = files.length === 1 && files[0]!.path === source;
    const info = isAlone ? await lstat(folder).catch(() => undefined) : undefined;
    const beside = info?.isDirectory() ? (await openForeign(folder)).files : [];
    for (const file of files) this.#addUpload(file.name, file);
    for (const file of beside) this.#addUpload(`__uploads/${file.name}`, file);
  }

  #addUpload(name: string, file: ExportFile): void {
    const [, id, dumped] = UPLOAD.exec(name) ?? [];
    const known = id ?? dumped;
    if (known !== undefined) this.#uploads.set(known, file);
  }

  addChannel(channel: SlackConversation): void {
    this.channels.set(channel.id, channel);
  }

  async *messagesIn(channel: string, tally: Tally): AsyncIterable<SlackMessage> {
    for await (const value of this.#rows.messagesIn(channel, tally)) {
      this.#scope.signal.throwIfAborted();
      const message = slackMessageIn(value);
      if (message) yield message;
      else tally.add("entry", "in a list of messages, but no message");
    }
  }

  fileOf(id: string): ExportFile | undefined {
    return this.#uploads.get(id);
  }

  finish(): void {
    const { media, tally } = this.#scope;
    for (const file of this.#uploads.values())
      if (!media.isUsed(file)) tally.add("file", "in the export, but in no message");
  }

  close(): void {
    this.#rows.close();
  }
}
