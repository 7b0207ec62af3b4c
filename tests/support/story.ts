/** The actions of users in a seeded story and the results they must have; shared by simulated and real networks. */
import type { Core } from "../../src/core/core.ts";
import type { ClientMessage } from "../../src/model/state.ts";
import type { Evidence, SentMessage } from "./checker.ts";
import type { Dice } from "./seeded.ts";

const REACTIONS = ["like", "love", "wow"];

/** One action as data, so that a story can be stored and replayed without random choices. `pick` = relative position in the held list, 0 ≤ pick < 1. */
export type Act =
  | { do: "send" | "burst" | "seen" | "read" | "draft" | "older"; cid: string }
  /** `nth`: index of the thread. */
  | { do: "reply" | "thread"; nth: number }
  | { do: "edit" | "unread"; cid: string; pick: number }
  | { do: "remove"; cid: string; pick: number; hard: boolean }
  | { do: "react"; cid: string; pick: number; type: string };

/** A client that acts; its core changes after a crash. */
export interface Actor {
  readonly name: string;
  readonly userId: string;
  core: Core;
  /** Channel → text that the user typed last, and when. */
  readonly drafts: Map<string, { text: string; at: number }>;
}

/** `all`: every kind of action. `marks`: mostly marking read and unread. */
export type Mix = "all" | "marks";

export function chooseAct(random: Dice, cids: readonly string[], threads: number, mix: Mix = "all"): Act {
  if (mix === "marks" && !random.chance(0.45)) return chooseMark(random, cids.slice(0, 2));
  const roll = random.below(100);
  const cid = random.pick(cids);
  const pick = random.below(1000) / 1000;
  const nth = random.below(threads);
  if (roll < 38) return { do: "send", cid };
  if (roll < 48) return { do: "reply", nth };
  if (roll < 53) return { do: "burst", cid };
  if (roll < 61) return { do: "edit", cid, pick };
  if (roll < 65) return { do: "remove", cid, pick, hard: random.chance(0.3) };
  if (roll < 77) return { do: "react", cid, pick, type: random.pick(REACTIONS) };
  if (roll < 85) return { do: "seen", cid };
  if (roll < 88) return { do: "read", cid };
  if (roll < 92) return { do: "draft", cid };
  if (roll < 96) return { do: "older", cid };
  return { do: "thread", nth };
}

function chooseMark(random: Dice, cids: readonly string[]): Act {
  const roll = random.below(55);
  const cid = random.pick(cids);
  const pick = random.below(1000) / 1000;
  if (roll < 20) return { do: "seen", cid };
  if (roll < 30) return { do: "read", cid };
  if (roll < 40) return { do: "send", cid };
  if (roll < 47) return { do: "remove", cid, pick, hard: random.chance(0.4) };
  return { do: "unread", cid, pick };
}

export class Story {
  readonly sent: SentMessage[] = [];
  readonly edits = new Map<string, string[]>();
  readonly finalTexts = new Map<string, string>();
  readonly destroyed = new Set<string>();
  readonly threads: { cid: string; parentId: string }[] = [];
  readonly incidents: string[] = [];
  /** Number of messages in a burst. */
  readonly #burst: number;
  /** Monotonic time in milliseconds. */
  readonly #now: () => number;
  readonly #editors = new Map<string, string>();
  #n = 0;

  constructor(burst: number, now: () => number) {
    this.#burst = burst;
    this.#now = now;
  }

  /** Sends the message that starts a thread. */
  async root(core: Core, userId: string, cid: string): Promise<void> {
    const text = `root ${cid}`;
    const { id, outcome } = core.send({ cid }, { text });
    this.sent.push({ id, cid, text, userId, by: "maker", outcome: "received" });
    this.threads.push({ cid, parentId: id });
    await outcome;
  }

  get evidence(): Pick<
    Evidence,
    "sent" | "edits" | "finalTexts" | "destroyed" | "threads" | "incidents" | "totals"
  > {
    const { sent, edits, finalTexts, destroyed, threads, incidents } = this;
    return { sent, edits, finalTexts, destroyed, threads, incidents, totals: true };
  }

  /** Stops checking this client's last edits after a crash: an earlier request of it may still arrive late and overwrite them. */
  forgetEdits(name: string): void {
    for (const id of this.finalTexts.keys()) if (this.#editors.get(id) === name) this.finalTexts.delete(id);
  }

  send(client: Actor, place: { cid: string; parentId?: string }): void {
    const text = `${client.name} ${++this.#n}`;
    const { id, outcome } = client.core.send(place, { text });
    // Sending clears the draft of its channel or thread (specification/drafts.md §4).
    if (place.parentId === undefined) client.drafts.delete(place.cid);
    const sent: SentMessage = { id, ...place, text, userId: client.userId, by: client.name };
    this.sent.push(sent);
    void outcome.then((result) => (sent.outcome = result.state));
  }

  /** A received message that the client holds, if any. */
  #held(
    client: Actor,
    { cid, pick }: { cid: string; pick: number },
    own: boolean,
  ): ClientMessage | undefined {
    const entry = client.core.state().channels.get(cid);
    const list = [...(entry?.sets.find((set) => set.isLatest)?.messages ?? [])].filter(
      (one) =>
        (one.status ?? "received") === "received" &&
        one.type !== "deleted" &&
        (!own || one.user.id === client.userId) &&
        !this.threads.some(({ parentId }) => parentId === one.id),
    );
    return list[Math.floor(pick * list.length)];
  }

  act(client: Actor, act: Act): void {
    const { core } = client;
    const quietly = (promise: Promise<unknown>): void => void promise.catch(() => undefined);
    switch (act.do) {
      case "send":
        return this.send(client, { cid: act.cid });
      case "burst":
        for (let n = 0; n < this.#burst; n++) this.send(client, { cid: act.cid });
        return;
      case "reply":
        return this.send(client, this.threads[act.nth]!);
      case "edit":
        return this.#edit(client, this.#held(client, act, true));
      case "remove":
        return this.#remove(client, this.#held(client, act, true), act.hard);
      case "react": {
        const message = this.#held(client, act, false);
        if (!message) return;
        const mine = message.own_reactions.some((one) => one.type === act.type);
        return quietly(mine ? core.unreact(message, act.type) : core.react(message, act.type));
      }
      case "seen":
        return core.seen(act.cid);
      case "read":
        return quietly(core.markRead(act.cid));
      case "unread": {
        const message = this.#held(client, act, false);
        return message && quietly(core.markUnread(act.cid, message.id));
      }
      case "draft": {
        const text = `draft ${++this.#n}`;
        const box = core.composer({ cid: act.cid });
        box.open();
        box.typed(text, text.length);
        client.drafts.set(act.cid, { text, at: this.#now() });
        return;
      }
      case "older":
        return quietly(core.loadOlder({ cid: act.cid }));
      case "thread": {
        const thread = this.threads[act.nth]!;
        if (core.state().channels.has(thread.cid)) quietly(core.openThread(thread.cid, thread.parentId));
      }
    }
  }

  #edit(client: Actor, message: ClientMessage | undefined): void {
    if (!message) return;
    const text = `${message.id} edited ${++this.#n}`;
    this.edits.set(message.id, [...(this.edits.get(message.id) ?? []), text]);
    const alone = (this.#editors.get(message.id) ?? client.name) === client.name;
    this.#editors.set(message.id, alone ? client.name : "several");
    this.finalTexts.delete(message.id);
    void client.core.edit(message, { text }).then(
      () => {
        const last = this.edits.get(message.id)!.at(-1) === text;
        if (last && this.#editors.get(message.id) === client.name) this.finalTexts.set(message.id, text);
      },
      () => undefined,
    );
  }

  #remove(client: Actor, message: ClientMessage | undefined, hard: boolean): void {
    if (!message) return;
    this.finalTexts.delete(message.id);
    this.#editors.set(message.id, "several");
    if (hard) this.destroyed.add(message.id);
    void client.core.remove(message, { hard }).catch(() => undefined);
  }
}
