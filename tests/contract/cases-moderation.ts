/** Contract rows of moderation. */
import type { Case } from "./case.ts";

export const moderationCases: Case[] = [];
