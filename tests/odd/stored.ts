/** What an odd service has stored, and how often it took each change as new: messages, replies, reactions, polls, read marks and files. */
import type { Message } from "../../src/wire/entities/message.ts";
import { at, msg, user } from "../core/state/world.ts";

type Json = Record<string, unknown>;

/** The answer to a change, and the events that tell it to everybody. */
export interface Changed {
  status?: number;
  /** The error code of a refusal. */
  code?: number;
  answer: Json;
  events?: Json[];
}
const refused = (status: number, code: number): Changed => ({ status, code, answer: {} });
const ABSENT = refused(404, 16);

export class Stored {
  readonly messages = new Map<string, Message>();
  readonly polls = new Map<string, Json>();
  /** Times that a change was taken as new: of a message by its id, of a poll by its id. */
  readonly taken = new Map<string, number>();
  /** Channels in the order in which they were marked read. */
  readonly reads: string[] = [];
  /** Addresses of the files. */
  readonly files: string[] = [];
  readonly #now: () => string;
  #seconds = 100;

  /** `now`: milliseconds; no two things happen at the same time. */
  constructor(now: () => number) {
    let last = 0;
    this.#now = () => new Date((last = Math.max(now(), last + 1))).toISOString();
  }

  /** A message of somebody else. */
  said(cid: string): Json[] {
    return this.#add(msg(++this.#seconds, { cid }));
  }

  send(cid: string, sent: Json): Changed {
    const id = String(sent.id);
    if (this.messages.has(id)) return refused(400, 4);
    const parent = sent.parent_id === undefined ? {} : { parent_id: String(sent.parent_id), type: "reply" };
    const message = { ...msg(++this.#seconds, { cid }), ...parent, id, text: String(sent.text) } as Message;
    const poll = this.polls.get(String(sent.poll_id));
    const attachments = (sent.attachments ?? []) as Message["attachments"];
    this.#take(id);
    const events = this.#add({
      ...message,
      attachments,
      user: user("mira"),
      ...(poll && { poll_id: String(poll.id), poll: poll as never }),
    });
    return { status: 201, answer: { message: this.messages.get(id) }, events };
  }

  edit(id: string, { set = {}, unset = [] }: { set?: Json; unset?: string[] }): Changed {
    return this.#change(id, "message.updated", (message) => {
      const next: Json = { ...message, ...set };
      for (const key of unset) delete next[key];
      return next as never;
    });
  }

  remove(id: string): Changed {
    const gone = { type: "deleted" as const, text: "", deleted_at: this.#now() };
    return this.#change(id, "message.deleted", (message) => ({ ...message, ...gone }));
  }

  react(id: string, type: string): Changed {
    const reaction = {
      type,
      user_id: "mira",
      user: user("mira"),
      message_id: id,
      score: 1,
      created_at: at(1),
      updated_at: at(1),
    };
    return this.#change(id, "reaction.new", (message) => withReactions(message, type, [reaction]), {
      reaction,
    });
  }

  unreact(id: string, type: string): Changed {
    const reaction = this.messages.get(id)?.latest_reactions.find((one) => one.type === type);
    if (!reaction) return ABSENT;
    return this.#change(id, "reaction.deleted", (message) => withReactions(message, type, []), { reaction });
  }

  makePoll(body: Json): Changed {
    const id = String(body.id);
    if (this.polls.has(id)) return refused(400, 4);
    this.#take(id);
    const times = { created_at: this.#now(), updated_at: this.#now() };
    const counts = { vote_count: 0, answers_count: 0, vote_counts_by_option: {}, latest_votes_by_option: {} };
    const lists = { latest_answers: [], own_votes: [] };
    const poll = { ...body, ...times, ...counts, ...lists, created_by_id: "mira", created_by: user("mira") };
    this.polls.set(id, poll);
    return { status: 201, answer: { poll } };
  }

  markRead(cid: string): Changed {
    this.reads.push(cid);
    const event = { type: "message.read", cid, created_at: this.#now(), user: user("mira") };
    return { answer: { event }, events: [event] };
  }

  upload(): Changed {
    const file = `https://cdn.example.org/f${this.files.length + 1}?sig=x`;
    this.files.push(file);
    return { status: 201, answer: { file, duration: "1ms" } };
  }

  #take(id: string): void {
    this.taken.set(id, (this.taken.get(id) ?? 0) + 1);
  }

  #add(message: Message): Json[] {
    const created_at = this.#now();
    const stored = { ...message, created_at, updated_at: created_at };
    this.messages.set(stored.id, stored);
    const { cid, user: by } = stored;
    return [{ type: "message.new", cid, created_at, user: by, message: stored }];
  }

  #change(id: string, type: string, next: (message: Message) => Message, more: Json = {}): Changed {
    const before = this.messages.get(id);
    if (!before) return ABSENT;
    const message = { ...next(before), updated_at: this.#now() };
    this.messages.set(id, message);
    const created_at = message.updated_at;
    return {
      answer: { message, ...more },
      events: [
        {
          type,
          cid: message.cid,
          created_at,
          user: user("mira"),
          message: { ...message, own_reactions: [] },
          ...more,
        },
      ],
    };
  }
}

function withReactions(message: Message, type: string, own: Message["own_reactions"]): Message {
  const rest = message.latest_reactions.filter((one) => one.type !== type);
  const reactions = [...own, ...rest];
  const counts = Object.fromEntries(reactions.map((one) => [one.type, 1]));
  const group = { count: 1, sum_scores: 1, first_reaction_at: at(1), last_reaction_at: at(1) };
  const groups = Object.fromEntries(reactions.map((one) => [one.type, group]));
  return {
    ...message,
    latest_reactions: reactions,
    own_reactions: reactions,
    reaction_counts: counts,
    reaction_scores: counts,
    reaction_groups: groups,
  };
}
