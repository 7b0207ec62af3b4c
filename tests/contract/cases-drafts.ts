/** Contract rows of drafts. */
import type { Case } from "./case.ts";

export const draftsCases: Case[] = [];
