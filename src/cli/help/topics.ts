/** Help topics: environment, exit codes, formatting, scripting and more, printed from the tables where there is one. */
import { SETTINGS, settingKeys } from "../../config/settings.ts";
import type { SettingRow } from "../../config/settings.ts";
import { EXITS } from "../base/exit.ts";
import type { CommandTree } from "../base/command-tree.ts";
import { everyCommand, flagsHelp, wrap } from "./help.ts";

interface Topic {
  summary: string;
  text(tree: CommandTree): string;
}

export const TOPICS: Readonly<Record<string, Topic>> = {
  topics: {
    summary: "This list",
    text: () =>
      `Topics, read with parley help <topic>:\n\n${Object.entries(TOPICS)
        .map(([name, topic]) => `  ${name.padEnd(14)}${topic.summary}`)
        .join("\n")}\n`,
  },
  commands: { summary: "Every command, a line each", text: everyCommand },
  flags: { summary: "Flags of every command", text: flagsHelp },
  environment: {
    summary: "Environment variables",
    text: () => {
      const rows: [string, string][] = settingKeys.flatMap((key) =>
        ((SETTINGS[key] as SettingRow).env ?? []).map((name): [string, string] => [
          name,
          SETTINGS[key].words,
        ]),
      );
      rows.push(
        ["PARLEY_TOKEN", "A user token for this run; nothing is stored."],
        ["PARLEY_API_SECRET", "The app's secret for this run; nothing is stored."],
        ["PARLEY_FORCE_TTY", "Columns: print as if standard output were a terminal that wide."],
        ["PARLEY_DEBUG", "1: an error says where in the program it happened."],
        ["PARLEY_RUN_SUMMARY", "1: one JSON line on standard error at the end of each run."],
        ["PARLEY_KEYRING", "off: secrets go to the private file."],
        [
          "PARLEY_LOCAL_SEED",
          "none: a new data folder of the embedded provider begins empty, without the demo.",
        ],
        ["PARLEY_LOCAL_DATA", "The embedded provider's data folder."],
        ["NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE", "Colour, as everywhere."],
        [
          "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_DATA_HOME",
          "Where files lie: parley config path.",
        ],
      );
      return `Environment variables. A flag wins over them; they win over files.\n\n${rows
        .map(([name, words]) => `  ${name}\n      ${wrap(words, 74).join("\n      ")}`)
        .join("\n")}\n`;
    },
  },
  "exit-codes": {
    summary: "What each exit code means",
    text: () =>
      `Exit codes; they are never renumbered.\n\n${EXITS.map((row) => `  ${String(row.code).padStart(3)}  ${row.words}`).join("\n")}\n`,
  },
  formatting: {
    summary: "Tables, TSV, JSON, jq and templates",
    text: () => `Forms of output.

On a terminal results are tables; in a pipe they are tab-separated, without a
header. Dates are RFC 3339 in data and local time in tables (--utc changes it).

  --json            one array for lists, one object for single things
  --json=a,b.c      only these fields; one without a value is null
  --fields          list the fields there are, and ask for nothing else
  --ndjson          one object a line; tail gives only this
  --jq FILTER       jq over each item, strings raw; with --json over the whole
  --template TEXT   '{{cid}}\\t{{name}}' for each item
  --csv             with the names of the fields as header; formulas are escaped

A list is an array also when it has one item. Nothing is cut silently: when more
is there, the cursor for --next is printed on standard error.
`,
  },
  scripting: {
    summary: "Parley in scripts",
    text: () => `Parley in scripts.

  echo done | parley send '#ops' -
  make 2>&1 | parley send '#ops' --split --code text -
  tail -f app.log | parley send '#ops' --lines -
  parley tail --all --ndjson | jq -r .message.text
  parley tail '#ops' --until-match 'deploy done' --exit-after 10m
  parley tail '#ops' --last 0 --exec ./on-message.sh

A filter, and the value of name=value, may stand in a file, or come by
standard input; @@ is an @ itself:
  parley channel list --filter @mine.json
  parley send '#ops' --custom notes=@notes.txt release 3

A gate asks and waits; the answer is its output, and any but the first option
(or those of --expect) ends with 15, silence with 8:
  parley ask '#ops' 'Deploy?' --options yes,no --within 10m && ./deploy.sh
  parley wait '#ops' --user ana --match '^go$' --within 1h && ./deploy.sh

A send ends with 0 only when the provider has the message. 10 means it was not
sent: run the same line again. 11 means nobody knows: the command to look is
printed. With --idempotency-key the same line twice is one message.
With --json errors are one JSON object on standard error. -n sends nothing.
What changes many things takes them from --file, too: names one a line, CSV or
what a list prints with --ndjson; - is standard input, line by line.
  parley user list --filter '{"role":"bot"}' --all --ndjson |
    parley user ban --file - --by mira --yes --report banned.ndjson
A file with a wrong record is refused whole. Who is refused stops nobody else,
and the run ends with 9. --report has a line for each: line, id, result, reason;
--resume with that file does what is left, --max-errors N stops after so many.
An assistant is offered the same commands: parley mcp (reads alone unless
--write; parley mcp --list shows them).
CI or --non-interactive turns every question into exit code 2.

A chat screen that is open takes commands from its user's scripts:

  parley screen run /search deploy
`,
  },
  ops: {
    summary: "Running an app: the secret, campaigns, imports",
    text: () => `Running an app.

Some commands act for the app, not for a user: their page says that they need
the app's secret, and lists mark them with *. The embedded provider has its
secret at hand. Elsewhere a profile holds it:

  parley login ops --key KEY --kind secret --secret-stdin < secret.txt
  parley -p ops limits
  PARLEY_API_SECRET=… parley -p ops app get

A profile with a secret acts for anybody with --as <user>. One that was added
with --protected asks before each change. Try a change with -n first: it checks
everything and sends nothing. In a script --yes answers questions, and
--confirm <word> those where a word must be typed.

Everything that is set up, in a file that is kept beside the code: settings,
channel types, roles, grants, commands, lists of words, push services:
  parley app backup --out app.yaml
  parley plan app.yaml        what differs, old and new; 14 when something does
  parley apply app.yaml       makes it so; asks before it takes away or grants
What the file does not name stays; --prune removes it. parley plan --schema is
for editors. Single settings:
  parley app update reminders_interval=600 --yes
  parley channel-type update team replies=false
  parley permission grant team channel_member create-poll

A campaign sends one message to many. From nothing to one that is sent, on the
embedded provider; each line runs as it stands:
  parley user upsert teahouse dora emil --name Guest
  parley segment create user --id spring
  parley segment add spring dora emil
  parley campaign new spring.yaml --sender teahouse
  parley campaign check spring.yaml
  parley campaign preview spring.yaml --user dora
  parley campaign test spring.yaml --to dora
  parley campaign schedule spring.yaml 5s --confirm spring
  parley campaign watch spring --within 5m
  parley campaign report spring

spring.yaml says what each of its keys is for, and an editor knows them by the
schema beside it. Its guards hold a start to what was meant: how many, at which
hours, on which days. Further on the way:
  parley campaign start spring.yaml   now, once its id was typed; -n only plans
  parley segment sync spring people.csv       CSV, NDJSON or ids one a line
  parley campaign optout add dora             never again, of this profile
  parley campaign retry spring                to those whom it missed
  parley campaign start codes.yaml --mode messages
      from this machine, with the columns of a CSV file for each person; a run
      that was killed goes on with the same line, and nobody gets it twice

People and history from elsewhere:
  parley import validate people.jsonl       here, nothing is sent
  parley import upload people.jsonl
  parley import convert export.jsonl --out items.jsonl
  parley channel export messaging:ops --out ops.jsonl

What people reported, and what is done about it:
  parley moderation queue             what waits, oldest first
  parley moderation act keep|delete|ban <report> --by mira
  parley moderation logs              what was decided

What is held of a person, handed out or deleted, with a proof of it:
  parley gdpr export dora             a folder with files, counts and hashes
  parley gdpr delete dora             asks for the name; goes on when killed

Jobs that take long run at the provider as tasks. Commands that begin one wait
for it; with --no-wait they name it, with --within 5m they end with exit code 8
when it is not over, and parley task wait <task> waits again.
`,
  },
  importing: {
    summary: "Messages from Slack and elsewhere",
    text: () => `Messages from elsewhere.

A file of messages is turned into a file of items, looked at, and imported:
  parley import convert slack-export.zip --out items.jsonl
  parley import validate items.jsonl
  parley import upload items.jsonl

The embedded provider takes it at once: parley local import slack-export.zip

What it is, the file says itself; --source says it for one that could be both.

The zip of a Slack export: people, channels, private groups and direct
conversations with their members, messages with threads, reactions and the
addresses of files. Channels and people keep Slack's ids; a message has the id
slack-<channel>-<time>, so a second import changes nothing. Not in it: edits,
when somebody reacted, read marks, custom emoji, canvases. Addresses of files
want a token of Slack's and end with it. Texts are cut at 20,000 characters.

Plain lines, for all else: a JSON object a line, in any order
  {"channel":"ops","user":"ana","text":"up?","at":"2026-05-01T10:00:00Z"}
channel   an id, or type:id
user      who wrote it: letters, digits, _ - @
text      the message
at        RFC 3339, or seconds or milliseconds since 1970
id        optional, 1 to 255 characters; without it one is made of the line
parent    optional, the id of the message that this one answers
name      optional, what the user is called
Who wrote in a channel becomes a member of it.

An export of Parley's own (parley channel export, v1 or v2) is taken as well;
parley export --format import writes items at once. An import of them and a
second export give the same items. What items cannot carry: polls and live
locations (their messages stay, without them), pins without an end, that a
message was edited or silent, who pinned a channel, and titles of threads.
What is unread is counted anew from what each has read. What is not in a
channel does not travel either: drafts, reminders, mutes, blocks, devices, and
settings (parley app backup has those).

An import that has begun cannot be cancelled: the provider has no call for it,
and what it has written stays. Ctrl-C ends the waiting alone; parley import wait
waits again. Look first: parley import validate, and upload with -n.
`,
  },
  times: {
    summary: "How times are written",
    text: () => `Times.

  2h  30m  7d          ago (--since, --before), or from now (--until of pins,
                       mutes and bans, --in and --at of reminders, --for of
                       locations, --within of everything that waits)
  2026-12-01           local midnight
  2026-12-01T09:00     local time
  2026-12-01T09:00:00Z
  1795198007           seconds or milliseconds since 1970
Bare short numbers are refused: nobody knows their unit.
`,
  },
  filters: {
    summary: "Filters of lists",
    text: () => `Filters are JSON objects; several keys mean and.

  parley channel list --filter '{"type":"team","frozen":true}'
  parley user list --filter '{"role":{"$in":["admin","moderator"]}}'
Operators: $eq $ne $gt $gte $lt $lte $in $nin $exists $contains $autocomplete $q
and $and $or $nor over lists of filters.
`,
  },
  security: {
    summary: "Where secrets lie",
    text: () => `Secrets.

No flag takes a secret's value: arguments are seen by everybody on a machine.
Tokens and secrets come from a hidden prompt, standard input, a file or the
environment. They are kept in the OS keyring when one answers, else in
credentials.json, which only you can read; a file others can read is refused.
Texts of other people are cleaned before they reach the terminal.
Nothing is reported to anybody.
`,
  },
};
