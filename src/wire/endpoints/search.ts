/** Endpoints of message search. */

export const searchEndpoints = {} as const;
