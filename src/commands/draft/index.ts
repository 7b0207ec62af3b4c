/** Operations on drafts kept by the provider by their path. */

export const draftCommands = {};
