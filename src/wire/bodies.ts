/** The body (or the JSON of `payload=`) of every endpoint that takes one, as rows; loaded by the provider, the printed protocol and the tests. */
import { acting } from "./bodies/frame.ts";
import { pollBodies } from "./bodies/polls.ts";
import type { Shape } from "./fields.ts";

export const bodies = {
  ...pollBodies,
} as const satisfies Record<string, Shape>;

export type Described = keyof typeof bodies;

/** The rows of an endpoint's body; where nothing is said but who acts, those. */
export const bodyOf = (name: string): Shape =>
  Object.hasOwn(bodies, name) ? bodies[name as Described] : acting;
