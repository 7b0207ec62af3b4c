/** Mattermost, as its bulk export writes it: lines of JSON, alone or in a zip or folder with `data/`. */
import { trimEndCharacters } from "../../../text/without-tail.ts";
import { isObject } from "../../../wire/json-object.ts";
import { Tally } from "../../tally.ts";
import type { ExportFiles } from "../base/foreign-files.ts";
import type {
  ForeignFormat,
  ForeignMessage,
  ForeignReaction,
  ForeignReader,
  ForeignScope,
} from "../base/format.ts";
import { foreignId, shortHash } from "../base/ids.ts";
import { lineElements } from "../base/json-stream.ts";
import { documentsLike } from "../base/outline.ts";
import { pickFields, shapedList, textsOf } from "../base/shapes.ts";
import { microsOfMs, pastTime, timeText } from "../base/times.ts";
import { BadExport, type ExportFile } from "../base/zip.ts";
import { mattermostContent } from "./content.ts";
import {
  MATTERMOST_CHANNEL,
  MATTERMOST_MEMBER,
  MATTERMOST_MEMBERSHIP,
  MATTERMOST_POST,
  MATTERMOST_PROPS,
  MATTERMOST_REACTION,
  MATTERMOST_TEAM,
  MATTERMOST_USER,
  type MattermostPost,
} from "./shapes.ts";

export default {
  title: "Mattermost",
  reads: "the lines or the zip of a bulk export",
  help: `Mattermost is read from its bulk export: the lines of JSON, or the zip or folder
with data/ beside them. Teams, channels and direct conversations become channels
with their members, moderators and read marks; posts keep their replies,
reactions, pins, edits and files. Ids are mm-<team>-<channel> and mm-<user>. Not
included: who saved a post, roles, custom emoji.`,
  detect: async (files) => (await documentsLike(files, isBulkExport)).length > 0,
  open: openMattermost,
} satisfies ForeignFormat;

const isBulkExport = (outline: ReadonlyMap<string, unknown>): boolean =>
  outline.get("type") === "version" && typeof outline.get("version") === "number";

/** A line: its type, and the object under the key of that name. */
interface MattermostLine {
  type: string;
  fields: object;
}

async function* linesOf(file: ExportFile, tally: Tally): AsyncGenerator<MattermostLine> {
  for await (const elements of lineElements(file.read()))
    for (const element of elements) {
      const value = "value" in element ? element.value : undefined;
      const type = isObject(value) ? value.type : undefined;
      const fields = isObject(value) && typeof type === "string" ? value[type] : undefined;
      if ("problem" in element) tally.add("entry", `a line of the export: ${element.problem}`);
      else if (isObject(fields)) yield { type: type as string, fields };
      else if (type !== "version") tally.add("entry", "a line of the export without a known form");
    }
}

const personId = (username: string): string => foreignId("mm-", username);
const channelKey = (team: string, name: string): string => foreignId("mm-", `${team}-${name}`);

async function openMattermost(files: ExportFiles, scope: ForeignScope): Promise<ForeignReader> {
  const [file, ...more] = await documentsLike(files, isBulkExport);
  if (!file) throw new BadExport(`${files.source} holds no bulk export of Mattermost.`);
  for (const { name } of more)
    scope.tally.add("entry", `${name}: a second export, of which only the first is read`);
  const reader = new MattermostReader(files, file, scope);
  await reader.readLists();
  return reader;
}

class MattermostReader implements ForeignReader {
  readonly joinsAuthors = true;
  readonly #files: ExportFiles;
  readonly #file: ExportFile;
  readonly #scope: ForeignScope;

  constructor(files: ExportFiles, file: ExportFile, scope: ForeignScope) {
    this.#files = files;
    this.#file = file;
    this.#scope = scope;
  }

  get #folder(): string {
    return this.#file.name.slice(0, this.#file.name.lastIndexOf("/") + 1);
  }

  /** People, channels and memberships, in whatever order. */
  async readLists(): Promise<void> {
    const { channels, tally, now } = this.#scope;
    const teams = new Map<string, string>();
    for await (const { type, fields } of linesOf(this.#file, new Tally())) {
      if (type === "team") {
        const { name = "", display_name: shown } = pickFields(fields, MATTERMOST_TEAM);
        teams.set(name, shown || name);
      } else if (type === "channel") {
        const {
          team = "",
          name = "",
          display_name: shown,
          header,
          purpose,
          type: kind,
          ...one
        } = pickFields(fields, MATTERMOST_CHANNEL);
        channels.add(channelKey(team, name), {
          name: shown || name,
          frozen: (one.deleted_at ?? one.delete_at ?? 0) > 0,
          custom: {
            team: teams.get(team) ?? team,
            header,
            purpose,
            private: kind === "P" ? true : undefined,
          },
        });
      } else if (type === "user" || type === "bot") this.#addPerson(fields, type === "bot", now);
      else if (type === "direct_channel") this.#direct(membersIn(fields));
      else if (!KNOWN_LATER.has(type)) tally.add("notice", `${type.slice(0, 40)} has no place in an import`);
    }
  }

  #addPerson(fields: object, bot: boolean, now: number): void {
    const { people, channels, tally } = this.#scope;
    const {
      username = "",
      nickname,
      first_name: first,
      last_name: last,
      display_name: shown,
      delete_at: gone,
      teams,
    } = pickFields(fields, MATTERMOST_USER);
    if (username === "") return void tally.add("person", "without a name");
    const id = personId(username);
    people.put(id, {
      name: nickname || [first, last].filter(Boolean).join(" ") || shown || username,
      username,
      bot: bot || undefined,
      deactivated_at: (gone ?? 0) > 0 ? pastTime(microsOfMs(gone), now) : undefined,
    });
    for (const team of shapedList(teams, MATTERMOST_MEMBERSHIP))
      for (const { name = "", roles = "", last_viewed_at: viewed } of shapedList(
        team.channels,
        MATTERMOST_MEMBER,
      ))
        channels.join(channels.add(channelKey(team.name ?? "", name)), id, {
          moderator: roles.split(" ").includes("channel_admin"),
          last_read: pastTime(microsOfMs(viewed), now),
        });
  }

  #direct(members: readonly string[]): string {
    const { people, channels } = this.#scope;
    const ids = members.map(personId);
    for (const [n, id] of ids.entries()) people.add(id, { name: members[n]! });
    return channels.direct(ids, foreignId("mm-self-", members[0] ?? "nobody"));
  }

  async *messages(tally: Tally): AsyncIterable<ForeignMessage> {
    const numbers = new Map<string, number>();
    for await (const { type, fields } of linesOf(this.#file, tally)) {
      if (type !== "post" && type !== "direct_post") continue;
      const post = pickFields(fields, MATTERMOST_POST);
      const channel = this.#channelOf(post);
      const first = await this.#converted(post, channel, numbers, tally);
      yield first;
      for (const reply of post.replies ?? [])
        if (isObject(reply)) {
          const converted = await this.#converted(
            pickFields(reply, MATTERMOST_POST),
            channel,
            numbers,
            tally,
          );
          yield first.at === undefined ? converted : { ...converted, parent: first.id };
        } else tally.add("entry", "in a list of replies, but no message");
    }
  }

  #channelOf({ team = "", channel = "", channel_members: members }: MattermostPost): string {
    if (members) return this.#direct(textsOf(members));
    return this.#scope.channels.add(channelKey(team, channel), { name: channel });
  }

  /** Posts have no ids: what makes one is its place, author, time and text, and a number for equal ones. */
  async #converted(
    post: MattermostPost,
    channel: string,
    numbers: Map<string, number>,
    tally: Tally,
  ): Promise<ForeignMessage> {
    const { user = "", type = "", message, create_at, edit_at, is_pinned, flagged_by } = post;
    const hash = shortHash(
      JSON.stringify([channel, user, create_at, type, message, post.props ?? {}, post.attachments]),
    );
    const number = numbers.get(hash) ?? 0;
    numbers.set(hash, number + 1);
    const content = await mattermostContent(post, {
      files: this.#files,
      folder: this.#folder,
      scope: this.#scope,
      tally,
    });
    const isEmpty = content.text === "" && content.attachments.length === 0;
    if (isEmpty) tally.add("text", "empty in the export");
    tally.add("notice", "a post that somebody has saved", textsOf(flagged_by).length);
    const at = microsOfMs(create_at);
    return {
      id: `mm-${at === undefined ? "" : timeText(at).replace(/\D/g, "").slice(0, 17)}-${hash}${number === 0 ? "" : `-${number + 1}`}`,
      channel,
      user: this.#author(post),
      at,
      text: isEmpty ? "_Empty message_" : content.text,
      kind: type.startsWith("system_") ? "system" : undefined,
      attachments: content.attachments,
      mentioned: this.#mentionsIn(message ?? ""),
      edited: edit_at ? microsOfMs(edit_at) : undefined,
      pinned: is_pinned ? {} : undefined,
      reactions: shapedList(post.reactions, MATTERMOST_REACTION).map((one) => this.#reaction(one)),
    };
  }

  #reaction({
    user,
    create_at,
    emoji_name,
  }: {
    user?: string;
    create_at?: number;
    emoji_name?: string;
  }): ForeignReaction {
    return {
      name: emoji_name ?? "",
      users: [user === undefined || user === "" ? undefined : this.#named(user)],
      at: [microsOfMs(create_at)],
    };
  }

  #named(username: string): string {
    const id = personId(username);
    this.#scope.people.add(id, { name: username });
    return id;
  }

  /** A webhook speaks for its owner under another name: each name is somebody. */
  #author({ user = "", props }: MattermostPost): string {
    const { override_username: other, from_webhook: hook } = pickFields(props ?? {}, MATTERMOST_PROPS);
    if (!other || hook !== "true") return this.#named(user === "" ? "unknown" : user);
    const id = foreignId("mm-hook-", other);
    this.#scope.people.add(id, { name: other, bot: true });
    return id;
  }

  /** A name may end in a dot that ends the sentence. */
  #mentionsIn(message: string): string[] {
    return [...message.matchAll(/(?<![\w@])@([a-z0-9._-]{1,64})/gi)].flatMap(([, name]) => {
      const ids = [name!, trimEndCharacters(name!, "._-")].map(personId);
      return ids.filter((id) => this.#scope.people.has(id)).slice(0, 1);
    });
  }

  finish(): void {
    const { media, tally } = this.#scope;
    for (const file of this.#files.files)
      if (file !== this.#file && !media.isUsed(file))
        tally.add("notice", "a file in the export that no post shows");
  }
}

/** Lines that are read with the posts, or are none of the import's. */
const KNOWN_LATER: ReadonlySet<string> = new Set(["version", "post", "direct_post"]);

/** The names of a conversation: a list of names, or newer of objects. */
function membersIn(fields: object): string[] {
  const { members, participants } = pickFields(fields, { members: "list", participants: "list" });
  const named = shapedList(participants, { username: "string" }).flatMap(({ username }) => username ?? []);
  return named.length > 0 ? named : textsOf(members);
}
