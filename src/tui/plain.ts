/** The chat as lines: prints what happens, reads what is typed, never redraws (screen readers, tiny or dumb terminals; specification/screen.md §7). */
import { createInterface } from "node:readline";
import { readLine } from "../commands/line.ts";
import { runInChat } from "../commands/run-in-chat.ts";
import type { Opened } from "../open.ts";
import { cleanLine, clean } from "../text/sanitize.ts";
import { clock } from "../text/times.ts";
import { words } from "../text/words.ts";
import type { AnyEvent } from "../wire/events.ts";
import type { Message } from "../wire/message.ts";
import { timeToMs } from "../wire/time.ts";
import { viewLines } from "./views/composer/slash.ts";
import { mentionedIn } from "../model/mentions.ts";
import { filterChoices, gotoChoices } from "./views/popup/goto.ts";
import { linkWords } from "./views/status/link-words.ts";
import { channelTitle, listed, others, userName, waiting } from "../model/channels.ts";
import { shownSet } from "../model/select.ts";
import { reasonOf } from "../wire/errors.ts";

interface PlainOptions {
  opened: Opened;
  channelType: string;
  utc: boolean;
  channel?: string;
  input: NodeJS.ReadableStream;
  print(line: string): void;
  /** Queries the user's channels. */
  load(): Promise<void>;
  random(): string;
  now(): number;
}

/** Messages shown when a channel is opened. */
const BACKLOG = 10;
/** Items of a list that a command shows. */
const SHOWN = 50;
const HELP =
  "Type to send. /go NAME opens a channel, /next the next unread one, /who lists the members, /quit leaves; commands such as /react work as on the screen.";

/** A message as one line a reader can speak: who, when, what. */
export function spoken(message: Message, utc: boolean): string {
  const time = clock(timeToMs(message.created_at), { utc });
  const text = message.type === "deleted" ? words.message.deleted : clean(message.text).replace(/\n/g, " / ");
  const reply = message.parent_id ? ", in a thread" : "";
  const files = message.attachments?.length ? `, ${message.attachments.length} attached` : "";
  return `${time} ${userName(message.user)}${reply}${files}: ${text || words.message.empty}`;
}

/** Resolves with the exit code when input ends or `/quit` is typed. */
export async function runPlain(options: PlainOptions): Promise<number> {
  const { opened, print, utc } = options;
  const { core } = opened;
  let cid: string | undefined;
  let phase = "";
  const me = (): string | undefined => core.userId;
  const title = (id: string): string => {
    const entry = core.state().channels.get(id);
    return entry ? channelTitle(entry, me()) : cleanLine(id);
  };
  const open = async (next: string): Promise<void> => {
    if (cid !== undefined) core.left(cid);
    cid = next;
    core.keep("channel", next);
    await core.watch(next);
    print(`-- ${title(next)} --`);
    const set = shownSet(core.state(), { cid: next });
    const length = set?.messages.length ?? 0;
    for (const m of set?.messages.slice(Math.max(0, length - BACKLOG), length) ?? []) print(spoken(m, utc));
    core.seen(next);
  };
  const heard = (event: AnyEvent): void => {
    const message = (event as { message?: Message }).message;
    const from = event.cid ?? message?.cid;
    if (!message || from === undefined || message.user?.id === me()) return;
    if (from === cid) {
      print(spoken(message, utc));
      core.seen(from);
    } else print(`${title(from)}: ${spoken(message, utc)}`);
  };
  const told = new Set<string>();
  const looked = (): void => {
    const { link, notices } = core.state();
    const [say] = linkWords(link, options.now()).said;
    const trouble = link.phase === "stopped" || link.cause !== undefined;
    const at = trouble ? `${link.cause} ${link.reason}` : `${link.phase}${link.catchingUp ? "+" : ""}`;
    if (at !== phase) {
      phase = at;
      print(`-- ${say} --`);
    }
    for (const notice of notices)
      if (!told.has(notice.id)) {
        told.add(notice.id);
        print(`! ${cleanLine(notice.reason ? `${notice.text}: ${notice.reason}` : notice.text)}`);
      }
  };
  const stops = [
    core.on("message.new", heard),
    core.on("notification.message_new", heard),
    core.subscribe(looked),
  ];
  const submit = async (text: string): Promise<"quit" | undefined> => {
    const [name, ...rest] = text.split(/\s+/);
    if (name === "/quit") return "quit";
    if (name === "/help") return void print(HELP);
    if (name === "/go") {
      const choice = filterChoices(gotoChoices(core.state(), cid), rest.join(" "))[0];
      if (choice?.value.startsWith("channel:")) await open(choice.value.slice(8));
      else if (choice?.value.startsWith("user:"))
        await open(await core.openDirect([choice.value.slice(5)], options.channelType));
      else print("No such channel.");
      return;
    }
    if (name === "/next") {
      const next = waiting(core.state(), options.now()).find((e) => e.cid !== cid);
      if (next) await open(next.cid);
      else print(words.notices.nothingNew);
      return;
    }
    const entry = cid === undefined ? undefined : core.state().channels.get(cid);
    if (name === "/who") {
      for (const user of entry ? others(entry, undefined) : [])
        print(`${userName(user)}${user.online ? ", online" : ""}`);
      return;
    }
    if (cid === undefined) return void print("Open a channel first: /go NAME");
    const line = readLine(
      text,
      { here: cid, channelType: options.channelType, now: options.now() },
      entry?.channel.config?.commands.map((c) => c.name) ?? [],
    );
    if (line.kind === "fault") return void print(`! ${cleanLine(line.message)}`);
    if (line.kind === "command") {
      const question = line.command.confirm?.(line.values as never);
      if (question && question.level !== "mild")
        return void print(`! ${cleanLine(question.question)} Use the shell's --yes for that.`);
      const { views, word } = await runInChat(line, { core, here: cid, ...options, limit: SHOWN });
      if (word) print(word);
      for (const row of viewLines(views, utc)) print(row);
      return;
    }
    const people = entry ? others(entry, me()) : [];
    const mentions = mentionedIn(line.text, people);
    const { outcome } = core.send(
      { cid },
      { text: line.text, ...(mentions.length ? { mentionedUsers: mentions } : {}) },
    );
    void outcome.then((o) => {
      if (o.state === "failed") print(`! ${words.message.failed}: ${cleanLine(reasonOf(o.error.message))}`);
      else if (o.state === "waiting") print(`! ${words.message.sending}: ${cleanLine(line.text)}`);
    });
    return;
  };

  const lines = createInterface({ input: options.input, terminal: false });
  print("Parley. /help lists what can be typed.");
  looked();
  // Listening begins before the network: lines typed early wait in order.
  const reader = lines[Symbol.asyncIterator]();
  /** A line that was waited for while the connection came about. */
  let early: Promise<IteratorResult<string>> | undefined;
  const next = (): Promise<IteratorResult<string>> => {
    const line = early ?? reader.next();
    early = undefined;
    return line;
  };
  /** False when whoever was asked has left; an empty line tries again, a sign-in elsewhere is noticed. */
  const connected = async (): Promise<boolean> => {
    for (;;) {
      try {
        await opened.connect();
        return true;
      } catch (error) {
        // Named trouble has been said already, with what helps.
        if (core.state().link.cause === undefined)
          print(
            `! ${cleanLine(error instanceof Error ? error.message : String(error))} · ${words.link.again}`,
          );
      }
      const online = Promise.withResolvers<undefined>();
      const stop = core.on("connection.changed", () => online.resolve(undefined));
      const line = await Promise.race([(early ??= reader.next()), online.promise]);
      stop();
      if (!line) continue;
      early = undefined;
      if (line.done || line.value.trim() === "/quit") return false;
    }
  };
  try {
    if (!(await connected())) return 0;
    await options.load();
    const wish = [
      options.channel,
      core.remember<string>("channel"),
      waiting(core.state(), options.now())[0]?.cid,
      listed(core.state())[0]?.cid,
    ];
    const first = wish.find((c) => c !== undefined && core.state().channels.has(c));
    if (first !== undefined) await open(first);
    for (;;) {
      const { value, done } = await next();
      if (done) return 0;
      const { phase: now, cause } = core.state().link;
      if (now === "stopped" || cause !== undefined) core.reconnect();
      if (value.trim() === "") continue;
      try {
        if ((await submit(value.trim())) === "quit") return 0;
      } catch (error) {
        if ((error as { noticed?: boolean } | null)?.noticed) continue;
        print(`! ${cleanLine(error instanceof Error ? error.message : String(error))}`);
      }
    }
  } finally {
    for (const stop of stops) stop();
    lines.close();
  }
}
