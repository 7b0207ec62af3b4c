/** Endpoints of tasks, exports, imports and batches. */

export const jobsEndpoints = {} as const;
