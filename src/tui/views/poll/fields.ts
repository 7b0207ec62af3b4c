/** The fields of the poll form with their labels, values and edits. */
import type { PollComposer } from "../../../core/composer/poll.ts";
import type { PollForm } from "../../../model/poll-form.ts";
import { words } from "../../../text/words.ts";

type PollEdit = Parameters<PollComposer["edit"]>[0];

export type PollField = { key: string; label: string } & (
  | { kind: "text"; text: string; error?: string | undefined; change: (text: string) => PollEdit }
  | { kind: "switch"; on: boolean; change: (on: boolean) => PollEdit }
  | { kind: "button" }
);

const OPTION = "option ";

/** The option id of an option field. */
export const optionIdOf = (key: string): string | undefined =>
  key.startsWith(OPTION) ? key.slice(OPTION.length) : undefined;

const labels = words.poll.form;

const optionFields = ({ options, errors }: PollForm): PollField[] =>
  options.map(({ id, text }, i) => ({
    kind: "text",
    key: `${OPTION}${id}`,
    label: labels.option(i + 1),
    text,
    error: errors.options[id],
    change: (value) => ({ type: "option", id, text: value }),
  }));

const switchFields = (form: PollForm): PollField[] => [
  {
    kind: "switch",
    key: "one",
    label: labels.one,
    on: form.enforce_unique_vote,
    change: (on) => ({ type: "uniqueVote", on }),
  },
  {
    kind: "text",
    key: "most",
    label: labels.most,
    text: form.max_votes_allowed,
    error: form.errors.max_votes_allowed,
    change: (value) => ({ type: "maxVotes", value }),
  },
  {
    kind: "switch",
    key: "anonymous",
    label: labels.anonymous,
    on: form.voting_visibility === "anonymous",
    change: (on) => ({ type: "visibility", value: on ? "anonymous" : "public" }),
  },
  {
    kind: "switch",
    key: "suggestions",
    label: labels.suggestions,
    on: form.allow_user_suggested_options,
    change: (on) => ({ type: "suggestions", on }),
  },
  {
    kind: "switch",
    key: "comments",
    label: labels.comments,
    on: form.allow_answers,
    change: (on) => ({ type: "answers", on }),
  },
];

export function pollFormFields(form: PollForm): readonly [PollField, ...PollField[]] {
  return [
    {
      kind: "text",
      key: "question",
      label: labels.question,
      text: form.name,
      error: form.errors.name,
      change: (value) => ({ type: "name", value }),
    },
    {
      kind: "text",
      key: "about",
      label: labels.about,
      text: form.description,
      change: (value) => ({ type: "description", value }),
    },
    ...optionFields(form),
    ...switchFields(form),
    { kind: "button", key: "yesNo", label: labels.yesNo },
    { kind: "button", key: "dates", label: labels.dates },
    { kind: "button", key: "create", label: labels.create },
  ];
}

/** The field of this key; if it is gone, the first one. */
export const fieldAt = (form: PollForm, key: string): PollField =>
  pollFormFields(form).find((field) => field.key === key) ?? pollFormFields(form)[0];
