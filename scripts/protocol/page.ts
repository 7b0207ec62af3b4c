/** Prints docs/protocol.md: the protocol of the embedded provider, from the tables of src/wire. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { CODES, type CodeRow } from "../../src/wire/errors.ts";
import { endpoints, type EndpointName, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import { LOCAL_EVENTS } from "../../src/wire/events.ts";
import { describedBody } from "./body.ts";
import { RECIPIENTS } from "./recipients.ts";
import { declarations, eventsOf, routesOf, referencedDeclarations } from "./source.ts";

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
const EMPTY = new Set(["object", "undefined"]);

function routeText(name: EndpointName, types: string[]): string {
  const row: EndpointRow = endpoints[name];
  const [pathType = "object", query = "object", body = "undefined", reply = "object"] = types;
  const described = describedBody(name);
  const marks = [
    row.serverOnly ? "server token only" : "",
    row.open ? "no key, no token" : "",
    row.payload ? "payload" : "",
    row.multipart ? "multipart/form-data with the part `file`" : "",
    row.safe ? "changes nothing" : row.idempotent ? "may be repeated" : "",
    `${row.perMinute} a minute`,
  ].filter(Boolean);
  const lines = [
    EMPTY.has(pathType) || /^(ChannelPath|MessagePath)$/.test(pathType) ? "" : `path   ${pathType}`,
    described && row.payload ? `payload ${described}` : EMPTY.has(query) ? "" : `query  ${query}`,
    described && !row.payload
      ? `body   ${described}`
      : EMPTY.has(body) || row.multipart
        ? ""
        : `body   ${body}`,
    `answer ${reply === "object" ? "{}" : reply}`,
  ].filter(Boolean);
  return `### ${row.method} ${row.path}\n\n\`${row.op}\` · ${marks.join(" · ")}\n\n${code(lines.join("\n"))}`;
}

export function protocolPage(): string {
  const known = declarations();
  const routes = Object.keys(SUBJECTS).flatMap((subject) => routesOf(subject));
  const missing = Object.keys(endpoints).filter((name) => !routes.some((route) => route.name === name));
  if (missing.length) throw new Error(`no subject prints ${missing.join(", ")}`);
  const events = eventsOf().filter(({ type }) => !(LOCAL_EVENTS as readonly string[]).includes(type));
  const names = referencedDeclarations(
    [
      ...routes.flatMap(({ name, types }) => {
        const described = describedBody(name);
        const payload = (endpoints[name as EndpointName] as EndpointRow).payload;
        return described ? [...types.with(payload ? 1 : 2, ""), described] : types;
      }),
      ...events.map((event) => event.keys),
      "EventEnvelope AnyEvent",
    ],
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
      [
        `## ${title}`,
        ...routes
          .filter((route) => route.subject === subject)
          .map((route) => routeText(route.name as EndpointName, route.types)),
      ].join("\n\n"),
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
    ...events.filter(({ keys }) => keys !== "object").map(({ type, keys }) => `### ${type}\n\n${code(keys)}`),
    "## Types",
    "Written as TypeScript, `?` is a key that may be absent.",
    ...names.map((name) => `### ${name}\n\n${code(known.get(name)!)}`),
    readPart("after.md").trimEnd(),
  ]
    .join("\n\n")
    .concat("\n");
}
