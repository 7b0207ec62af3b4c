/** The sort orders of lists of campaigns and segments. */
import type { Sort } from "../../../wire/entities/query.ts";
import type { ArgRow } from "../define-command.ts";

const SORTS: Readonly<Record<string, Sort>> = {
  newest: [{ field: "created_at", direction: -1 }],
  oldest: [{ field: "created_at", direction: 1 }],
  name: [{ field: "name", direction: 1 }],
};

export const SORT = {
  kind: "choice",
  choices: ["newest", "oldest", "name"],
  help: "Sort order (default: newest)",
} as const satisfies ArgRow;

/** Empty for the provider's default order. */
export const sortedBy = (sort: string | undefined): { sort?: Sort } =>
  sort === undefined ? {} : { sort: SORTS[sort]! };
