/** What became of a campaign: whom it and its follow-ups did not reach. */
import { firstFew } from "../../../text/words.ts";
import { isOver, type Campaign, type CampaignStatus } from "../../../wire/entities/campaign.ts";
import { CommandError } from "../../base/define-command.ts";

export interface MissedPerson {
  id: string;
  name?: string;
  reason: string;
}

/** A campaign with the people it has not reached. */
export type CampaignOutcome = Omit<Campaign, "status"> & {
  /** WH-7. `incomplete`: completed, but not for everybody. */
  status: CampaignStatus | "incomplete";
  missed?: MissedPerson[];
  /** People who may have received it: the provider has counted more receivers than there are messages. */
  unproved?: string[];
  /** Whom the start on this machine left out, by reason. */
  left_out?: Record<string, number>;
};

/** Whether a campaign has ended, for everybody or not. */
export const hasEnded = ({ status }: Pick<CampaignOutcome, "status">): boolean =>
  status === "incomplete" || isOver(status);

/** The error (partial) of a campaign that did not reach everybody. */
export function incompleteError({
  id,
  missed = [],
  unproved = [],
}: CampaignOutcome): CommandError | undefined {
  if (missed.length + unproved.length === 0) return undefined;
  const listed = [
    ...missed.map((one) => `${one.id} (${one.reason})`),
    ...unproved.map((one) => `${one} (cannot be proved: the message is gone)`),
  ];
  const keys = [missed.length > 0 ? ["missed"] : [], unproved.length > 0 ? ["unproved"] : []].flat();
  return new CommandError(
    "partial",
    `Campaign ${id} is incomplete: not sent to ${firstFew(listed)}.`,
    `parley campaign stats ${id} --json=${keys.join(",")} names all of them`,
  );
}
