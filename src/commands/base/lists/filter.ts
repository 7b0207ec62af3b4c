/** Reads filters given as JSON text. */
import type { Filter } from "../../../wire/entities/query.ts";
import { readJsonObject } from "../json.ts";

/** Throws `CommandError` (usage) when the text is not a JSON object. */
export const readFilter = (text: string): Filter =>
  readJsonObject(text, "--filter", '{"frozen":true}') as Filter;
