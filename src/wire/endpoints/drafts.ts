/** Endpoints of drafts. */

export const draftsEndpoints = {} as const;
