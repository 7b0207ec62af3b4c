/** Contract rows of links. */
import type { Case } from "./case.ts";

export const linksCases: Case[] = [];
