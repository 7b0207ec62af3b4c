/** A Slack export: its zip or its folder, also below a top folder, for one workspace or for a grid of them. */
import { isObject } from "../../../wire/json-object.ts";
import type { Tally } from "../../tally.ts";
import { jsonElements, type ExportFiles } from "../base/foreign-files.ts";
import type { ForeignFormat, ForeignReader, ForeignScope } from "../base/format.ts";
import { BadExport, type ExportFile } from "../base/zip.ts";
import { assignFolders, type SlackChannel } from "./channels.ts";
import { CHANNEL_LISTS, layoutOf, USER_LISTS, type SlackLayout, type SlackListName } from "./layout.ts";
import { SlackPeople } from "./people.ts";
import { conversationIn, slackMessageIn, SlackReader, type SlackSource } from "./reader.ts";
import type { SlackMessage } from "./shapes.ts";

export default {
  title: "Slack",
  reads: "the zip or folder of an export",
  help: `A Slack export, its zip or its folder, becomes people, channels, private groups
and direct conversations with their members, and messages with their threads,
reactions, pins and files. Blocks and what apps attach become text. Channels and
people keep Slack's ids; a message has the id slack-<channel>-<time>. Files that
are not in the export stay at Slack, at addresses that need a token and expire
with it. Not included: times of reactions, read marks, custom emoji, contents of
canvases.`,
  detect: async ({ files }) => {
    const { lists, folders, others } = layoutOf(files);
    const hasChannels = lists.some(({ name }) => CHANNELS.has(name));
    const hasDays = folders.some((folder) => folder.files.some(({ name }) => isDay(name)));
    // People may have saved a list of users beside files of another program.
    const isAlone = lists.length > 0 && !others.some(({ name }) => name.endsWith(".json"));
    return hasChannels || hasDays || isAlone;
  },
  open: openSlackExport,
} satisfies ForeignFormat;

const DIRECT_LISTS: ReadonlySet<SlackListName> = new Set(["dms.json", "mpims.json"] as const);

const CHANNELS: ReadonlySet<string> = new Set(CHANNEL_LISTS);

const isDay = (name: string): boolean => /(?:^|\/)\d{4}-\d{2}-\d{2}[^/]*\.json$/.test(name);

async function openSlackExport(files: ExportFiles, scope: ForeignScope): Promise<ForeignReader> {
  const { tally, now } = scope;
  const source = new ExportSource(files, scope);
  const people = new SlackPeople(scope.people);
  for (const { fields } of await source.lists(USER_LISTS))
    if (!people.addListed(fields, now)) tally.add("person", "without a valid id");
  await source.readChannels();
  const { hasDays } = source;
  if (source.channels.size === 0 && !hasDays) throw notSlack(files.source, "channels.json");
  if (scope.people.first === undefined && !hasDays) throw notSlack(files.source, "users.json");
  return new SlackReader(source, scope, people);
}

const notSlack = (source: string, missing: string): BadExport =>
  new BadExport(`${source} is not a Slack export: ${missing} is missing or empty in it.`);

interface ListEntry {
  name: SlackListName;
  root: string;
  fields: object;
}

class ExportSource implements SlackSource {
  readonly joinsAuthors = false;
  readonly channels = new Map<string, SlackChannel>();
  readonly #files: ExportFiles;
  readonly #layout: SlackLayout;
  readonly #scope: ForeignScope;

  constructor(files: ExportFiles, scope: ForeignScope) {
    this.#files = files;
    this.#layout = layoutOf(files.files);
    this.#scope = scope;
  }

  get hasDays(): boolean {
    return this.#layout.folders.some(({ files }) => files.length > 0);
  }

  /** The objects of some lists. Throws `BadExport` for a list that is damaged. */
  async lists(names: readonly string[]): Promise<ListEntry[]> {
    const found: ListEntry[] = [];
    for (const { name, root, file } of this.#layout.lists) {
      if (!names.includes(name)) continue;
      for await (const elements of jsonElements(file, this.#files.source))
        for (const element of elements) {
          if ("problem" in element)
            throw new BadExport(`${file.name} in ${this.#files.source} cannot be read: ${element.problem}.`);
          if (isObject(element.value)) found.push({ name, root, fields: element.value });
          else this.#scope.tally.add("entry", `${name}: not an object`);
        }
    }
    return found;
  }

  async readChannels(): Promise<void> {
    const { tally } = this.#scope;
    for (const { name, root, fields } of await this.lists(CHANNEL_LISTS)) {
      const channel = conversationIn(fields, DIRECT_LISTS.has(name));
      if (channel) this.channels.set(channel.id, { ...channel, root, files: [] });
      else tally.add("channel", "without a valid id");
    }
    await assignFolders(this.#layout, {
      channels: this.channels,
      tally,
      messagesOf: (folder) => this.#read(folder.files),
    });
  }

  messagesIn(channel: string, tally: Tally): AsyncIterable<SlackMessage> {
    return this.#read(this.channels.get(channel)!.files, tally);
  }

  async *#read(files: readonly ExportFile[], tally?: Tally): AsyncGenerator<SlackMessage> {
    for (const file of files) {
      this.#scope.signal.throwIfAborted();
      if (file.size === 0) tally?.add("notice", `${file.name} is empty`);
      for await (const elements of jsonElements(file, this.#files.source))
        for (const element of elements) {
          const message = "value" in element ? slackMessageIn(element.value) : undefined;
          if (message) yield message;
          else if ("problem" in element) tally?.add("message", `${file.name}: ${element.problem}`);
          else tally?.add("entry", "in a file of messages, but no message");
        }
    }
  }

  fileOf(id: string): ExportFile | undefined {
    return this.#layout.uploads.get(id);
  }

  finish(): void {
    const { media, tally } = this.#scope;
    for (const file of this.#layout.uploads.values())
      if (!media.isUsed(file)) tally.add("file", "in the export, but in no message");
    for (const { name } of this.#layout.others) tally.add(...unusedFile(name));
  }
}

/** Lists about the workspace, and pictures of people, are not content. */
function unusedFile(name: string): Parameters<Tally["add"]> {
  const last = name.slice(name.lastIndexOf("/") + 1);
  if (name.includes("__avatars/")) return ["notice", "a picture of a person in the export"];
  return last.endsWith(".json") || last.endsWith(".txt")
    ? ["notice", `${last} has no place in an import`]
    : ["file", "in the export, but in no message"];
}
