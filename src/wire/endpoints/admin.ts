/** Endpoints of channel types, commands, permissions, roles, blocklists, push providers and limits. */

export const adminEndpoints = {} as const;
