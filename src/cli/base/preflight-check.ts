/** The type of a dry-run check, and the errors it throws. */
import { CommandError } from "../../commands/base/define-command.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import type { PreflightCore } from "./preflight-kinds.ts";
import type { PlannedArgs } from "./preflight-needs.ts";
import type { Fields } from "../../wire/json-object.ts";

export type PlannedCall = PlannedArgs & { name: EndpointName };

/** Throws the error that the provider would answer; returns one that would affect only some of several items. */
export type StateCheck = (
  core: PreflightCore,
  call: PlannedArgs & { path: Record<string, string>; body: Fields },
  planned: readonly PlannedCall[],
) => Promise<CommandError | void> | CommandError | void;

export const rejected = (message: string): CommandError => new CommandError("rejected", message);
export const missing = (message: string): CommandError => new CommandError("notFound", message);
