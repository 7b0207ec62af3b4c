/** Plain mode: prints the chat as lines, for screen readers and tiny or dumb terminals (specification/screen.md §7). */
import { createInterface } from "node:readline";
import {
  findCommand,
  loadLine,
  readLine,
  splitWords,
  unknownCommandMessage,
  type CommandLine,
} from "../../commands/line.ts";
import { searchLine } from "../../commands/search.ts";
import { runInChat } from "../../commands/run-in-chat.ts";
import type { Composer } from "../../core/composer/composer.ts";
import type { Core } from "../../core/core.ts";
import { holdMessage } from "../../model/client-message.ts";
import type { ChannelEntry, ClientMessage } from "../../model/state.ts";
import type { Opened } from "../../open.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { wholeDate } from "../../text/times.ts";
import { blockedWhy, size, words } from "../../text/words.ts";
import type { EventNamed } from "../../wire/events.ts";
import type { Message } from "../../wire/entities/message.ts";
import { QUERY_MEMBERS_LIMIT } from "../../wire/constants.ts";
import { PlainSearch } from "./search.ts";
import { fileLines, findFiles } from "../views/channel-files/lines.ts";
import { expandPaths } from "../views/files/attach-paths.ts";
import type { Disk } from "../screen/host.ts";
import { spoken } from "../render/spoken.ts";
import { viewLines } from "../views/composer/show-result.ts";
import { emptyScreen } from "../screen/screen.ts";
import { draftsByPlace } from "../screen/selectors.ts";
import { userLists, type ListName } from "../views/lists/lists.ts";
import { spokenEntries } from "../views/lists/rows.ts";
import { missingFeature } from "../keys/missing-features.ts";
import { resolveAlias } from "../keys/aliases.ts";
import { composerCommandNames } from "../keys/composer-commands.ts";
import { placeChoices } from "../navigation/destinations.ts";
import { channelToJoin, findRequested } from "../navigation/requested-channel.ts";
import { parseRecipients } from "../navigation/recipients.ts";
import { filterChoices } from "../screen/filter-choices.ts";
import { linkWords } from "../views/status/link-words.ts";
import {
  channelTitle,
  listedChannels,
  otherMembers,
  userName,
  channelsWithUnread,
} from "../../model/channels.ts";
import { userIdOf } from "../../model/user-by-name.ts";
import { namesMessage, newestDefault } from "../../model/default-message.ts";
import { shownSet } from "../../model/select.ts";
import { reasonOf } from "../../wire/errors.ts";
import { loadHiddenOnce } from "../navigation/channel-pages.ts";
import { errorWords } from "../screen/notices.ts";

type NewMessage = EventNamed<"message.new" | "notification.message_new">;

interface PlainOptions {
  opened: Opened;
  channelType: string;
  utc: boolean;
  channel?: string;
  /** Nothing is sent or marked read. */
  readOnly?: boolean;
  input: NodeJS.ReadableStream;
  disk: Disk;
  print(line: string): void;
  /** Queries the user's channels. */
  load(): Promise<void>;
  random(): string;
  now(): number;
}

/** Messages shown when a channel is opened. */
const OPENING_MESSAGES = 10;
/** Messages shown before and after the target of a jump. */
const JUMP_CONTEXT = 5;
/** Maximum number of list items a command shows. */
const MAX_ITEMS = 50;
/** Commands that exist in plain mode besides those of the command table. */
const LISTS = Object.keys(userLists) as ListName[];
const PLAIN_COMMANDS = [...LISTS, "go", "next", "dm", "who", "attach", "files", "help", "quit"];

/** Resolves an alias if plain mode has its command. */
function resolvePlainAlias(typed: string, channelCommands: readonly string[]): string {
  const resolved = resolveAlias(typed, channelCommands);
  const [first = ""] = resolved.slice(1).split(/\s/);
  return PLAIN_COMMANDS.includes(first) || findCommand(resolved.slice(1)) ? resolved : typed;
}

/** `/mute 2h` and `/unmute` are of the channel, as on the screen; with a person they are the provider's. */
function expandMute(text: string): string {
  const found = /^\/(mute|unmute)(?:\s+(?:(?:until|for)\s+)?([^@\s].*))?$/.exec(text);
  if (!found) return text;
  const [, verb, until] = found;
  return `/channel ${verb}${until ? ` --until "${until.replaceAll('"', "")}"` : ""}`;
}

function unknownCommandText(name: string, channelCommands: readonly string[]): string {
  const feature = missingFeature(name);
  if (feature) return `${feature.title}. ${feature.advice}`;
  if (composerCommandNames.some((command) => command === name)) return words.plain.onlyOnScreen(name);
  return unknownCommandMessage(name, [...PLAIN_COMMANDS, ...channelCommands]);
}

/** Reads typed lines in order; a line that arrives while waiting for another event is not lost. */
class LineReader {
  readonly #interface;
  readonly #reader;
  #pending: Promise<IteratorResult<string>> | undefined;

  constructor(input: NodeJS.ReadableStream) {
    this.#interface = createInterface({ input, terminal: false });
    this.#reader = this.#interface[Symbol.asyncIterator]();
  }
  next(): Promise<IteratorResult<string>> {
    const line = this.#pending ?? this.#reader.next();
    this.#pending = undefined;
    return line;
  }
  /** The next line, or undefined if `other` resolves first. */
  async nextUnless(other: Promise<undefined>): Promise<IteratorResult<string> | undefined> {
    const line = await Promise.race([(this.#pending ??= this.#reader.next()), other]);
    if (line) this.#pending = undefined;
    return line;
  }
  close(): void {
    this.#interface.close();
  }
}

class PlainChat {
  readonly #options: PlainOptions;
  readonly #core: Core;
  /** The open channel. */
  #cid: string | undefined;
  /** The connection state printed last. */
  #linkStatus = "";
  readonly #printedNotices = new Set<string>();
  readonly #search: PlainSearch;
  /** Composers with attached files, by channel. */
  readonly #composers = new Map<string, Composer>();

  constructor(options: PlainOptions) {
    this.#options = options;
    this.#core = options.opened.core;
    this.#search = new PlainSearch({ ...options, core: this.#core });
  }

  /** Opens the requested channel, else says why not and opens the last one, else an unread one. */
  async openFirst(): Promise<void> {
    const { channel, channelType, print } = this.#options;
    if (channel !== undefined)
      try {
        return await this.#open(await findRequested(this.#core, channel, channelType));
      } catch (error) {
        print(`! ${errorWords(error)}`);
      }
    const state = this.#core.state();
    const candidates = [
      this.#core.remember<string>("channel"),
      channelsWithUnread(state, this.#options.now())[0]?.cid,
      listedChannels(state)[0]?.cid,
    ];
    const first = candidates.find((cid) => cid !== undefined && state.channels.has(cid));
    if (first !== undefined) await this.#open(first);
  }

  onMessage(event: NewMessage): void {
    const { print } = this.#options;
    const message = holdMessage(event.message, (user) => user);
    const cid = event.cid ?? message.cid;
    if (cid === undefined || message.user?.id === this.#core.userId) return;
    if (cid === this.#cid) {
      print(this.#asLine(message));
      this.#seen(cid);
    } else print(`${this.#title(cid)}: ${this.#asLine(message)}`);
  }

  /** Prints changes of the connection, and each notice once. */
  printStatus(): void {
    const { print, now } = this.#options;
    const { link, notices } = this.#core.state();
    const [text] = linkWords(link, now(), "parley login").states;
    const hasProblem = link.phase === "stopped" || link.cause !== undefined;
    const status = hasProblem ? `${link.cause} ${link.reason}` : `${link.phase}${link.catchingUp ? "+" : ""}`;
    if (status !== this.#linkStatus) {
      this.#linkStatus = status;
      print(`-- ${text} --`);
    }
    for (const { id, text, reason } of notices) {
      if (this.#printedNotices.has(id)) continue;
      this.#printedNotices.add(id);
      print(`! ${cleanLine(reason ? `${text}: ${blockedWhy(reason)}` : text)}`);
    }
  }

  /** Runs a typed line. */
  async submit(typed: string): Promise<"quit" | undefined> {
    const { print } = this.#options;
    const channelCommands = this.#entry()?.channel.config?.commands.map((each) => each.name) ?? [];
    const text = this.#expandWho(expandMute(resolvePlainAlias(typed, channelCommands)));
    const [name, ...args] = text.split(/\s+/);
    switch (name) {
      case "/quit":
        return "quit";
      case "/help":
        return void print(words.plain.help);
      case "/go": {
        const result = this.#search.resultAt(args.join(" "));
        return void (await (result ? this.#jumpTo(result) : this.#openByName(args.join(" "))));
      }
      case "/next":
        return void (await this.#openNextUnread());
      case "/dm":
        return void (await this.#openDirect(args.join(" ")));
      case "/who":
        return void (await this.#listPeople());
      case "/join":
        if (args.length > 0) return void (await this.#join(args.join(" "), channelCommands));
    }
    const list = LISTS.find((each) => text === `/${each}`);
    if (list !== undefined) return void (await this.#list(list));
    const cid = this.#cid;
    if (cid === undefined) return void print(words.plain.openFirst);
    if (name === "/files") return void (await this.#listFiles(cid));
    if (name === "/attach") return void (await this.#attach(splitWords(text).slice(1), cid));
    const line = this.#read(text, cid, channelCommands);
    if (line.kind === "unknown") print(`! ${unknownCommandText(line.name, channelCommands)}`);
    else if (line.kind === "fault") print(`! ${cleanLine(line.message)}`);
    else if (line.kind === "command") await this.#run(line, cid);
    else await this.#send(line.text, cid);
    return undefined;
  }

  #read(text: string, cid: string, channelCommands: readonly string[]): ReturnType<typeof readLine> {
    const context = {
      currentChannel: cid,
      channelType: this.#options.channelType,
      now: this.#options.now(),
      message: (which: Parameters<typeof newestDefault>[2]) =>
        newestDefault(this.#core.state(), { cid }, which, this.#core.userId)?.id,
      namesMessage: (word: string) => namesMessage(this.#core.state(), { cid }, word),
    };
    return readLine(text, context, channelCommands);
  }

  /** Opens the channel, after joining it if need be. */
  async #join(typed: string, channelCommands: readonly string[]): Promise<void> {
    const { cid, isOwn } = channelToJoin(this.#core.state(), typed, this.#options.channelType);
    const line = isOwn ? undefined : this.#read(`/channel join ${cid}`, cid, channelCommands);
    if (line?.kind === "fault") return this.#options.print(`! ${cleanLine(line.message)}`);
    if (line?.kind === "command") await this.#run(line, cid);
    await this.#open(cid);
  }

  #entry(): ChannelEntry | undefined {
    return this.#cid === undefined ? undefined : this.#core.state().channels.get(this.#cid);
  }

  #asLine(message: ClientMessage): string {
    const { utc, now } = this.#options;
    return spoken(message, { utc, now: now(), me: this.#core.userId });
  }

  #title(cid: string): string {
    const entry = this.#core.state().channels.get(cid);
    return entry ? channelTitle(entry, this.#core.userId) : cleanLine(cid);
  }

  async #open(cid: string): Promise<void> {
    const { print } = this.#options;
    if (this.#cid !== undefined) this.#core.left(this.#cid);
    this.#cid = cid;
    this.#core.keep("channel", cid);
    await this.#core.watchExisting(cid);
    print(`-- ${this.#title(cid)} --`);
    const set = shownSet(this.#core.state(), { cid });
    const length = set?.messages.length ?? 0;
    const last = set?.messages.slice(Math.max(0, length - OPENING_MESSAGES), length) ?? [];
    for (const message of last) print(this.#asLine(message));
    this.#seen(cid);
  }

  #seen(cid: string): void {
    if (!this.#options.readOnly) this.#core.seen(cid);
  }

  /** Opens the channel of a search result and prints the messages around it; for a reply those of its thread. */
  async #jumpTo({ id, cid, parent_id, show_in_channel }: Message): Promise<void> {
    const { print } = this.#options;
    if (cid !== this.#cid) await this.#open(cid);
    const inThread = parent_id !== undefined && !show_in_channel;
    const place = { cid, ...(inThread && { parentId: parent_id }) };
    await this.#core.jumpTo(place, id);
    const messages = [...(shownSet(this.#core.state(), place)?.messages ?? [])];
    const at = messages.findIndex((message) => message.id === id);
    for (const message of messages.slice(Math.max(0, at - JUMP_CONTEXT), at + JUMP_CONTEXT + 1))
      print(`${message.id === id ? ">" : " "} ${this.#asLine(message)}`);
  }

  async #openByName(name: string): Promise<void> {
    // Without an answer what is loaded is searched.
    await loadHiddenOnce(this.#core).catch(() => {});
    let to: { cid: string } | { userId: string } | undefined;
    const places = placeChoices(this.#core.state(), this.#cid, (place) => (to = place));
    filterChoices(places, name)[0]?.choose?.();
    if (to)
      await this.#open(
        "cid" in to ? to.cid : await this.#core.openDirect([to.userId], this.#options.channelType),
      );
    else this.#options.print(words.plain.noChannel);
  }

  /** `/dm @ana @bo hello` opens the direct channel, and sends what follows the names. */
  async #openDirect(args: string): Promise<void> {
    const { ids, text } = parseRecipients(this.#core.state(), args);
    if (ids.length === 0) return this.#options.print(`! ${words.plain.whom}`);
    const cid = await this.#core.openDirect(ids, this.#options.channelType);
    await this.#open(cid);
    if (text !== "") await this.#send(text, cid);
  }

  async #openNextUnread(): Promise<void> {
    const next = channelsWithUnread(this.#core.state(), this.#options.now()).find(
      ({ cid }) => cid !== this.#cid,
    );
    if (next) await this.#open(next.cid);
    else this.#options.print(words.notices.nothingNew);
  }

  /** `/who ana` shows that user, as on the screen. */
  #expandWho(text: string): string {
    const who = /^\/who\s+(\S.*)$/.exec(text.trim());
    if (!who) return text;
    const id = userIdOf(this.#core.state().users, who[1]!);
    // A quote would end the quoted argument.
    return `/user get "${id.replaceAll('"', "")}"`;
  }

  /** Prints the loaded members and the first page of the others; the rest is counted. */
  async #listPeople(): Promise<void> {
    const cid = this.#cid;
    if (cid === undefined) return;
    await this.#core.members(cid).page({ limit: QUERY_MEMBERS_LIMIT[1] });
    const entry = this.#core.state().channels.get(cid);
    if (!entry) return;
    for (const user of otherMembers(entry, undefined))
      this.#options.print(`${userName(user)}${user.online ? ", online" : ""}`);
    const more = entry.memberCount - entry.members.size;
    if (more > 0) this.#options.print(words.plain.moreMembers(more, cleanLine(cid)));
  }

  /** Prints the first page of a list. */
  async #list(list: ListName): Promise<void> {
    const { now, utc, print } = this.#options;
    const { threads, reminders, locations } = this.#core;
    if (list === "threads") await threads.load();
    if (list === "later") await reminders.load();
    const drafts = draftsByPlace(this.#core);
    const lists = {
      threads: threads.state(),
      reminders: reminders.state(),
      locations: locations.state(),
    };
    const screen = { ...emptyScreen(0, 0), drafts, cid: this.#cid };
    const entries = userLists[list].entries({ state: this.#core.state(), lists, screen, now: now() });
    for (const row of spokenEntries(entries, { now: now(), utc })) print(row);
    if (entries.length === 0) print(`${words.places[list]}: nothing.`);
  }

  async #run(line: CommandLine, cid: string): Promise<void> {
    const { print, utc } = this.#options;
    if (line.path === "search") return this.#search.run(searchLine(line.values), cid);
    const loaded = await loadLine(line);
    if (loaded.kind === "fault") return print(`! ${cleanLine(loaded.message)}`);
    const { question } = loaded;
    if (question && question.level !== "mild")
      return print(`! ${words.plain.needsYes(cleanLine(question.question))}`);
    const { views, word: message } = await runInChat(loaded, {
      ...this.#options,
      core: this.#core,
      currentChannel: cid,
      limit: MAX_ITEMS,
    });
    if (message) print(message);
    for (const row of viewLines(views, utc)) print(row);
    if (line.path === "channel leave" && line.values.channel === cid) this.#closeChannel(cid);
  }

  /** After leaving it no channel is open, so that nothing more is written there. */
  #closeChannel(cid: string): void {
    this.#core.left(cid);
    this.#cid = undefined;
    this.#options.print(words.plain.openFirst);
  }

  #composerOf(cid: string): Composer {
    return this.#composers.get(cid) ?? this.#core.composer({ cid }, { transient: true });
  }

  async #listFiles(cid: string): Promise<void> {
    const { print, utc } = this.#options;
    const { found: files } = await findFiles(this.#core, cid);
    const lines = fileLines(this.#entry()!, files);
    for (const { name, facts, from, at, url } of lines.slice(0, MAX_ITEMS))
      print([name, facts, from, wholeDate(at, { utc }), url].join(" · "));
    if (lines.length === 0) print(words.files.noneHere);
  }

  /** Uploads files now; they are sent with the next message of the channel. */
  async #attach(paths: readonly string[], cid: string): Promise<void> {
    const { print, disk } = this.#options;
    if (paths.length === 0) return print(words.files.which);
    const composer = this.#composerOf(cid);
    this.#composers.set(cid, composer);
    // One by one: if a file is refused, those before it stay attached.
    for (const file of await expandPaths(disk, paths)) {
      const [upload] = await composer.attach([file]);
      const { name, total, attachment } = upload!;
      print(`-- ${cleanLine(name)}, ${size(attachment.file_size ?? total)}, ${words.files.waiting} --`);
    }
  }

  /** Sends a message; mentions are looked up by name, because there is no completion list. */
  async #send(text: string, cid: string): Promise<void> {
    const { print, readOnly } = this.#options;
    if (readOnly) return print(`! ${words.readOnly.refused}`);
    const composer = this.#composerOf(cid);
    this.#composers.delete(cid);
    composer.typed(text, text.length);
    await composer.findMentions();
    const unmentioned = words.mentions.notMentioned(composer.mentions());
    if (unmentioned !== undefined) print(`! ${cleanLine(unmentioned)}`);
    void composer.send()?.outcome.then((outcome) => {
      if (outcome.state === "failed")
        print(`! ${words.message.failed}: ${cleanLine(reasonOf(outcome.error.message))}`);
      else if (outcome.state === "waiting") print(`! ${words.message.sending}: ${cleanLine(text)}`);
    });
  }
}

/** Connects, retrying on an empty line or when the connection changes; false if the user quits. */
async function connectWithRetry({ opened, print }: PlainOptions, lines: LineReader): Promise<boolean> {
  const { core } = opened;
  for (;;) {
    try {
      await opened.connect();
      return true;
    } catch (error) {
      // A known cause has been printed already, with a hint.
      if (core.state().link.cause === undefined) print(`! ${errorWords(error)} · ${words.link.again}`);
    }
    const online = Promise.withResolvers<undefined>();
    const unsubscribe = core.on("connection.changed", () => online.resolve(undefined));
    const line = await lines.nextUnless(online.promise);
    unsubscribe();
    if (line && (line.done || line.value.trim() === "/quit")) return false;
  }
}

/** Resolves with the exit code when input ends or `/quit` is typed. */
export async function runPlain(options: PlainOptions): Promise<number> {
  const { core } = options.opened;
  const chat = new PlainChat(options);
  const onMessage = (event: NewMessage): void => chat.onMessage(event);
  const unsubscribers = [
    core.on("message.new", onMessage),
    core.on("notification.message_new", onMessage),
    core.subscribe(() => chat.printStatus()),
  ];
  // Created before connecting, so that lines typed early are read in order.
  const lines = new LineReader(options.input);
  options.print(words.plain.begin);
  chat.printStatus();
  try {
    if (!(await connectWithRetry(options, lines))) return 0;
    await options.load();
    await chat.openFirst();
    for (;;) {
      const { value, done } = await lines.next();
      if (done) return 0;
      const { phase, cause } = core.state().link;
      if (phase === "stopped" || cause !== undefined) core.reconnect();
      if (value.trim() === "") continue;
      try {
        if ((await chat.submit(value.trim())) === "quit") return 0;
      } catch (error) {
        if ((error as { noticed?: boolean } | null)?.noticed) continue;
        options.print(`! ${errorWords(error)}`);
      }
    }
  } finally {
    for (const unsubscribe of unsubscribers) unsubscribe();
    lines.close();
  }
}
