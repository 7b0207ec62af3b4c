/** The plan of a dry run: the writes that would be made. */
import type { EndpointName } from "../../wire/endpoints/index.ts";

/** A write as a dry run shows it. */
export interface PlannedCall {
  operation: string;
  method: string;
  path: string;
  body?: unknown;
  needsSecret: boolean;
  /** The provider was asked: it would accept the call, after those planned before it. */
  checked: boolean;
}

/** Thrown in place of a write in a dry run; a command with several writes continues after it. */
export class Plan extends Error {
  readonly plan: PlannedCall;
  /** What the provider would answer, where it can be asked. */
  readonly reply: object | undefined;
  constructor(plan: PlannedCall, reply?: object) {
    super(`would send ${plan.operation}`);
    this.name = "Plan";
    this.plan = plan;
    this.reply = reply;
  }
}

/** Plans a write: throws what the provider would refuse, as far as it can be asked. */
export type Planner = (name: EndpointName, args: WriteArgs) => Promise<Plan>;

export interface WriteArgs {
  path?: Record<string, string>;
  body?: { data?: unknown; id?: unknown; name?: unknown; users?: unknown };
  /** Of an upload: the file, whose bytes a dry run does not send. */
  announced?: object;
  server?: true;
}
