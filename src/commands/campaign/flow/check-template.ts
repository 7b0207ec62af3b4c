/** Checks the rendered message of a campaign for every recipient: placeholders, lengths, links. */
import { trimEndCharacters } from "../../../text/without-tail.ts";
import type { CampaignInput } from "../../../wire/bodies/campaigns.ts";
import { renderText, unfilledIn, variablesIn, type Variable } from "../../../wire/entities/template.ts";
import type { User } from "../../../wire/entities/user.ts";
import { unfilledProblem } from "../../base/foreign-placeholders.ts";
import { safeUrl } from "../../../text/safe-url.ts";
import { nearestName } from "../../../text/spelling.ts";
import type { Person } from "../audience/exclusions.ts";
import { namedIds } from "../../../text/words.ts";
import type { Findings } from "./findings.ts";
import { objectsFor, renderFor, type Rendered } from "../audience/render.ts";

/** What tells which fields there are. */
interface Known {
  fields: CampaignInput;
  sender: User | undefined;
  /** Everybody in the audience; their fields are the known placeholders. */
  everybody: readonly Person[];
}

interface TemplateCheck extends Known {
  /** Receivers. */
  people: readonly Person[];
  /** Maximum characters of a message; undefined for an unknown channel type. */
  maxLength: number | undefined;
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
function namesFor(word: Variable["word"], { fields, sender, everybody }: Known): Set<string> {
  if (word === "channel")
    return new Set([...CHANNEL_FIELDS, ...Object.keys(fields.channel_template?.custom ?? {})]);
  if (word === "sender") return new Set([...USER_FIELDS, ...Object.keys(sender ?? {})]);
  const names = new Set(USER_FIELDS);
  for (const { user, columns } of everybody)
    for (const key of [...Object.keys(user ?? {}), ...Object.keys(columns ?? {})]) names.add(key);
  return names;
}

/** An unknown variable is an error; one that is empty for some people is a warning. */
function checkVariable(check: TemplateCheck, at: string, variable: Variable, findings: Findings): void {
  const { sender, people } = check;
  const names = namesFor(variable.word, check);
  const first = variable.path.split(".")[0]!;
  if (!names.has(first)) {
    if (variable.word === "receiver" && check.unfilled?.has(first))
      return findings.error("column", `${at}: ${variable.text} is a column: only --mode messages fills it`);
    const similar = nearestName(first, [...names]);
    const suggestion = similar === undefined ? "" : `; did you mean ${variable.word}.${similar}?`;
    return findings.error("unknown_placeholder", `${at}: unknown placeholder ${variable.text}${suggestion}`);
  }
  if (variable.word === "channel" || people.length === 0) return;
  const odd = people.filter(
    ({ columns }) => unfilledIn(renderText(variable.text, { receiver: columns })).length > 0,
  );
  if (odd.length > 0)
    findings.error(
      "braces",
      `${at}: ${variable.text} is itself filled with a placeholder for ${namedIds(idsOf(odd), "person", "people")}`,
      idsOf(odd),
    );
  const empty = people.filter((person) => renderText(variable.text, objectsFor(sender, person)) === "");
  if (empty.length > 0)
    findings.warning(
      "empty_placeholder",
      `${at}: ${variable.text} is empty for ${empty.length === people.length ? "everybody" : namedIds(idsOf(empty), "person", "people")}`,
      idsOf(empty),
    );
}

const idsOf = (people: readonly Person[]): string[] => people.map(({ id }) => id);

/** What to write here instead: the field that has the name, whatever its case, else the name. */
function ownForms(found: string, check: Known): { own: string; condition: string } {
  const word = found.match(/\w+/g)?.at(-1)?.toLowerCase();
  const names = [...namesFor("receiver", check)];
  const own = names.find((name) => name.toLowerCase() === word) ?? "name";
  return {
    own: `{{ receiver.${own} }}`,
    condition: "write what varies into a column, and {{ receiver.column }} in its place",
  };
}

/** What would be sent unfilled, with its place and what to write instead. */
export const unfilledProblems = (check: Known): string[] =>
  templatesOf(check.fields).flatMap(([at, text]) =>
    Array.from(
      new Set(unfilledIn(text)),
      (found) => `${at}: ${unfilledProblem(found, ownForms(found, check))}`,
    ),
  );

export function checkTemplate(check: TemplateCheck, findings: Findings): void {
  for (const problem of unfilledProblems(check)) findings.error("braces", problem);
  for (const [at, text] of templatesOf(check.fields)) {
    const seen = new Set<string>();
    for (const variable of variablesIn(text)) {
      const name = `${variable.word}.${variable.path}`;
      if (!seen.has(name)) checkVariable(check, at, variable, findings);
      seen.add(name);
    }
  }
  if (check.people.length > 0) checkRendered(check, findings);
}

type IdsBy = Map<string, string[]>;

function add(ids: IdsBy, key: string, id: string): void {
  const before = ids.get(key);
  if (before) before.push(id);
  else ids.set(key, [id]);
}

interface TemplateFault {
  code: string;
  applies: (rendered: Rendered) => boolean;
  message: (names: string) => string;
}

const faultsOf = ({ fields, maxLength = Infinity }: TemplateCheck): TemplateFault[] => [
  {
    code: "empty_text",
    applies: ({ text, attachments }) =>
      text.trim() === "" && attachments.length === 0 && fields.message_template.poll_id === undefined,
    message: (names) => `the message is empty for ${names}`,
  },
  {
    code: "too_long",
    applies: ({ text }) => text.length > maxLength,
    message: (names) => `the message is longer than ${maxLength} characters for ${names}`,
  },
  {
    code: "empty_channel",
    applies: ({ channelId }) => channelId === "",
    message: (names) => `the channel id is empty for ${names}`,
  },
];

/** Renders the message for each person in turn, without keeping the results. */
function checkRendered(check: TemplateCheck, findings: Findings): void {
  const { fields, sender, people } = check;
  const faults = faultsOf(check);
  const faulty: IdsBy = new Map();
  const badLinks: IdsBy = new Map();
  const channels = new Set<string>();
  let inChannels = 0;
  for (const person of people) {
    const rendered = renderFor(fields, objectsFor(sender, person));
    for (const { code, applies } of faults) if (applies(rendered)) add(faulty, code, person.id);
    for (const address of addressesIn(rendered)) if (isBadLink(address)) add(badLinks, address, person.id);
    if (!rendered.channelId) continue;
    channels.add(rendered.channelId);
    inChannels++;
  }
  for (const { code, message } of faults) reportFault(findings, code, faulty.get(code), message);
  // Each address is reported once.
  for (const [address, ids] of badLinks)
    reportFault(findings, "bad_link", ids, (names) => `'${address}' is not an address, for ${names}`);
  warnSharedChannels(channels, inChannels, findings);
}

/** Keys of attachments that contain addresses. */
const ADDRESS_KEY = /(_url|_link|^url)$/;

/** Addresses in a text; trailing punctuation is removed later. */
const ADDRESS_IN_TEXT = /\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s<>"')\]]*/gi;

function* addressesIn({ text, attachments }: Rendered): Iterable<string> {
  for (const [address] of text.matchAll(ADDRESS_IN_TEXT)) yield trimEndCharacters(address, ".,;:!?");
  for (const attachment of attachments)
    for (const [at, value] of textsIn(attachment, "")) if (ADDRESS_KEY.test(at)) yield value;
}

const isBadLink = (address: string): boolean =>
  safeUrl(address) === undefined || /%7B|%7D|[{}]/i.test(address);

function reportFault(
  findings: Findings,
  code: string,
  ids: string[] | undefined,
  message: (names: string) => string,
): void {
  if (ids) findings.error(code, message(namedIds(ids, "person", "people")), ids);
}

function warnSharedChannels(channels: ReadonlySet<string>, people: number, findings: Findings): void {
  if (channels.size < people)
    findings.warning(
      "shared_channel",
      `${people} people receive it in ${channels.size} channel${channels.size === 1 ? "" : "s"}: its members see each other's messages`,
    );
}
