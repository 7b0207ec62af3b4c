/** The poll of a composer: its form, and creating the poll and the message that contains it (R-POLL-14, -17). */
import { createObservable, type Observable, type ObservableValue } from "../base/observable.ts";
import type { Notice } from "../../model/state.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import { errorMessage, LocalError } from "../../model/errors.ts";
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
import { isPlaceholder } from "../../wire/reading.ts";
import type { Services } from "../http/services.ts";

/** An edit by the user, without the ids that the reducer needs. */
type WithoutIds<T> = T extends { blankId: string } ? Omit<T, "blankId"> : T;
type PollEdit = WithoutIds<Exclude<PollInput, { type: "judge" }>>;

interface PollState {
  form: PollForm;
  /** A poll is being created: a second `create` is refused. */
  creating: boolean;
}

interface PollDeps extends Pick<Services, "call" | "random" | "userId"> {
  /** Rejects if no message could be sent from here. */
  beforeCreate(): Promise<unknown>;
  /** Queues the message with the poll without touching the draft; returns its id. */
  sendPoll(pollId: string): string;
  notify(notice: Pick<Notice, "level" | "text"> & Partial<Notice>): void;
}

const ORIGIN = "poll";

export class PollComposer implements Observable<PollState> {
  readonly #deps: PollDeps;
  readonly #observable: ObservableValue<PollState>;
  #submitted: string | undefined;

  constructor(deps: PollDeps) {
    this.#deps = deps;
    this.#observable = createObservable(stateOf(this.#emptyForm()));
  }

  readonly state = (): PollState => this.#observable.state();
  readonly subscribe = (listener: () => void): (() => void) => this.#observable.subscribe(listener);

  edit(input: PollEdit): void {
    const { form, creating } = this.state();
    const blank = /option/i.test(input.type) ? { blankId: this.#deps.random.uuid() } : {};
    const next = nextPollForm(form, { ...input, ...blank } as PollInput);
    if (next !== form) this.#observable.set(stateOf(next, creating));
  }

  /** Empties the form, with new ids. */
  reset(): void {
    this.#observable.set(stateOf(this.#emptyForm()));
  }

  /** Creates the poll; returns the id of its message, or undefined when it was refused (a notice has the reason, the form stays). */
  async create(): Promise<string | undefined> {
    if (this.state().creating) return undefined;
    const form = nextPollForm(this.state().form, { type: "judge" });
    if (!canCreatePoll(form)) {
      this.#observable.set(stateOf(form));
      this.#notifyError(firstPollError(form)!);
      return undefined;
    }
    this.#observable.set(stateOf(form, true));
    try {
      await this.#deps.beforeCreate();
      const id = this.#deps.sendPoll((await this.#createPoll(form)).id);
      this.reset();
      return id;
    } catch (error) {
      // The poll may have been created: the next try uses a new id. Changes of the form meanwhile stay.
      this.#observable.set(stateOf({ ...this.state().form, id: this.#deps.random.uuid() }));
      this.#notifyError("The poll could not be created", errorMessage(error));
      return undefined;
    }
  }

  /**
   * Creates a poll from a form filled in elsewhere, for the next send. Throws `LocalError` for the first invalid field,
   * before any request, and the errors of the call.
   */
  async submit(form: PollForm): Promise<Poll> {
    const wrong = pollFieldError(form);
    if (wrong !== undefined) throw new LocalError(wrong);
    const poll = await this.#createPoll(form);
    this.#submitted = poll.id;
    return poll;
  }

  get submitted(): string | undefined {
    return this.#submitted;
  }

  sent(): void {
    this.#submitted = undefined;
  }

  async #createPoll(form: PollForm): Promise<Poll> {
    const { call, userId } = this.#deps;
    const body = { ...pollPayload(form), user_id: userId() ?? form.user_id };
    const { poll } = await call("createPoll", { body });
    // The answer may lack the poll, whose id is ours.
    return isPlaceholder(poll) ? { ...poll, id: form.id } : poll;
  }

  #notifyError(text: string, reason?: string): void {
    this.#deps.notify({ level: "error", text, ...(reason !== undefined && { reason }), origin: ORIGIN });
  }

  #emptyForm(): PollForm {
    const { random, userId } = this.#deps;
    return emptyPollForm({ poll: random.uuid(), option: random.uuid(), user: userId() ?? "" });
  }
}

const stateOf = (form: PollForm, creating = false): PollState => ({
  form,
  creating,
});
