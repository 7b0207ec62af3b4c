/** Checks polls and their options beyond the types of their fields (specification/polls.md §3), for creation and updates. */
import { POISONED_KEY_PROBLEM, POISONED_KEYS } from "../../../../wire/ids.ts";
import { poll, type pollOption } from "../../../../wire/bodies/polls.ts";
import { CUSTOM_DATA_LIMIT } from "../../../../wire/constants.ts";
import type { Values } from "../../../../wire/entities/fields.ts";
import type { PollOption } from "../../../../wire/entities/poll.ts";
import type { RouteCall } from "../../../base/handler.ts";
import { jsonBytes, type BodyReader, type Fields } from "../../validation/check.ts";
import type { PollData } from "../storage/rows.ts";

/** Whether the provider manages this field, so that no partial update may name it. */
export const isManaged = (key: string): boolean =>
  Object.hasOwn(poll, key) && poll[key as keyof typeof poll].kind === "ignored";

/** Texts of options are compared ignoring case and outer spaces. */
const sameText = (text: string, otherText: string): boolean =>
  text.trim().toLowerCase() === otherText.trim().toLowerCase();

type OptionInput = Values<typeof pollOption>;

/** Checks an option; `taken` are the other options of the poll. Creates an `id` when none is given. */
export function newOption(
  call: RouteCall,
  check: BodyReader,
  { text, id: requestedId, custom }: Pick<OptionInput, "id" | "text" | "custom">,
  taken: readonly PollOption[],
): PollOption {
  const id = requestedId ?? call.uuid();
  if (text.trim() !== "" && taken.some((option) => sameText(option.text, text)))
    check.fail("text", "is there already");
  if (POISONED_KEYS.has(id)) check.fail("id", POISONED_KEY_PROBLEM);
  if (taken.some((option) => option.id === id)) check.fail("id", "must be a text of its own");
  return { ...custom, id, text };
}

/** Checks the size of the custom fields of poll and options together (specification/polls.md §2). */
export function checkSize(check: BodyReader, custom: Fields, options: readonly PollOption[]): void {
  const sizes = [custom, ...options.map(({ id: _id, text: _text, ...rest }) => rest)].map((entry) =>
    Object.keys(entry).length === 0 ? 0 : jsonBytes(entry),
  );
  if (sizes.reduce((sum, size) => sum + size, 0) > CUSTOM_DATA_LIMIT)
    check.fail("custom", `custom data must be at most ${CUSTOM_DATA_LIMIT} bytes`);
}

export const customOfPoll = (data: Fields): Fields =>
  Object.fromEntries(Object.entries(data).filter(([key]) => !Object.hasOwn(poll, key)));

function newOptions(call: RouteCall, check: BodyReader, inputs: readonly OptionInput[]): PollOption[] {
  const options: PollOption[] = [];
  for (const [i, input] of inputs.entries())
    options.push(newOption(call, check.within({}, `options.${i}`), input, options));
  return options;
}

/** Checks a whole poll; absent fields get their defaults. */
export function newPoll(
  call: RouteCall,
  check: BodyReader,
  input: Values<typeof poll>,
): { data: PollData; closed: boolean } {
  const { name, description, max_votes_allowed: max, custom } = input;
  if (input.enforce_unique_vote && max !== undefined)
    check.fail("max_votes_allowed", "cannot be given together with enforce_unique_vote");
  const options = newOptions(call, check, input.options ?? []);
  checkSize(check, custom, options);
  const data: PollData & Fields = {
    ...custom,
    name,
    description: description ?? "",
    options,
    voting_visibility: input.voting_visibility ?? "public",
    enforce_unique_vote: input.enforce_unique_vote ?? false,
    ...(max === undefined ? {} : { max_votes_allowed: max }),
    allow_user_suggested_options: input.allow_user_suggested_options ?? false,
    allow_answers: input.allow_answers ?? false,
  };
  check.done();
  return { data, closed: input.is_closed ?? false };
}
