/** What a poll and its options may be (polls.md §3): checks of creation, full and partial updates alike. */
import {
  CUSTOM_DATA_LIMIT,
  POLL_MAX_OPTIONS,
  POLL_MAX_VOTES_ALLOWED,
  POLL_TEXT_LIMIT,
} from "../../../wire/constants.ts";
import { POISONED_KEYS } from "../../../wire/custom.ts";
import type { PollOption } from "../../../wire/poll.ts";
import type { Call } from "../../handler.ts";
import { Check, checkCustom, isObject, jsonBytes, type Fields } from "../asked/check.ts";
import type { PollData } from "./rows.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
/** Kept by the provider, never written by callers. */
export const MANAGED = words(`id user user_id created_by created_by_id created_at updated_at vote_count
  vote_counts_by_option latest_votes_by_option answers_count latest_answers own_votes cid duration`);
const WRITTEN = words(`name description options voting_visibility enforce_unique_vote max_votes_allowed
  allow_user_suggested_options allow_answers is_closed`);

/** Options are told apart without case and outer spaces. */
const sameText = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

/** One option; `taken` are the others of the poll. `id` is made when none is given. */
export function readOption(
  call: Call,
  check: Check,
  source: Fields,
  taken: readonly PollOption[],
): PollOption {
  const text = check.need("text", POLL_TEXT_LIMIT);
  const id = check.id("id") ?? call.uuid();
  if (text.trim() !== "" && taken.some((one) => sameText(one.text, text)))
    check.fail("text", "is there already");
  if (taken.some((one) => one.id === id)) check.fail("id", "must be a text of its own");
  const custom = Object.fromEntries(
    Object.entries(source).filter(([key]) => key !== "user" && key !== "user_id" && !POISONED_KEYS.has(key)),
  );
  return { ...custom, id, text };
}

/** Custom fields of options count with those of the poll (polls.md §2). */
export function checkSize(check: Check, custom: Fields, options: readonly PollOption[]): void {
  checkCustom(check, custom, CUSTOM_DATA_LIMIT);
  const sizes = [custom, ...options.map(({ id: _id, text: _text, ...rest }) => rest)].map((one) =>
    Object.keys(one).length === 0 ? 0 : jsonBytes(one),
  );
  if (sizes.reduce((sum, size) => sum + size, 0) > CUSTOM_DATA_LIMIT)
    check.fail("custom", `custom data must be at most ${CUSTOM_DATA_LIMIT} bytes`);
}

function readOptions(call: Call, check: Check): PollOption[] {
  const read: PollOption[] = [];
  for (const [i, one] of (check.list("options", POLL_MAX_OPTIONS) ?? []).entries()) {
    if (!isObject(one)) check.fail(`options.${i}`, "must be an object");
    else read.push(readOption(call, check.within(one, `options.${i}`), one, read));
  }
  return read;
}

export const customOfPoll = (source: Fields): Fields =>
  Object.fromEntries(Object.entries(source).filter(([key]) => !MANAGED.has(key) && !WRITTEN.has(key)));

/** A whole poll; what is absent has its default. */
export function readPoll(call: Call, source: Fields, prefix = ""): { data: PollData; closed: boolean } {
  const check = new Check(source, prefix);
  const name = check.need("name", POLL_TEXT_LIMIT);
  const visibility = check.id("voting_visibility") ?? "public";
  if (visibility !== "public" && visibility !== "anonymous")
    check.fail("voting_visibility", "must be public or anonymous");
  const unique = check.flag("enforce_unique_vote") ?? false;
  const max = check.whole("max_votes_allowed", 1, POLL_MAX_VOTES_ALLOWED);
  if (unique && max !== undefined)
    check.fail("max_votes_allowed", "cannot be given together with enforce_unique_vote");
  const custom = customOfPoll(source);
  const options = readOptions(call, check);
  checkSize(check, custom, options);
  const data: PollData & Fields = {
    ...custom,
    name,
    description: check.text("description") ?? "",
    options,
    voting_visibility: visibility as PollData["voting_visibility"],
    enforce_unique_vote: unique,
    ...(max === undefined ? {} : { max_votes_allowed: max }),
    allow_user_suggested_options: check.flag("allow_user_suggested_options") ?? false,
    allow_answers: check.flag("allow_answers") ?? false,
  };
  const closed = check.flag("is_closed") ?? false;
  check.done();
  return { data, closed };
}
