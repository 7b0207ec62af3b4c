/** Contract rows of admin. */
import type { Case } from "./case.ts";

export const adminCases: Case[] = [];
