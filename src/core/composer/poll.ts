/** The poll of a composer: the form, and creating it, which is a poll made first and a message that carries it (R-POLL-14, -17). */
import type { BodyOf } from "../../wire/endpoints/index.ts";
import { createObservable } from "../base/observable.ts";
import type { Observable } from "../base/observable.ts";
import type { ApiCall } from "../http/caller.ts";
import type { Random } from "../base/ports.ts";
import type { Notice } from "../../model/state.ts";
import { canCreatePoll, emptyPollForm, firstPollError, nextPollForm, pollPayload } from "./poll-form.ts";
import type { PollForm, PollInput } from "./poll-form.ts";

/** What the user does, without the ids that the reducer needs. */
type WithoutIds<T> = T extends { blankId: string } ? Omit<T, "blankId"> : T;
export type PollEdit = WithoutIds<Exclude<PollInput, { type: "judge" }>>;

export interface PollState {
  form: PollForm;
  /** R-POLL-13. */
  canCreate: boolean;
  /** A poll is being made: a second create is refused meanwhile. */
  creating: boolean;
}

export interface PollComposer extends Observable<PollState> {
  edit(what: PollEdit): void;
  /** The form as at the beginning, with new ids. */
  reset(): void;
  /** The id of the message that carries the poll; undefined when it was refused (a notice says why, the form stays). */
  create(): Promise<string | undefined>;
}

export interface PollDeps {
  call: ApiCall;
  random: Random;
  userId(): string | undefined;
  /** Queues the message that carries the poll and leaves the text, its draft and its typing alone; its id. */
  sendPoll(pollId: string): string;
  notify(notice: Pick<Notice, "level" | "text"> & Partial<Notice>): void;
}

const ORIGIN = "poll";

export function createPollComposer(deps: PollDeps): PollComposer {
  const { random } = deps;
  const blank = (): PollForm =>
    emptyPollForm({ poll: random.uuid(), option: random.uuid(), user: deps.userId() ?? "" });
  const stateOf = (form: PollForm, creating = false): PollState => ({
    form,
    canCreate: canCreatePoll(form),
    creating,
  });
  const cell = createObservable<PollState>(stateOf(blank()));

  return {
    state: cell.state,
    subscribe: cell.subscribe,
    edit(what) {
      const { form, creating } = cell.state();
      const ids = what.type === "option" || what.type === "removeOption" ? { blankId: random.uuid() } : {};
      const next = nextPollForm(form, { ...what, ...ids } as PollInput);
      if (next !== form) cell.set(stateOf(next, creating));
    },
    reset: () => cell.set(stateOf(blank())),
    async create() {
      if (cell.state().creating) return undefined;
      const form = nextPollForm(cell.state().form, { type: "judge" });
      if (!canCreatePoll(form)) {
        cell.set(stateOf(form));
        deps.notify({ level: "error", text: firstPollError(form)!, origin: ORIGIN });
        return undefined;
      }
      cell.set(stateOf(form, true));
      const body: BodyOf<"createPoll"> = { ...pollPayload(form), user_id: deps.userId() ?? form.user_id };
      try {
        const { poll } = await deps.call("createPoll", { body });
        const id = deps.sendPoll(poll.id);
        cell.set(stateOf(blank()));
        return id;
      } catch (error) {
        // Whether it was made may be unknown: the next try makes a poll of its own. What was typed meanwhile stays.
        cell.set(stateOf({ ...cell.state().form, id: random.uuid() }));
        const reason = error instanceof Error ? error.message : String(error);
        deps.notify({ level: "error", text: "The poll could not be created", reason, origin: ORIGIN });
        return undefined;
      }
    },
  };
}
