/** The load of the soak: a steady mix of messages, edits, reactions, deletions, reads and searches over HTTP. */
import type { Home } from "../support/home.ts";

export const PEOPLE = ["ana", "bob", "cy", "dee"] as const;
export const CHANNELS = ["general", "ops", "random"] as const;

/** The most recent existing messages of one channel that are edited or reacted to, oldest first, at most this many. */
const REMEMBERED = 200;
const WORDS = "the build is green and nobody broke it yet so lunch then deploy at noon maybe".split(" ");

export class Load {
  readonly #home: Home;
  readonly #ids = new Map<string, string[]>();
  sent = 0;
  #turn = 0;

  constructor(home: Home) {
    this.#home = home;
  }

  /** One round: a message, and every few rounds something else, all through the public routes. */
  async step(): Promise<void> {
    const turn = this.#turn++;
    const user = PEOPLE[turn % PEOPLE.length]!;
    const channel = CHANNELS[turn % CHANNELS.length]!;
    await this.#say(channel, user, turn);
    if (turn % 3 === 0) await this.#event(channel, user, "typing.start");
    if (turn % 4 === 1) await this.#react(channel, user, turn);
    if (turn % 7 === 2) await this.#edit(channel, user, turn);
    if (turn % 5 === 3) await this.#call("POST", `/channels/messaging/${channel}/read`, {}, user);
    if (turn % 11 === 4) await this.#reply(channel, user);
    if (turn % 13 === 5) await this.#delete(channel, user);
    if (turn % 17 === 6) await this.#search(user, turn);
    if (turn % 19 === 7) await this.#query(channel, user);
  }

  #call(method: string, route: string, body?: unknown, user?: string): Promise<unknown> {
    return this.#home.call(method, route, body, user);
  }
  #held(channel: string): string[] {
    const held = this.#ids.get(channel) ?? [];
    this.#ids.set(channel, held);
    return held;
  }
  async #say(channel: string, user: string, turn: number): Promise<void> {
    const text = Array.from({ length: 12 }, (_, n) => WORDS[(turn * 7 + n * 5) % WORDS.length]).join(" ");
    const { message } = await this.#home.say(`messaging:${channel}`, user, { text: `${turn}: ${text}` });
    const held = this.#held(channel);
    held.push(message.id as string);
    if (held.length > REMEMBERED) held.shift();
    this.sent++;
  }
  async #event(channel: string, user: string, type: string): Promise<void> {
    await this.#call("POST", `/channels/messaging/${channel}/event`, { event: { type } }, user);
  }
  async #react(channel: string, user: string, turn: number): Promise<void> {
    const held = this.#held(channel);
    const id = held[turn % held.length];
    await this.#call("POST", `/messages/${id}/reaction`, { reaction: { type: "like" } }, user);
  }
  async #edit(channel: string, user: string, turn: number): Promise<void> {
    const id = this.#held(channel).at(-1);
    await this.#call("PUT", `/messages/${id}`, { set: { text: `${turn}: edited once more` } }, user);
  }
  async #reply(channel: string, user: string): Promise<void> {
    const parent_id = this.#held(channel).at(-1);
    await this.#home.say(`messaging:${channel}`, user, { text: "in the thread", parent_id });
    this.sent++;
  }
  async #delete(channel: string, user: string): Promise<void> {
    const id = this.#held(channel).shift();
    if (id) await this.#call("DELETE", `/messages/${id}`, undefined, undefined);
    void user;
  }
  async #search(user: string, turn: number): Promise<void> {
    const payload = {
      filter_conditions: { members: { $in: [user] } },
      query: WORDS[turn % WORDS.length],
      limit: 10,
    };
    await this.#call(
      "GET",
      `/search?payload=${encodeURIComponent(JSON.stringify(payload))}`,
      undefined,
      user,
    );
  }
  async #query(channel: string, user: string): Promise<void> {
    const body = { state: true, messages: { limit: 30 } };
    await this.#call("POST", `/channels/messaging/${channel}/query`, body, user);
  }
}
