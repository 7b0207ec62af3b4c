/** Decides for each person of an audience whether they receive the message, and why not. */
import type { User } from "../../../wire/entities/user.ts";
import { fetchUsers, type AudienceCall } from "./people.ts";
import type { TargetList, Target } from "./targets.ts";

/** Reason why somebody is left out. */
export type Exclusion =
  | "unknown"
  | "deleted"
  | "deactivated"
  | "sender"
  | "opted_out"
  | "received"
  | "waiting"
  | "unproved";

export interface Person {
  id: string;
  user?: User;
  columns?: Record<string, unknown>;
  exclusion?: Exclusion;
}

interface ExclusionRules {
  /** Id of the sender, who receives nothing. */
  sender: string;
  optedOut: ReadonlySet<string>;
  received: ReadonlySet<string>;
  /** A run is about to send it to them. */
  waiting: ReadonlySet<string>;
  /** They may have received it. */
  unproved: ReadonlySet<string>;
}

export function exclusionOf(
  id: string,
  user: User | undefined,
  rules: ExclusionRules,
): Exclusion | undefined {
  if (rules.received.has(id)) return "received";
  if (rules.waiting.has(id)) return "waiting";
  if (rules.unproved.has(id)) return "unproved";
  if (rules.optedOut.has(id)) return "opted_out";
  if (user === undefined) return "unknown";
  if (user.deleted_at) return "deleted";
  if (user.deactivated_at) return "deactivated";
  return id === rules.sender ? "sender" : undefined;
}

export async function surveyOf(
  call: AudienceCall,
  { targets }: TargetList,
  rules: ExclusionRules,
): Promise<Person[]> {
  const users = await fetchUsers(
    call,
    targets.map(({ id }) => id),
  );
  return targets.map(({ id, columns }: Target) => {
    const user = users.get(id);
    const exclusion = exclusionOf(id, user, rules);
    return { id, ...(user && { user }), ...(columns && { columns }), ...(exclusion && { exclusion }) };
  });
}

/** Without columns of the file, which the provider does not have. */
export const withoutColumns = ({ columns: _columns, ...person }: Person): Person => person;

export const columnsOf = (people: readonly Person[]): Set<string> =>
  new Set(people.flatMap(({ columns }) => Object.keys(columns ?? {})));
