/** Contract rows of users. */
import type { Case } from "./case.ts";

export const usersCases: Case[] = [];
