/** Contract rows of search. */
import type { Case } from "./case.ts";

export const searchCases: Case[] = [];
