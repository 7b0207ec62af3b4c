/** Reads a poll from a YAML or JSON file and checks it before any request. */
import { filledPollForm, type PollFields, type PollForm } from "../../model/poll-form.ts";
import { CommandError, type Args, type Call } from "../base/define-command.ts";
import { readObjectFile } from "../base/json.ts";
import { checkedPoll } from "./form.ts";
import { isObject } from "../../wire/json-object.ts";

const FLAGS = ["enforce_unique_vote", "allow_answers", "allow_user_suggested_options"] as const;
/** Options may be plain texts; unknown keys become custom fields. Throws `CommandError` (rejected). */
export async function readPoll(
  call: Pick<Call<Args>, "input" | "localFile" | "core" | "random">,
  file: string,
): Promise<PollForm> {
  const fields = fieldsOf(await readObjectFile(call, file), (words) => {
    throw new CommandError("rejected", `${file}: ${words}`);
  });
  return checkedPoll(filledPollForm(fields, call.core.userId ?? "", () => call.random()));
}

function fieldsOf(poll: Record<string, unknown>, refuse: (words: string) => never): PollFields {
  const {
    id,
    name,
    description,
    options,
    max_votes_allowed: maxVotes,
    voting_visibility: visibility,
    ...rest
  } = poll;
  const text = (value: unknown, key: string): string =>
    typeof value === "string" || typeof value === "number" ? String(value) : refuse(`${key} must be a text.`);
  if (options !== undefined && !Array.isArray(options)) refuse("options must be a list.");
  if (visibility !== undefined && visibility !== "public" && visibility !== "anonymous")
    refuse("voting_visibility must be public or anonymous.");
  const flags: PollFields = {};
  for (const key of FLAGS) {
    const value = rest[key];
    delete rest[key];
    if (value === undefined || value === null) continue;
    flags[key] = typeof value === "boolean" ? value : refuse(`${key} must be true or false.`);
  }
  return {
    ...flags,
    ...(id !== undefined && { id: text(id, "id") }),
    ...(name !== undefined && { name: text(name, "name") }),
    ...(description !== undefined && { description: text(description, "description") }),
    ...(maxVotes !== undefined &&
      maxVotes !== null && { max_votes_allowed: text(maxVotes, "max_votes_allowed") }),
    ...(visibility !== undefined && { voting_visibility: visibility }),
    ...(Object.keys(rest).length > 0 && { custom: rest }),
    options: ((options ?? []) as unknown[]).map((option) => {
      if (!isObject(option)) return text(option, "An option");
      const { id: optionId, text: words, ...custom } = option;
      return {
        ...(optionId !== undefined && { id: text(optionId, "The id of an option") }),
        text: text(words, "The text of an option"),
        ...(Object.keys(custom).length > 0 && { custom }),
      };
    }),
  };
}
