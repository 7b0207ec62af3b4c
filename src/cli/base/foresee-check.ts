/** What the checks of a dry run are given, and how they refuse. */
import { CommandError } from "../../commands/base/define-command.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import type { Calls } from "./foresee-kinds.ts";
import type { PlannedArgs } from "./foresee-needs.ts";
import type { Fields } from "../../wire/json-object.ts";

/** A call that the dry run has planned before. */
export type PlannedCall = PlannedArgs & { name: EndpointName };

/** Throws what the provider would refuse; what only a part would fail by is given back. */
export type StateCheck = (
  core: Calls,
  asked: PlannedArgs & { path: Record<string, string>; body: Fields },
  planned: readonly PlannedCall[],
) => Promise<CommandError | void> | CommandError | void;

export const rejected = (message: string): CommandError => new CommandError("rejected", message);
export const missing = (message: string): CommandError => new CommandError("notFound", message);
