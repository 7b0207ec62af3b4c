/** Refusals of what callers send, each with the fields that are wrong (code 4, specification/errors.md §6). */
import { ApiProblem } from "./handler.ts";

/** Input error about one field; `sentence` is for people, where the field's name would tell them nothing. */
export function invalidField(field: string, problem: string, sentence = `${field} ${problem}`): ApiProblem {
  return ApiProblem.input(sentence, { fields: { [field]: problem } });
}

/** Refuses with everything found; the first is the message. */
export function refuseProblems(fields: Record<string, string>): void {
  const [first] = Object.entries(fields);
  if (first) throw ApiProblem.input(`${first[0]} ${first[1]}`, { fields });
}
