/** Output as a Slack export: users.json, the lists of channels, and a file for each channel and day. */
import path from "node:path";
import type { Channel } from "../../wire/entities/channel.ts";
import type { User } from "../../wire/entities/user.ts";
import { cleanFileName, cutFileName } from "../../text/file-name.ts";
import { countHidden } from "./details.ts";
import type { Exported, ExportedChannel, ExportForm, OnUnused } from "./form.ts";
import { mrkdwn } from "./mrkdwn.ts";
import type { FileNames } from "./pattern.ts";
import type { SelectedMessages } from "./select.ts";
import { fileSink, OutputFailed, type OutputPlace, type Sink } from "./sink.ts";
import { customFields, microsAt, secondsOf, slackMessage, slackTime, uploadId } from "./slack-message.ts";
import { TextOutput, type ExportOutput, type WrittenFile } from "./text-output.ts";

/** A conversation as it is listed. */
interface Listed {
  list: "channels" | "dms" | "mpims";
  row: object;
}

/** Ids of direct conversations begin with a D. */
const directId = (id: string): string => id.replace(/^!/, "D-");

/** Bytes of a channel's name. */
const NAME_BYTES = 200;

/** Gives each channel an id and a folder of its own, which other programs look for by the channel's name; names are compared without case, as some file systems do. */
export class SlackFolders implements FileNames {
  readonly perChannel = true;
  readonly root: string;
  readonly #byCid = new Map<string, { id: string; folder: string }>();
  readonly #used = new Set<string>();

  constructor(root: string) {
    this.root = root;
  }

  fileFor({ channel, part = "" }: { channel?: Channel; part?: string }): string {
    return path.join(this.root, this.of(channel!).folder, `${part}.json`);
  }

  copyName(hash: string, name: string | null): string {
    return path.posix.join("__uploads", uploadId(hash), cleanFileName(name ?? "file"));
  }

  /** `wanted`: the name of its folder, if nobody has it. */
  of(channel: Channel, wanted = channel.name ?? channel.id): { id: string; folder: string } {
    const known = this.#byCid.get(channel.cid);
    if (known) return known;
    const id = this.#unique("id", directId(channel.id), `${channel.type}-${directId(channel.id)}`);
    const plain = cutFileName(cleanFileName(wanted.replace(/[/\\]/g, "_"), id), NAME_BYTES);
    // Slack's own files begin with two underscores.
    const named = {
      id,
      folder: this.#unique("folder", plain.replace(/^__/, "_"), `${plain} (${channel.type})`),
    };
    this.#byCid.set(channel.cid, named);
    return named;
  }

  #unique(kind: string, ...wanted: readonly string[]): string {
    const last = wanted.at(-1)!;
    const all = [...wanted, ...Array.from({ length: 1000 }, (_, n) => `${last}-${n + 2}`)];
    const found = all.find((name) => !this.#used.has(`${kind} ${name.toLowerCase()}`)) ?? last;
    this.#used.add(`${kind} ${found.toLowerCase()}`);
    return found;
  }
}

interface SlackTarget {
  place: OutputPlace;
  onFailed(failure: OutputFailed): void;
  onUnused: OnUnused;
}

export class SlackOutput implements ExportOutput {
  readonly #selected: SelectedMessages;
  readonly #names: SlackFolders;
  readonly #target: SlackTarget;
  readonly #days: TextOutput;
  readonly #listed: Listed[] = [];
  /** The times of the messages of the open channel that have replies, by id. */
  #threads = new Map<string, { ts: string; user: string }>();
  /** Microseconds of the last message of the open channel: no two have one time. */
  #last = 0;

  constructor(selected: SelectedMessages, names: SlackFolders, target: SlackTarget) {
    this.#selected = selected;
    this.#names = names;
    this.#target = target;
    this.#days = new TextOutput(() => this.#dayForm(), {
      ...target,
      format: "slack",
      ext: "json",
      names,
      partition: { kind: "day" },
    });
  }

  async channel(channel: ExportedChannel): Promise<void> {
    this.#threads = new Map();
    this.#last = 0;
    this.#listed.push(listedOf(channel, this.#names));
    await this.#days.channel(channel);
  }

  message(one: Exported, channel: ExportedChannel): Promise<void> {
    return this.#days.message(one, channel);
  }

  endChannel(channel: ExportedChannel): Promise<void> {
    return this.#days.endChannel(channel);
  }

  async end(): Promise<WrittenFile[]> {
    const files = await this.#days.end();
    const people = function* (users: Iterable<User>): Iterable<object> {
      for (const user of users) yield userOf(user);
    };
    const lists: [string, Iterable<object>][] = [
      ["users.json", people(this.#selected.users())],
      ["channels.json", this.#rows("channels")],
    ];
    for (const list of ["dms", "mpims"] as const)
      if (this.#rows(list).length > 0) lists.push([`${list}.json`, this.#rows(list)]);
    for (const [name, rows] of lists) files.push(...(await this.#writeList(name, rows)));
    return files;
  }

  discard(): Promise<void> {
    return this.#days.discard();
  }

  #rows(list: Listed["list"]): object[] {
    return this.#listed.filter((one) => one.list === list).map(({ row }) => row);
  }

  /** A list that cannot be written stops no other file. */
  async #writeList(name: string, rows: Iterable<object>): Promise<WrittenFile[]> {
    const file = path.join(this.#names.root, name);
    let sink: Sink | undefined;
    try {
      sink = await fileSink(file, this.#target.place);
      let count = 0;
      for (const row of rows) await sink.write(`${count++ === 0 ? "[\n" : ",\n"}${JSON.stringify(row)}`);
      await sink.write(count === 0 ? "[]\n" : "\n]\n");
      return [{ file, format: "slack", messages: 0, ...(await sink.end()) }];
    } catch (error) {
      await sink?.discard();
      if (!(error instanceof OutputFailed)) throw error;
      this.#target.onFailed(error);
      return [];
    }
  }

  #dayForm(): ExportForm {
    let count = 0;
    return {
      message: (one, channel) =>
        `${count++ === 0 ? "[\n" : ",\n"}${JSON.stringify(slackMessage(one, this.#placeOf(one, channel)))}`,
      countUnused: (one, add) => {
        countHidden(one, add, true);
        add("field", "custom fields are left out", customFields(one));
      },
      end: () => "\n]\n",
    };
  }

  #placeOf({ message }: Exported, { channel }: ExportedChannel) {
    const micros = Math.max(microsAt(message.created_at), this.#last + 1);
    this.#last = micros;
    const ts = slackTime(micros);
    if (message.reply_count > 0) this.#threads.set(message.id, { ts, user: message.user.id });
    return { channel: this.#names.of(channel).id, ts, thread: this.#threadOf(message.parent_id) };
  }

  /** A message that is not exported is known by its time only. */
  #threadOf(parent: string | undefined): { ts: string; user?: string } | undefined {
    if (parent === undefined) return undefined;
    const at = this.#threads.has(parent) ? undefined : this.#selected.sentAt(parent);
    return this.#threads.get(parent) ?? (at === undefined ? undefined : { ts: slackTime(microsAt(at)) });
  }
}

const userOf = (user: User): object => ({
  id: user.id,
  name: user.id,
  deleted: Boolean(user.deactivated_at ?? user.deleted_at),
  real_name: user.name || user.id,
  profile: {
    real_name: user.name || user.id,
    display_name: user.name || user.id,
    ...(user.image ? { image_192: user.image } : {}),
  },
  is_admin: user.role === "admin",
  is_bot: false,
  updated: secondsOf(user.updated_at),
});

const topicOf = (value: unknown): object => ({
  value: typeof value === "string" ? mrkdwn(value, new Map()) : "",
  creator: "",
  last_set: 0,
});

function listedOf({ channel, members }: ExportedChannel, names: SlackFolders): Listed {
  const people = [...members()].map(({ user_id }) => user_id);
  const list = !channel.id.startsWith("!members") ? "channels" : people.length > 2 ? "mpims" : "dms";
  const group = `mpdm-${people.join("--")}-1`;
  const { id, folder: name } = names.of(
    channel,
    list === "channels" ? undefined : list === "dms" ? directId(channel.id) : group,
  );
  const { topic, purpose, description } = channel as {
    topic?: unknown;
    purpose?: unknown;
    description?: unknown;
  };
  const row = {
    id,
    ...(list === "dms" ? {} : { name }),
    created: secondsOf(channel.created_at),
    ...(channel.created_by ? { creator: channel.created_by.id } : {}),
    ...(list === "dms"
      ? {}
      : {
          is_archived: channel.frozen === true,
          topic: topicOf(topic),
          purpose: topicOf(purpose ?? description),
        }),
    members: people,
  };
  return { list, row };
}
