/** What people do in a seeded story, and what was promised to them for it: the same for simulated and for real networks. */
import type { Client } from "../../src/core/client.ts";
import type { Message } from "../../src/wire/message.ts";
import type { Evidence, SentMessage } from "./checker.ts";
import type { Dice } from "./seeded.ts";

const REACTIONS = ["like", "love", "wow"];

/** Somebody who acts; the core changes when the program has crashed. */
export interface Actor {
  readonly name: string;
  readonly userId: string;
  core: Client;
  /** Channel → text that the user typed last, and when. */
  readonly drafts: Map<string, { text: string; at: number }>;
}

export class Story {
  readonly sent: SentMessage[] = [];
  readonly edits = new Map<string, string[]>();
  readonly finalTexts = new Map<string, string>();
  readonly destroyed = new Set<string>();
  readonly threads: { cid: string; parentId: string }[] = [];
  readonly incidents: string[] = [];
  readonly #dice: Dice;
  readonly #cids: readonly string[];
  /** Messages of a burst. */
  readonly #burst: number;
  /** Monotonic milliseconds. */
  readonly #now: () => number;
  readonly #editors = new Map<string, string>();
  #n = 0;

  constructor(random: Dice, cids: readonly string[], burst: number, now: () => number) {
    this.#dice = random;
    this.#cids = cids;
    this.#burst = burst;
    this.#now = now;
  }

  /** A message that replies will hang on. */
  async root(core: Client, userId: string, cid: string): Promise<void> {
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

  send(client: Actor, place: { cid: string; parentId?: string }): void {
    const text = `${client.name} ${++this.#n}`;
    const { id, outcome } = client.core.send(place, { text });
    // Sending takes the draft of its place away (decisions 24).
    if (place.parentId === undefined) client.drafts.delete(place.cid);
    const sent: SentMessage = { id, ...place, text, userId: client.userId, by: client.name };
    this.sent.push(sent);
    void outcome.then((result) => (sent.outcome = result.state));
  }

  /** A message the client holds as received, or none. */
  #held(client: Actor, own: boolean): Message | undefined {
    const entry = client.core.state().channels.get(this.#dice.pick(this.#cids));
    const list = [...(entry?.sets.find((set) => set.isLatest)?.messages ?? [])].filter(
      (one) =>
        (one.status ?? "received") === "received" &&
        one.type !== "deleted" &&
        (!own || one.user.id === client.userId) &&
        !this.threads.some(({ parentId }) => parentId === one.id),
    );
    return list.length ? this.#dice.pick(list) : undefined;
  }

  act(client: Actor): void {
    const roll = this.#dice.below(100);
    const { core } = client;
    const cid = this.#dice.pick(this.#cids);
    const quietly = (promise: Promise<unknown>): void => void promise.catch(() => undefined);
    if (roll < 38) return this.send(client, { cid });
    if (roll < 48) return this.send(client, this.#dice.pick(this.threads));
    if (roll < 53) {
      for (let n = 0; n < this.#burst; n++) this.send(client, { cid });
      return;
    }
    if (roll < 61) {
      const message = this.#held(client, true);
      if (!message) return;
      const text = `${message.id} edited ${++this.#n}`;
      this.edits.set(message.id, [...(this.edits.get(message.id) ?? []), text]);
      const alone = (this.#editors.get(message.id) ?? client.name) === client.name;
      this.#editors.set(message.id, alone ? client.name : "several");
      this.finalTexts.delete(message.id);
      void core.edit(message, { text }).then(
        () => {
          const last = this.edits.get(message.id)!.at(-1) === text;
          if (last && this.#editors.get(message.id) === client.name) this.finalTexts.set(message.id, text);
        },
        () => undefined,
      );
      return;
    }
    if (roll < 65) {
      const message = this.#held(client, true);
      if (!message) return;
      this.finalTexts.delete(message.id);
      this.#editors.set(message.id, "several");
      const hard = this.#dice.chance(0.3);
      if (hard) this.destroyed.add(message.id);
      return quietly(core.remove(message, { hard }));
    }
    if (roll < 77) {
      const message = this.#held(client, false);
      if (!message) return;
      const type = this.#dice.pick(REACTIONS);
      const mine = message.own_reactions.some((one) => one.type === type);
      return quietly(mine ? core.unreact(message, type) : core.react(message, type));
    }
    if (roll < 85) return core.seen(cid);
    if (roll < 88) return quietly(core.markRead(cid));
    if (roll < 92) {
      const text = `draft ${++this.#n}`;
      // A composer shows what is there before it is changed.
      core.draft({ cid });
      core.saveDraft({ cid, text });
      client.drafts.set(cid, { text, at: this.#now() });
      return;
    }
    if (roll < 96) return quietly(core.loadOlder({ cid }));
    const thread = this.#dice.pick(this.threads);
    if (core.state().channels.has(thread.cid)) quietly(core.openThread(thread.cid, thread.parentId));
  }
}
