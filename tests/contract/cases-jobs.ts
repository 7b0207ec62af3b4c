/** Contract rows of jobs. */
import type { Case } from "./case.ts";

export const jobsCases: Case[] = [];
