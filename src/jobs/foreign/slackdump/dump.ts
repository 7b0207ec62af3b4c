/** The dumps of slackdump: a JSON file for each channel or thread, with the replies inside of their first messages. */
import { isObject } from "../../../wire/json-object.ts";
import type { Tally } from "../../tally.ts";
import { jsonElements, type ExportFiles } from "../base/foreign-files.ts";
import { jsonParts } from "../base/json-stream.ts";
import { documentsLike } from "../base/outline.ts";
import type { ExportFile } from "../base/zip.ts";
import type { SlackdumpRows } from "./rows.ts";

const isDump = (outline: ReadonlyMap<string, unknown>): boolean =>
  typeof outline.get("channel_id") === "string" && Array.isArray(outline.get("messages"));

export const isDumpFile = async (files: ExportFiles): Promise<boolean> =>
  (await documentsLike(files, isDump)).length > 0;

export class DumpRows implements SlackdumpRows {
  readonly #files: ExportFiles;
  readonly #places = new Map<string, ExportFile[]>();

  constructor(files: ExportFiles) {
    this.#files = files;
  }

  close(): void {}

  /** A list that people may have saved beside their dumps. */
  async *users(tally: Tally): AsyncIterable<unknown> {
    const list = await this.#files.find("users.json");
    if (!list) return;
    for await (const elements of jsonElements(list, this.#files.source))
      for (const element of elements)
        if ("value" in element) yield element.value;
        else tally.add("entry", `users.json: ${element.problem}`);
  }

  async *channels(): AsyncIterable<{ fields: object }> {
    for (const file of await documentsLike(this.#files, isDump)) {
      const head: Record<string, unknown> = {};
      for await (const parts of jsonParts(file.read(), { enter: (path) => path === "messages" })) {
        for (const part of parts) if ("key" in part && part.path === "") head[part.key] = part.value;
        if (head.channel_id !== undefined && head.name !== undefined) break;
      }
      const id = String(head.channel_id);
      if (!this.#places.has(id)) yield { fields: { id, name: head.name, is_im: id.startsWith("D") } };
      this.#places.set(id, [...(this.#places.get(id) ?? []), file]);
    }
  }

  async *messagesIn(channel: string, tally: Tally): AsyncIterable<unknown> {
    for (const file of this.#places.get(channel) ?? [])
      for await (const parts of jsonParts(file.read(), { enter: (path) => path === "messages" }))
        for (const part of parts) {
          if ("problem" in part) tally.add("message", `${file.name}: ${part.problem}`);
          if (!("key" in part) || part.path !== "messages") continue;
          yield part.value;
          const replies = isObject(part.value) ? part.value.slackdump_thread_replies : undefined;
          if (Array.isArray(replies)) yield* replies;
        }
  }
}
