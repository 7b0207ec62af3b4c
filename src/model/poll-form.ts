/** The poll form as plain data with a reducer: fields, errors and payload (specification/polls.md §6, R-POLL-1…16). */
import { POLL_MAX_OPTIONS, POLL_MAX_VOTES_ALLOWED, POLL_MIN_VOTES_ALLOWED } from "../wire/constants.ts";
import type { BodyOf } from "../wire/endpoints/index.ts";

const QUESTION_REQUIRED = "Question is required";
const OPTION_EMPTY = "Option is empty";
const OPTION_EXISTS = "Option already exists";
const ONLY_NUMBERS = "Only numbers are allowed";
const OUT_OF_RANGE = `Type a number from ${POLL_MIN_VOTES_ALLOWED} to ${POLL_MAX_VOTES_ALLOWED}`;
const UNIQUE_VOTE_ENABLED = "Enforce unique vote is enabled";
/** The only error that belongs to no field (R-POLL-13); the wording is not from the specification. */
export const NO_OPTION = "A poll needs an option";

interface PollFormOption {
  id: string;
  text: string;
  /** Custom fields from a file. */
  custom?: Readonly<Record<string, unknown>>;
}

interface PollErrors {
  name?: string;
  max_votes_allowed?: string;
  /** Option id → text. */
  options: Readonly<Record<string, string>>;
}

export interface PollForm {
  id: string;
  user_id: string;
  name: string;
  description: string;
  options: readonly PollFormOption[];
  enforce_unique_vote: boolean;
  /** As typed. */
  max_votes_allowed: string;
  allow_answers: boolean;
  allow_user_suggested_options: boolean;
  voting_visibility: "public" | "anonymous";
  custom?: Readonly<Record<string, unknown>>;
  errors: PollErrors;
}

/** A complete poll, as from a script or a file. */
export interface PollFields extends Partial<
  Pick<PollForm, "id" | "name" | "description" | "max_votes_allowed" | "voting_visibility" | "custom">
> {
  options?: readonly (string | (Omit<PollFormOption, "id"> & { id?: string }))[];
  enforce_unique_vote?: boolean;
  allow_answers?: boolean;
  allow_user_suggested_options?: boolean;
}

/** An input to the form. `blankId` is the id for the blank option that an edit may add (R-POLL-10). */
export type PollInput =
  | { type: "name"; value: string }
  | { type: "description"; value: string }
  | { type: "option"; id: string; text: string; blankId: string }
  | { type: "removeOption"; id: string; blankId: string }
  /** Moves an option by one; nothing happens at the ends. */
  | { type: "moveOption"; id: string; by: 1 | -1; blankId: string }
  | { type: "maxVotes"; value: string }
  | { type: "uniqueVote"; on: boolean }
  | { type: "answers"; on: boolean }
  | { type: "suggestions"; on: boolean }
  | { type: "visibility"; value: PollForm["voting_visibility"] }
  /** Validates every field, before the poll is created (R-POLL-16). */
  | { type: "judge" };

export function emptyPollForm(ids: { poll: string; option: string; user: string }): PollForm {
  return {
    id: ids.poll,
    user_id: ids.user,
    name: "",
    description: "",
    options: [{ id: ids.option, text: "" }],
    enforce_unique_vote: false,
    max_votes_allowed: "",
    allow_answers: false,
    allow_user_suggested_options: false,
    voting_visibility: "public",
    errors: { options: {} },
  };
}

/** A filled form, not validated yet. `newId` returns a new UUID. */
export function filledPollForm(fields: PollFields, user: string, newId: () => string): PollForm {
  const { options = [], id, ...rest } = fields;
  return {
    ...emptyPollForm({ poll: id ?? newId(), option: "", user }),
    ...rest,
    options: options.map((option) => ({
      id: newId(),
      ...(typeof option === "string" ? { text: option } : option),
    })),
  };
}

const isBlank = (text: string): boolean => text.trim() === "";
/** R-POLL-3: options with the same key are duplicates. */
const optionKey = (text: string): string => text.trim().toLowerCase();

/** R-POLL-1. */
const nameProblem = (name: string): string | undefined => (isBlank(name) ? QUESTION_REQUIRED : undefined);

/** R-POLL-2, R-POLL-3: option id → its first error. */
function optionProblems(options: readonly PollFormOption[]): Record<string, string> {
  const problems: Record<string, string> = {};
  const seen = new Set<string>();
  for (const [at, { id, text }] of options.entries()) {
    if (isBlank(text)) {
      if (at < options.length - 1) problems[id] = OPTION_EMPTY;
      continue;
    }
    if (seen.has(optionKey(text))) problems[id] = OPTION_EXISTS;
    seen.add(optionKey(text));
  }
  return problems;
}

/** R-POLL-4…8: the first error. A leading zero is out of range. */
function maxVotesProblem(value: string, unique: boolean): string | undefined {
  if (value === "") return undefined;
  if (!/^\d+$/.test(value)) return ONLY_NUMBERS;
  const number = value.startsWith("0") ? 0 : Number(value);
  if (number < POLL_MIN_VOTES_ALLOWED || number > POLL_MAX_VOTES_ALLOWED) return OUT_OF_RANGE;
  return unique ? UNIQUE_VOTE_ENABLED : undefined;
}

/** R-POLL-10…12: one blank option at the end while there is room, never two. */
function withBlankOption(options: readonly PollFormOption[], blankId: string): readonly PollFormOption[] {
  let next = options;
  while (next.length > 1 && isBlank(next.at(-1)!.text) && isBlank(next.at(-2)!.text))
    next = next.slice(0, -1);
  if (next.length < POLL_MAX_OPTIONS && !next.some(({ text }) => isBlank(text)))
    next = [...next, { id: blankId, text: "" }];
  return next;
}

function withErrors(
  form: PollForm,
  change: { [K in keyof PollErrors]?: PollErrors[K] | undefined },
): PollForm {
  const errors: Record<string, unknown> = { ...form.errors, ...change };
  for (const key of Object.keys(errors)) if (errors[key] === undefined) delete errors[key];
  return { ...form, errors: errors as unknown as PollErrors };
}

function withOptions(form: PollForm, options: readonly PollFormOption[], blankId: string): PollForm {
  const next = withBlankOption(options, blankId);
  return withErrors({ ...form, options: next }, { options: optionProblems(next) });
}

/** The reducer of the form; an unknown option changes nothing. */
export function nextPollForm(form: PollForm, input: PollInput): PollForm {
  switch (input.type) {
    case "name":
      return withErrors({ ...form, name: input.value }, { name: nameProblem(input.value) });
    case "description":
      return { ...form, description: input.value };
    case "option": {
      if (!form.options.some(({ id }) => id === input.id)) return form;
      const options = form.options.map((each) =>
        each.id === input.id ? { ...each, text: input.text } : each,
      );
      return withOptions(form, options, input.blankId);
    }
    case "removeOption": {
      const options = form.options.filter(({ id }) => id !== input.id);
      return options.length === form.options.length ? form : withOptions(form, options, input.blankId);
    }
    case "moveOption": {
      const at = form.options.findIndex(({ id }) => id === input.id);
      const [moved, other] = [form.options[at], form.options[at + input.by]];
      // The blank option stays at the end.
      if (!moved || !other || isBlank(moved.text) || isBlank(other.text)) return form;
      return withOptions(form, form.options.with(at, other).with(at + input.by, moved), input.blankId);
    }
    case "maxVotes": {
      const problem = maxVotesProblem(input.value, form.enforce_unique_vote);
      return withErrors({ ...form, max_votes_allowed: input.value }, { max_votes_allowed: problem });
    }
    case "uniqueVote":
      // R-POLL-9: on clears the number and its error, off changes nothing else.
      if (!input.on) return { ...form, enforce_unique_vote: false };
      return withErrors(
        { ...form, enforce_unique_vote: true, max_votes_allowed: "" },
        { max_votes_allowed: undefined },
      );
    case "answers":
      return { ...form, allow_answers: input.on };
    case "suggestions":
      return { ...form, allow_user_suggested_options: input.on };
    case "visibility":
      return { ...form, voting_visibility: input.value };
    case "judge":
      return withErrors(form, {
        name: nameProblem(form.name),
        options: optionProblems(form.options),
        max_votes_allowed: maxVotesProblem(form.max_votes_allowed, form.enforce_unique_vote),
      });
  }
}

/** R-POLL-13. */
export function canCreatePoll(form: PollForm): boolean {
  const { errors } = form;
  return (
    form.options.some(({ text }) => !isBlank(text)) &&
    !isBlank(form.name) &&
    maxVotesProblem(form.max_votes_allowed, form.enforce_unique_vote) === undefined &&
    Object.keys(optionProblems(form.options)).length === 0 &&
    errors.name === undefined &&
    errors.max_votes_allowed === undefined &&
    Object.keys(errors.options).length === 0
  );
}

/** The first error of a field: name, options from top to bottom, max votes. */
export function pollFieldError(form: PollForm): string | undefined {
  const { name, options, max_votes_allowed } = nextPollForm(form, { type: "judge" }).errors;
  const option = form.options.map(({ id }) => options[id]).find((text) => text !== undefined);
  return name ?? option ?? max_votes_allowed;
}

/** R-POLL-14: the first error that prevents creating the poll. */
export function firstPollError(form: PollForm): string | undefined {
  const first = pollFieldError(form);
  if (first !== undefined || form.options.some(({ text }) => !isBlank(text))) return first;
  return NO_OPTION;
}

/** R-POLL-15: the body of `POST /polls`. */
export function pollPayload(form: PollForm): BodyOf<"createPoll"> {
  const description = form.description.trim();
  return {
    ...form.custom,
    id: form.id,
    name: form.name.trim(),
    ...(description !== "" && { description }),
    options: form.options
      .filter(({ text }) => !isBlank(text))
      .map(({ id, text, custom }) => ({ ...custom, id, text: text.trim() })),
    enforce_unique_vote: form.enforce_unique_vote,
    ...(form.max_votes_allowed !== "" && { max_votes_allowed: Number(form.max_votes_allowed) }),
    allow_answers: form.allow_answers,
    allow_user_suggested_options: form.allow_user_suggested_options,
    voting_visibility: form.voting_visibility,
    user_id: form.user_id,
  };
}
