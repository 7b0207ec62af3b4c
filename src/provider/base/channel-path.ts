/** Reads the channel out of a route's path. */
import { channelIdProblem, channelTypeProblem, makeCid } from "../../wire/ids.ts";
import { ApiProblem } from "./handler.ts";

/** The cid of a path; a bad type or id → code 4 with the texts of R-ID. */
export function cidOfPath({ type = "", id = "" }: Record<string, string>): string {
  const fields: Record<string, string> = {};
  const ofType = channelTypeProblem(type);
  const ofId = channelIdProblem(id);
  if (ofType) fields.type = ofType;
  if (ofId) fields.id = ofId;
  const first = ofType ?? ofId;
  if (first) throw ApiProblem.input(first, { fields });
  return makeCid(type, id);
}
