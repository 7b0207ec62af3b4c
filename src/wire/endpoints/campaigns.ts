/** Endpoints of campaigns and segments. */

export const campaignsEndpoints = {} as const;
