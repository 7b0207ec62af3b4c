/** Endpoints of threads. */

export const threadsEndpoints = {} as const;
