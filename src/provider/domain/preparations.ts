/** What routes of the domain wait for before their transaction. */
import type { Preparations } from "../handler.ts";

export const preparations: Preparations = {};
