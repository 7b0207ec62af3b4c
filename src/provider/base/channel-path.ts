/** Reads the channel from the path parameters of a route. */
import { channelIdProblem, channelTypeProblem, makeCid } from "../../wire/ids.ts";
import { ApiProblem } from "./handler.ts";

/** The cid of a path. Throws code 4 with the texts of R-ID for a bad type or id. */
export function cidOfPath({ type = "", id = "" }: Record<string, string>): string {
  const fields: Record<string, string> = {};
  const typeProblem = channelTypeProblem(type);
  const idProblem = channelIdProblem(id);
  if (typeProblem) fields.type = typeProblem;
  if (idProblem) fields.id = idProblem;
  const first = typeProblem ?? idProblem;
  if (first) throw ApiProblem.input(first, { fields });
  return makeCid(type, id);
}
