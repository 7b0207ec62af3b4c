/** The form of names of roles, permissions, commands and blocklists (specification/wire.md §8). */

export const NAME = /^[A-Za-z0-9_-]{1,64}$/;
export const NAME_FORM = "may hold letters, digits, _ and - only, at most 64";
