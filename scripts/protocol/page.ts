/** Prints docs/protocol.md: the protocol of the embedded provider, from the tables of src/wire. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { CODES, type CodeRow } from "../../src/wire/errors.ts";
import { endpoints, type EndpointName, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import { EVENTS, LOCAL_EVENTS, type EventType } from "../../src/wire/events.ts";
import { RECIPIENTS } from "./recipients.ts";
import { declarations, referencedDeclarations } from "./source.ts";
import { describedBody, eventText, namedTypes, shapeText } from "./types.ts";

/** Files of the endpoint table, in the order of the page. */
const SUBJECTS: Record<string, string> = {
  connect: "Connections",
  app: "The app",
  users: "Users",
  devices: "Devices, push preferences and unread numbers",
  channels: "Channels, members and read state",
  messages: "Messages and reactions",
  threads: "Threads",
  files: "Uploads and links",
  polls: "Polls",
  locations: "Live locations",
  drafts: "Drafts",
  reminders: "Reminders",
  search: "Search",
  moderation: "Moderation",
  admin: "Channel types, commands, roles, blocklists, push providers, limits",
  jobs: "Tasks, exports, imports, batches",
  campaigns: "Campaigns and segments",
};

const readPart = (name: string): string => readFileSync(path.join(import.meta.dirname, name), "utf8");
const code = (text: string, language = "ts"): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** The names of the endpoints of each subject. */
const NAMES: Record<string, EndpointName[]> = {};
for (const subject of Object.keys(SUBJECTS)) {
  const module = (await import(`../../src/wire/endpoints/${subject}.ts`)) as Record<string, object>;
  NAMES[subject] = Object.keys(module[`${subject}Endpoints`]!) as EndpointName[];
}

/** What is sent and answered, a line each. */
function partsOf(name: EndpointName): string[] {
  const { payload, query, answer }: EndpointRow = endpoints[name];
  const described = describedBody(name);
  return [
    payload && described ? `payload ${described}` : query ? `query  ${shapeText(query)}` : "",
    described && !payload ? `body   ${described}` : "",
    `answer ${answer ? shapeText(answer()) : "{}"}`,
  ].filter(Boolean);
}

/** Of routes that a hosted provider may lack. */
const SOURCES = { ours: "the path is ours", v2: "the path is known of v2 only" };

function routeText(name: EndpointName): string {
  const row: EndpointRow = endpoints[name];
  const marks = [
    row.serverOnly ? "server token only" : "",
    row.source ? SOURCES[row.source] : "",
    row.open ? "no key, no token" : "",
    row.payload ? "payload" : "",
    row.multipart ? "multipart/form-data with the part `file`" : "",
    row.safe ? "changes nothing" : row.idempotent ? "may be repeated" : "",
    `${row.perMinute} a minute`,
  ].filter(Boolean);
  return `### ${row.method} ${row.path}\n\n\`${row.op}\` · ${marks.join(" · ")}\n\n${code(partsOf(name).join("\n"))}`;
}

export function protocolPage(): string {
  const known = new Map([...declarations(), ...namedTypes()]);
  const routes = Object.values(NAMES).flat();
  const missing = Object.keys(endpoints).filter((name) => !routes.includes(name as EndpointName));
  if (missing.length) throw new Error(`no subject prints ${missing.join(", ")}`);
  const events = (Object.keys(EVENTS) as EventType[])
    .filter((type) => !(LOCAL_EVENTS as readonly EventType[]).includes(type))
    .map((type) => ({ type, keys: eventText(type) }));
  const names = referencedDeclarations(
    [...routes.flatMap(partsOf), ...events.map((event) => event.keys), "EventEnvelope AnyEvent"],
    known,
  );
  const codes = Object.entries(CODES as Record<string, CodeRow>)
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([number, row]) => `| ${number} | ${row.status} | ${row.name} | ${row.retry ? "yes" : "no"} |`);
  return [
    readPart("before.md").trimEnd(),
    `| code | status | name | may the same call succeed later |\n|---|---|---|---|\n${codes.join("\n")}`,
    readPart("middle.md").trimEnd() + `\n${readPart("follow.sh").trimEnd()}\n\`\`\``,
    "## Routes",
    ...Object.entries(SUBJECTS).map(([subject, title]) =>
      [`## ${title}`, ...NAMES[subject]!.map(routeText)].join("\n\n"),
    ),
    "## Events",
    "Recipients: **W** every connection that watches the channel, **N** every connection of a member that does not, **U** all connections of one user, " +
      "**P** connections subscribed to the user's presence and the user's own. Objects in W and N events are not personal. Every event has `type` and `created_at`, " +
      "an event of a channel `cid`, `channel_type` and `channel_id`; the keys below come on top.",
    "| event | to | when |\n|---|---|---|\n" +
      events
        .map(({ type }) => {
          const [to, when] = RECIPIENTS[type as keyof typeof RECIPIENTS];
          return `| \`${type}\` | ${to} | ${when} |`;
        })
        .join("\n"),
    ...events.filter(({ keys }) => keys !== "").map(({ type, keys }) => `### ${type}\n\n${code(keys)}`),
    "## Types",
    "Written as TypeScript, `?` is a key that may be absent.",
    ...names.map((name) => `### ${name}\n\n${code(known.get(name)!)}`),
    readPart("after.md").trimEnd(),
  ]
    .join("\n\n")
    .concat("\n");
}
