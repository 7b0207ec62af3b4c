/** The poll of a composer: its form, and sending it as a poll and then a message that carries it (R-POLL-14, -17). */
import { createObservable, type Observable, type ObservableValue } from "../base/observable.ts";
import type { Notice } from "../../model/state.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import { LocalError } from "../../model/errors.ts";
import {
  canCreatePoll,
  emptyPollForm,
  firstPollError,
  nextPollForm,
  pollFieldError,
  pollPayload,
  type PollForm,
  type PollInput,
} from "../../model/poll-form.ts";
import type { Services } from "../http/services.ts";

/** What the user does, without the ids that the reducer needs. */
type WithoutIds<T> = T extends { blankId: string } ? Omit<T, "blankId"> : T;
type PollEdit = WithoutIds<Exclude<PollInput, { type: "judge" }>>;

interface PollState {
  form: PollForm;
  /** A poll is being made: a second create is refused meanwhile. */
  creating: boolean;
}

interface PollDeps extends Pick<Services, "call" | "random" | "userId"> {
  /** Queues the message that carries the poll and leaves the text, its draft and its typing alone; its id. */
  sendPoll(pollId: string): string;
  notify(notice: Pick<Notice, "level" | "text"> & Partial<Notice>): void;
}

const ORIGIN = "poll";

export class PollComposer implements Observable<PollState> {
  readonly #deps: PollDeps;
  readonly #held: ObservableValue<PollState>;
  #submitted: string | undefined;

  constructor(deps: PollDeps) {
    this.#deps = deps;
    this.#held = createObservable(stateOf(this.#blank()));
  }

  readonly state = (): PollState => this.#held.state();
  readonly subscribe = (listener: () => void): (() => void) => this.#held.subscribe(listener);

  edit(what: PollEdit): void {
    const { form, creating } = this.state();
    const blank = /option/i.test(what.type) ? { blankId: this.#deps.random.uuid() } : {};
    const next = nextPollForm(form, { ...what, ...blank } as PollInput);
    if (next !== form) this.#held.set(stateOf(next, creating));
  }

  /** The form as at the beginning, with new ids. */
  reset(): void {
    this.#held.set(stateOf(this.#blank()));
  }

  /** The id of the message that carries the poll; undefined when it was refused (a notice says why, the form stays). */
  async create(): Promise<string | undefined> {
    if (this.state().creating) return undefined;
    const form = nextPollForm(this.state().form, { type: "judge" });
    if (!canCreatePoll(form)) {
      this.#held.set(stateOf(form));
      this.#refused(firstPollError(form)!);
      return undefined;
    }
    this.#held.set(stateOf(form, true));
    try {
      const id = this.#deps.sendPoll((await this.#make(form)).id);
      this.reset();
      return id;
    } catch (error) {
      // Whether it was made may be unknown: the next try makes a poll of its own. What was typed meanwhile stays.
      this.#held.set(stateOf({ ...this.state().form, id: this.#deps.random.uuid() }));
      this.#refused("The poll could not be created", error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /**
   * Makes a poll that was filled in elsewhere; the next send carries it. Throws `LocalError` with the sentence of the
   * first field that is wrong, before any request, and what the call throws.
   */
  async submit(form: PollForm): Promise<Poll> {
    const wrong = pollFieldError(form);
    if (wrong !== undefined) throw new LocalError(wrong);
    const poll = await this.#make(form);
    this.#submitted = poll.id;
    return poll;
  }

  /** The poll that the next send carries. */
  get submitted(): string | undefined {
    return this.#submitted;
  }

  /** It has been sent. */
  sent(): void {
    this.#submitted = undefined;
  }

  async #make(form: PollForm): Promise<Poll> {
    const { call, userId } = this.#deps;
    return (await call("createPoll", { body: { ...pollPayload(form), user_id: userId() ?? form.user_id } }))
      .poll;
  }

  #refused(text: string, reason?: string): void {
    this.#deps.notify({ level: "error", text, ...(reason !== undefined && { reason }), origin: ORIGIN });
  }

  #blank(): PollForm {
    const { random, userId } = this.#deps;
    return emptyPollForm({ poll: random.uuid(), option: random.uuid(), user: userId() ?? "" });
  }
}

const stateOf = (form: PollForm, creating = false): PollState => ({
  form,
  creating,
});
