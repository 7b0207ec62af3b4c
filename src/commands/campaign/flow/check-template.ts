/** Checks the rendered message of a campaign for every recipient: placeholders, lengths, links. */
import { withoutTail } from "../../../text/without-tail.ts";
import type { CampaignInput } from "../../../wire/entities/campaign.ts";
import { renderText, unfilledIn, variablesIn, type Variable } from "../../../wire/entities/template.ts";
import type { User } from "../../../wire/entities/user.ts";
import { safeUrl } from "../../../text/safe-url.ts";
import { nearestName } from "../../../text/spelling.ts";
import type { Person } from "../audience/exclusions.ts";
import { namedIds, type Findings } from "./findings.ts";
import { objectsFor, renderFor, type Rendered } from "./render.ts";

interface TemplateCheck {
  fields: CampaignInput;
  sender: User | undefined;
  /** Receivers. */
  people: readonly Person[];
  /** Everybody in the audience; their fields are the known placeholders. */
  everybody: readonly Person[];
  /** Maximum characters of a message; undefined for an unknown channel type. */
  most: number | undefined;
  /** Columns that this mode does not fill in. */
  unfilled?: ReadonlySet<string>;
}

/** All strings in a value, with their paths. */
function* textsIn(value: unknown, at: string): Iterable<[at: string, text: string]> {
  if (typeof value === "string") yield [at, value];
  else if (typeof value === "object" && value !== null)
    for (const [key, one] of Object.entries(value)) yield* textsIn(one, `${at}.${key}`);
}

function templatesOf({
  message_template: message,
  channel_template: channel,
}: CampaignInput): [string, string][] {
  const { id, team, custom } = channel ?? {};
  const { text, attachments, custom: fields } = message;
  return [
    ...textsIn({ text, attachments, custom: fields }, "message_template"),
    ...textsIn({ id, team, custom }, "channel_template"),
  ];
}

/** Fields every new channel has. */
const CHANNEL_FIELDS = ["id", "cid", "type", "name", "image", "member_count", "created_at", "team"];

/** Fields every user may have, even if a response omits them. */
const USER_FIELDS = ["id", "name", "image", "role", "language", "teams", "status", "online"];

/** Known field names of the object of a variable. */
function namesFor({ word }: Variable, { fields, sender, everybody }: TemplateCheck): Set<string> {
  if (word === "channel")
    return new Set([...CHANNEL_FIELDS, ...Object.keys(fields.channel_template?.custom ?? {})]);
  if (word === "sender") return new Set([...USER_FIELDS, ...Object.keys(sender ?? {})]);
  const names = new Set(USER_FIELDS);
  for (const { user, columns } of everybody)
    for (const key of [...Object.keys(user ?? {}), ...Object.keys(columns ?? {})]) names.add(key);
  return names;
}

/** An unknown variable is an error; one that is empty for some people is a warning. */
function checkVariable(check: TemplateCheck, at: string, variable: Variable, found: Findings): void {
  const { sender, people } = check;
  const names = namesFor(variable, check);
  const first = variable.path.split(".")[0]!;
  if (!names.has(first)) {
    if (variable.word === "receiver" && check.unfilled?.has(first))
      return found.error("column", `${at}: ${variable.text} is a column: only --mode messages fills it`);
    const similar = nearestName(first, [...names]);
    const suggestion = similar === undefined ? "" : `; did you mean ${variable.word}.${similar}?`;
    return found.error("unknown_placeholder", `${at}: unknown placeholder ${variable.text}${suggestion}`);
  }
  if (variable.word === "channel" || people.length === 0) return;
  const empty = people.filter((person) => renderText(variable.text, objectsFor(sender, person)) === "");
  if (empty.length > 0)
    found.warning(
      "empty_placeholder",
      `${at}: ${variable.text} is empty for ${empty.length === people.length ? "everybody" : namedIds(ids(empty), "person", "people")}`,
      ids(empty),
    );
}

const ids = (people: readonly Person[]): string[] => people.map(({ id }) => id);

export function checkTemplate(check: TemplateCheck, found: Findings): void {
  for (const [at, text] of templatesOf(check.fields)) {
    for (const left of unfilledIn(text))
      found.error(
        "braces",
        `${at}: ${left} is not a placeholder: write {{ receiver.name }}, with two words and a dot`,
      );
    const seen = new Set<string>();
    for (const variable of variablesIn(text)) {
      const name = `${variable.word}.${variable.path}`;
      if (!seen.has(name)) checkVariable(check, at, variable, found);
      seen.add(name);
    }
  }
  if (check.people.length > 0) checkRendered(check, found);
}

type IdsBy = Map<string, string[]>;

function add(ids: IdsBy, what: string, id: string): void {
  const before = ids.get(what);
  if (before) before.push(id);
  else ids.set(what, [id]);
}

interface TemplateFault {
  code: string;
  is: (made: Rendered) => boolean;
  say: (who: string) => string;
}

const faultsOf = ({ fields, most = Infinity }: TemplateCheck): TemplateFault[] => [
  {
    code: "empty_text",
    is: ({ text, attachments }) =>
      text.trim() === "" && attachments.length === 0 && fields.message_template.poll_id === undefined,
    say: (who) => `the message is empty for ${who}`,
  },
  {
    code: "too_long",
    is: ({ text }) => text.length > most,
    say: (who) => `the message is longer than ${most} characters for ${who}`,
  },
  {
    code: "empty_channel",
    is: ({ channelId }) => channelId === "",
    say: (who) => `the channel id is empty for ${who}`,
  },
];

/** Renders the message for each person in turn, without keeping the results. */
function checkRendered(check: TemplateCheck, found: Findings): void {
  const { fields, sender, people } = check;
  const faults = faultsOf(check);
  const faulty: IdsBy = new Map();
  const badLinks: IdsBy = new Map();
  const channels = new Set<string>();
  let inChannels = 0;
  for (const person of people) {
    const made = renderFor(fields, objectsFor(sender, person));
    for (const { code, is } of faults) if (is(made)) add(faulty, code, person.id);
    for (const address of addressesIn(made)) if (isBadLink(address)) add(badLinks, address, person.id);
    if (!made.channelId) continue;
    channels.add(made.channelId);
    inChannels++;
  }
  for (const { code, say } of faults) reportFault(found, code, faulty.get(code), say);
  // Each address is reported once.
  for (const [address, who] of badLinks)
    reportFault(found, "bad_link", who, (names) => `'${address}' is not an address, for ${names}`);
  warnSharedChannels(channels, inChannels, found);
}

/** Keys of attachments that contain addresses. */
const ADDRESS_KEY = /(_url|_link|^url)$/;

/** Addresses in a text; trailing punctuation is removed later. */
const ADDRESS_IN_TEXT = /\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s<>"')\]]*/gi;

function* addressesIn({ text, attachments }: Rendered): Iterable<string> {
  for (const [address] of text.matchAll(ADDRESS_IN_TEXT)) yield withoutTail(address, ".,;:!?");
  for (const attachment of attachments)
    for (const [at, value] of textsIn(attachment, "")) if (ADDRESS_KEY.test(at)) yield value;
}

const isBadLink = (address: string): boolean =>
  safeUrl(address) === undefined || /%7B|%7D|[{}]/i.test(address);

function reportFault(
  found: Findings,
  code: string,
  who: string[] | undefined,
  say: (names: string) => string,
): void {
  if (who) found.error(code, say(namedIds(who, "person", "people")), who);
}

function warnSharedChannels(channels: ReadonlySet<string>, people: number, found: Findings): void {
  if (channels.size < people)
    found.warning(
      "shared_channel",
      `${people} people receive it in ${channels.size} channel${channels.size === 1 ? "" : "s"}: its members see each other's messages`,
    );
}
