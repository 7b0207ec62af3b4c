/** All work of the domain that becomes due by the clock. */
import type { DueWork } from "../ports.ts";
import { taskWork } from "./jobs/work.ts";

export const due: readonly DueWork[] = [taskWork];
