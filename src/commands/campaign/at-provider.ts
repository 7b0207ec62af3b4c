/** Explains a missing campaign that is sent by this program instead of the provider. */
import { isNotFound } from "../../wire/errors.ts";
import { CommandError, type Args, type Call } from "../base/define-command.ts";

/** The response of the provider. Throws `CommandError` (notFound) with a better hint for a campaign sent from this machine. */
export async function atProvider<T>(
  { machine }: Pick<Call<Args>, "machine">,
  id: string,
  request: Promise<T>,
): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const { readProgress } = await import("./receipts/journal.ts");
    if (readProgress(machine, id).begun?.mode !== "messages") throw error;
    throw new CommandError(
      "notFound",
      `Campaign ${id} is sent by this program, message by message: the provider has none of that name.`,
      `parley campaign report ${id}`,
    );
  }
}
