/** Finds campaigns that are sent by this program instead of the provider, and explains what cannot be done with them. */
import { isNotFound } from "../../wire/errors.ts";
import { CommandError } from "../base/define-command.ts";
import type { OwnCall, OwnCampaign } from "./receipts/own-campaign.ts";

/** The response of the provider, or the campaign of this machine where the provider has none of that name. */
export async function orOwn<T>(call: OwnCall, id: string, request: Promise<T>): Promise<T | OwnCampaign> {
  try {
    return await request;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const { ownCampaign } = await import("./receipts/own-campaign.ts");
    const own = ownCampaign(call, id);
    if (own === undefined) throw error;
    return own;
  }
}

/** The response of the provider. Throws `CommandError` (notFound) with a better hint for a campaign sent from this machine. */
export async function atProvider<T extends object>(
  call: OwnCall,
  id: string,
  request: Promise<T>,
): Promise<T> {
  const found = await orOwn(call, id, request);
  if (!("mode" in found)) return found;
  throw new CommandError(
    "notFound",
    `Campaign ${id} is sent by this program, message by message: the provider has none of that name.`,
    `parley campaign report ${id}`,
  );
}
