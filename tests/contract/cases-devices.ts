/** Contract rows of devices. */
import type { Case } from "./case.ts";

export const devicesCases: Case[] = [];
