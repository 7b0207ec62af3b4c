/** Input errors, with the invalid fields (code 4, specification/errors.md §6). */
import { ApiProblem } from "./handler.ts";

/** Input error about one field; `sentence` is for people, when the field's name would not help them. */
export function invalidField(field: string, problem: string, sentence = `${field} ${problem}`): ApiProblem {
  return ApiProblem.input(sentence, { fields: { [field]: problem } });
}

/** Throws an input error with all `fields`, if any; the first becomes the message. */
export function refuseProblems(fields: Record<string, string>): void {
  const [first] = Object.entries(fields);
  if (first) throw ApiProblem.input(`${first[0]} ${first[1]}`, { fields });
}
