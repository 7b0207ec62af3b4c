/** Contract rows of campaigns. */
import type { Case } from "./case.ts";

export const campaignsCases: Case[] = [];
