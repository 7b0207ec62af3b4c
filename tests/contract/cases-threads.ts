/** Contract rows of threads. */
import type { Case } from "./case.ts";

export const threadsCases: Case[] = [];
