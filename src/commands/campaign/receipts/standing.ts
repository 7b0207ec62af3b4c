/** Tells how a campaign file stands: who of its people has received it, and whether it may be sent in this mode (specification/campaigns.md §11). */
import type { CampaignInput } from "../../../wire/bodies/campaigns.ts";
import type { Campaign } from "../../../wire/entities/campaign.ts";
import type { User } from "../../../wire/entities/user.ts";
import { count } from "../../../text/words.ts";
import { CommandError } from "../../base/define-command.ts";
import type { SendMode } from "../args/flow.ts";
import { fetchUsers } from "../audience/people.ts";
import { familyOf, isOpen } from "./family.ts";
import { readReceived, type JournalProgress } from "./journal.ts";
import { membersOf, ReceiptSearch, type Receipt } from "./receipt-search.ts";
import { receptionOf, type ReceptionCall } from "./received.ts";

export interface Standing {
  received: ReadonlySet<string>;
  /** Those of them whose message was found at the provider: sent from another machine, or by a run killed before its journal had it. */
  found?: ReadonlyMap<string, Receipt>;
  /** People to whom a run is about to send it. */
  waiting: ReadonlySet<string>;
  /** People who may have received it. */
  unproved: ReadonlySet<string>;
  /** Why it must not be started. */
  conflict?: CommandError;
  /** Whether the journal on this machine is of this provider. */
  isSameProvider: boolean;
}

interface Asked {
  id: string;
  mode: SendMode;
  sender: User | undefined;
  people: readonly string[];
  /** Its templates, which name the channels of people with whom the sender shares none. */
  fields?: CampaignInput;
}

const NOBODY: ReadonlySet<string> = new Set();
const NEW: Standing = { received: NOBODY, waiting: NOBODY, unproved: NOBODY, isSameProvider: false };

/** People looked at in either order to tell whether a campaign without a trace on this machine and at the provider was sent all the same. */
const PROBED = 50;

/** Whether the sender that a journal names is still the same user: not at another provider, nor after a reset. */
async function isOfThisProvider(call: ReceptionCall, { begun }: JournalProgress): Promise<boolean> {
  if (begun === undefined) return false;
  const users = await fetchUsers({ ...call, progress: () => {} }, [begun.sender]);
  return users.get(begun.sender)?.created_at === begun.sender_since;
}

const otherMode = (id: string, run: string): CommandError =>
  new CommandError(
    "conflict",
    `Campaign ${id} was begun ${run}.`,
    "Give the file another id to send it once more.",
  );

/** `--mode messages`, in words. */
const MODE_WORDS: Readonly<Record<SendMode, string>> = {
  campaign: "by the provider (--mode campaign)",
  messages: "by this program (--mode messages)",
};

export async function standingOf(call: ReceptionCall, asked: Asked): Promise<Standing> {
  const { id, mode } = asked;
  const journal = readReceived(call.machine, id);
  const isSameProvider = await isOfThisProvider(call, journal);
  const { begun, received } = isSameProvider ? journal : { begun: undefined, received: NOBODY };
  if (begun && begun.mode !== mode)
    return {
      ...(begun.mode === "messages" ? { ...NEW, received } : await atProvider(call, asked)),
      isSameProvider,
      conflict: otherMode(id, `${MODE_WORDS[begun.mode]} at ${begun.at} from ${begun.file}`),
    };
  if (begun?.mode === "messages") {
    // Another machine may have sent it since, or a killed run without writing it down.
    const people = asked.people.filter((person) => !received.has(person));
    const { received: others, ...standing } = await sentBy(call, { ...asked, people });
    return { ...standing, received: new Set([...received, ...others]), isSameProvider };
  }
  const standing = await atProvider(call, asked, begun !== undefined);
  return {
    ...standing,
    // WH-9: the run that has reached them may be deleted since, and another one made under its id.
    received: new Set([...standing.received, ...received]),
    unproved: new Set([...standing.unproved, ...(begun?.left.unproved ?? [])]),
    isSameProvider,
  };
}

/** The standing according to the campaigns and messages at the provider. `journaled`: this machine knows what was sent under the id before. */
async function atProvider(call: ReceptionCall, asked: Asked, journaled = false): Promise<Standing> {
  const { id, mode, sender } = asked;
  const { runs, deleted } = await familyOf(call, id);
  const run = runs.find((one) => one.id === id);
  const conflict =
    run && mode === "messages"
      ? { conflict: otherMode(id, `${MODE_WORDS.campaign} at ${run.created_at} and is ${run.status}`) }
      : {};
  if (runs.some((one) => !isOpen(one)) || deleted.length > 0) {
    const { received, waiting, unproved } = await receptionOf(call, id);
    return {
      ...NEW,
      received: new Set(received.keys()),
      waiting: new Set(waiting.keys()),
      unproved,
      ...conflict,
    };
  }
  if (sender === undefined || (run && (mode === "messages" || journaled))) return { ...NEW, ...conflict };
  return mode === "messages" ? sentBy(call, asked) : probed(call, { ...asked, sender }, run !== undefined);
}

type AskedOf = Asked & { sender: User };

const sentBy = async (call: ReceptionCall, { sender, ...asked }: Asked): Promise<Standing> =>
  sender === undefined ? NEW : sentElsewhere(call, { ...asked, sender });

/** The messages of the sender with the campaign's id, in the channels of the sender with these people. */
async function messagesTo(
  call: ReceptionCall,
  { id, sender, people, fields }: AskedOf,
): Promise<{ found: ReadonlyMap<string, Receipt>; unassigned: number }> {
  const search = new ReceiptSearch(call, {
    root: id,
    runs: [{ id, sender: sender.id, ...(fields && { fields }) }],
    people: new Map(people.map((person) => [person, undefined])),
    sender,
  });
  await search.searchShared();
  return { found: search.found.get(id) ?? new Map(), unassigned: search.unassigned };
}

/** WH-8: without a journal, messages of the sender in direct channels prove who has received them from another machine. */
async function sentElsewhere(call: ReceptionCall, asked: AskedOf): Promise<Standing> {
  const { found, unassigned } = await messagesTo(call, asked);
  const direct = await directChannels(call, asked.sender.id, found);
  const proved = new Map([...found].filter(([person]) => direct.has(person)));
  const standing = { ...NEW, received: new Set(proved.keys()), found: proved };
  const doubtful = found.size - proved.size + unassigned;
  if (doubtful === 0) return standing;
  return {
    ...standing,
    conflict: new CommandError(
      "conflict",
      `Campaign ${asked.id} has ${count(doubtful, "message")} of ${asked.sender.id} outside their direct channels, that the journal on this machine does not know: who has received it cannot be proved.`,
      "Continue it on the machine that began it, or give the file another id.",
    ),
  };
}

/** Those whose receipt is in a channel with exactly the sender and them. */
async function directChannels(
  call: ReceptionCall,
  sender: string,
  found: ReadonlyMap<string, Receipt>,
): Promise<Set<string>> {
  const direct = new Set<string>();
  const personIn = new Map(Array.from(found, ([person, { cid }]) => [cid, person]));
  for await (const { cid, ids } of membersOf(call, [...personIn.keys()], 3)) {
    const person = personIn.get(cid)!;
    if (ids.length === 2 && ids.includes(sender) && ids.includes(person)) direct.add(person);
  }
  return direct;
}

/**
 * A campaign that is not at the provider may have been deleted there, or sent by message from another machine; one that was never started may
 * have the id of a deleted one. A few people tell.
 */
async function probed(call: ReceptionCall, asked: AskedOf, isThere: boolean): Promise<Standing> {
  const people = [...asked.people.slice(0, PROBED), ...asked.people.toSorted().slice(0, PROBED)];
  const { found, unassigned } = await messagesTo(call, { ...asked, people: [...new Set(people)] });
  if (found.size + unassigned === 0) return NEW;
  const how = isThere
    ? "it was never started: an earlier one with its id was deleted"
    : "the campaign is not: it was deleted, or sent with --mode messages from another machine";
  return {
    ...NEW,
    received: new Set(found.keys()),
    conflict: new CommandError(
      "conflict",
      `Messages of campaign ${asked.id} are there, and ${how}.`,
      "Give it another id to send it once more.",
    ),
  };
}

/** Why a campaign that was never started must not be started by its id, if an earlier one with that id has reached some of these people. */
export async function earlierConflict(
  call: ReceptionCall,
  campaign: Campaign,
  people: readonly string[],
): Promise<CommandError | undefined> {
  const { id, sender_id } = campaign;
  const sender = (await fetchUsers({ ...call, progress: () => {} }, [sender_id])).get(sender_id);
  if (sender === undefined) return undefined;
  return (await probed(call, { id, mode: "campaign", sender, people, fields: campaign }, true)).conflict;
}
