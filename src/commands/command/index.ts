/** Operations on the provider's slash commands by their path. */

export const commandCommands = {};
