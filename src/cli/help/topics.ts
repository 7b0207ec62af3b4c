/** The help topics: environment, exit codes, formatting, scripting and more. */
import { FOREIGN_FORMATS } from "../../model/files/foreign-formats.gen.ts";
import { SETTINGS, settingKeys, type SettingRow } from "../../config/settings.ts";
import { EXITS } from "../base/exit.ts";
import type { CommandTree } from "../base/command-tree.ts";
import { everyCommand, flagsHelp, wrap } from "./help.ts";

interface Topic {
  summary: string;
  text(tree: CommandTree): string;
}

/** What the lists of each noun may be filtered by; a test compares it with what the service documents. */
const FILTER_FIELDS: Readonly<Record<string, string>> = {
  "channel list, export, archive create":
    "cid type name members member.user.name created_by_id team frozen disabled joined invite hidden muted pinned archived has_unread member_count filter_tags created_at updated_at last_message_at",
  "user list, segment create": "id name role banned shadow_banned teams created_at updated_at last_active",
  "member list": "id name channel_role banned joined invite created_at updated_at last_active",
  "thread list": "channel_cid parent_message_id created_by_user_id created_at updated_at last_message_at",
  "poll list":
    "id name created_by_id voting_visibility is_closed allow_answers allow_user_suggested_options created_at updated_at",
  "campaign list": "id status sender_id",
  "segment list": "id type name description size created_at updated_at",
  "moderation ban list": "user_id banned_by_id channel_cid reason created_at",
  "moderation flags, reports": "id user_id channel_cid is_reviewed",
};

const fieldsPerNoun = (): string =>
  Object.entries(FILTER_FIELDS)
    .map(([nouns, names]) => `  ${nouns}\n      ${wrap(names, 74).join("\n      ")}`)
    .join("\n");

export const TOPICS: Readonly<Record<string, Topic>> = {
  topics: {
    summary: "This list",
    text: () =>
      `Topics, read with parley help <topic>:\n\n${Object.entries(TOPICS)
        .map(([name, topic]) => `  ${name.padEnd(14)}${topic.summary}`)
        .join("\n")}\n`,
  },
  commands: { summary: "The commands; with --all every one in a line", text: (tree) => everyCommand(tree) },
  flags: { summary: "Flags of every command", text: flagsHelp },
  environment: {
    summary: "Environment variables",
    text: () => {
      const rows: [string, string][] = settingKeys.flatMap((key) => {
        const { env = [], screen, words }: SettingRow = SETTINGS[key];
        return screen ? [] : env.map((name): [string, string] => [name, words]);
      });
      rows.push(
        ["PARLEY_TOKEN", "A user token for this run; nothing is stored."],
        ["PARLEY_API_SECRET", "The app's secret for this run; nothing is stored."],
        [
          "PARLEY_FORCE_TTY",
          "A number of columns: print as if standard output were a terminal of that width.",
        ],
        ["PARLEY_DEBUG", "1: errors include a stack trace."],
        ["PARLEY_RUN_SUMMARY", "1: print one JSON line on standard error at the end of each run."],
        ["PARLEY_KEYRING", "off: store secrets in the private file."],
        [
          "PARLEY_LOCAL_SEED",
          "none: a new data folder of the embedded provider starts empty, without the demo.",
        ],
        ["PARLEY_LOCAL_DATA", "The embedded provider's data folder."],
        ["NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE", "Colour, with their usual meanings."],
        [
          "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_DATA_HOME",
          "Where files are stored: parley config path.",
        ],
      );
      return `Environment variables. Flags take precedence over them, and they over files.\n\n${rows
        .map(([name, words]) => `  ${name}\n      ${wrap(words, 74).join("\n      ")}`)
        .join(
          "\n",
        )}\n\nThe settings of the screen have variables, too: parley config list names them\nall, and PARLEY_SIDEBAR_ORDER is that of sidebar.order.\n`;
    },
  },
  "exit-codes": {
    summary: "What each exit code means",
    text: () =>
      `Exit codes; they are never renumbered.\n\n${EXITS.map((row) => `  ${String(row.code).padStart(3)}  ${row.words}`).join("\n")}\n`,
  },
  formatting: {
    summary: "Output as tables, TSV, JSON, CSV, jq and templates",
    text: () => `Output formats.

Results are tables on a terminal, and tab-separated without a header in a pipe.
Times are RFC 3339 in data and local time in tables (use --utc for UTC).

  --json            an array for lists, an object for single items
  --json=a,b.c      only these fields; missing values are null
  --fields          list the available fields, without calling the provider
  --ndjson          one object per line (the only JSON that tail prints)
  --slurp           one document, whatever the number of pages: for lists what
                    --json is, for api --paginate an array of the answers
  --jq FILTER       apply jq to each item, raw strings; with --json to the whole
  --template TEXT   print '{{cid}}\\t{{name}}' for each item
  --csv             a header of field names; formulas are escaped

A list is an array even if it has one item. Nothing is cut silently: if there is
more, the cursor for --next is printed on standard error.

CSV that commands read may use commas, semicolons, tabs or bars (or start with a
line such as sep=;), double or single quotes, and UTF-8, UTF-16 or Latin-1.
There are no flags for it: a line such as sep=; sets the separator for every
program that reads the file. Convert any other encoding first:

  iconv -f SHIFT-JIS -t UTF-8 people.csv | parley user upsert --file - --yes
`,
  },
  templates: {
    summary: "Fields in double braces: in output, campaigns and push",
    text: () => `Templates. What stands in {{double braces}} is replaced by a field.

In output, a field of the item, nested ones with dots (--fields lists them):

  parley channel list --template '{{cid}}\\t{{name}}'
  parley message list '#ops' --template '{{user.id}}: {{text}}'

In the text of a campaign, any field of its sender, receiver and channel, and
with --mode messages a column of the file as a field of the receiver:

  Hi {{ receiver.name }}, this is {{ sender.name }}.

parley campaign check names every field that somebody lacks, and parley campaign
preview shows the message as one person gets it. Placeholders of other tools
(*|FNAME|*, %recipient.name%, {% if x %}) and other braces are told, not sent.

In push templates also conditions, lists and helpers, as in
{{#if sender.name}}…{{else}}…{{/if}}, {{truncate message.text 150}} and
{{#each mentioned_users}}…{{/each}}; parley push template render shows one
rendered.
`,
  },
  scripting: {
    summary: "Using Parley in scripts",
    text: () => `Parley in scripts.

  echo done | parley send '#ops' -
  make 2>&1 | parley send '#ops' --split --code text -
  tail -f app.log | parley send '#ops' --lines -
  parley tail --all --ndjson | jq -r .message.text
  parley tail '#ops' --until-match 'deploy done' --exit-after 10m
  parley tail '#ops' --last 0 --exec ./on-message.sh

A filter, and the value in name=value, can be read from a file (@file) or from
standard input (@-); @@ is a literal @:
  parley channel list --filter @mine.json
  parley send '#ops' --custom notes=@notes.txt release 3

A gate asks and waits. It prints the answer; any answer but the first option (or
those of --expect) exits with 15, no answer with 8:
  parley ask '#ops' 'Deploy?' --options yes,no --within 10m && ./deploy.sh
  parley wait '#ops' --user ana --match '^go$' --within 1h && ./deploy.sh

A send exits with 0 only when the provider has the message, or with --queue
when the outbox has it. 10 means that it was not sent: run the same line again.
11 means that the outcome is unknown: the command to check it is printed. With
--idempotency-key, running the same line twice sends one message.
With --json, an error is one JSON object on standard error. -n sends nothing.
Commands that change many items also read them from --file: ids one per line,
CSV, or what a list prints with --ndjson; - is standard input, line by line.
  parley user list --filter '{"role":"bot"}' --all --ndjson |
    parley user ban --file - --by mira --yes --report banned.ndjson
A file with an invalid record is refused as a whole. If some items are refused,
the others are still processed and the run exits with 9. --report writes a line
for each: line, id, result, reason; --resume with that file does the rest;
--max-errors N stops after N failures.
AI assistants get the same commands from parley mcp (read-only unless --write;
parley mcp --list shows them).
With CI set or --non-interactive, every prompt becomes exit code 2.

An open chat screen accepts commands from its user's scripts:

  parley screen run /search deploy
`,
  },
  extensions: {
    summary: "Your own programs as commands",
    text: () => `Extensions.

A program called parley-NAME in a folder of PATH is parley NAME in a shell and
/NAME in the message box. parley extension list shows them.

It gets the words after its name as arguments; in these variables, and as one
line of JSON on standard input unless something is piped in, it gets
  PARLEY_PROFILE   the profile              PARLEY_CHANNEL  the channel, type:id
  PARLEY_USER      the user, if known       PARLEY_THREAD   the open thread
  PARLEY_CALLER    shell or screen          PARLEY_MESSAGE  the message's id
                                            PARLEY_EXTENSION  its name
but never a token or a secret. Commands that it runs use the same profile.

In a shell its exit code is that of parley. In the message box one line that it
prints goes into the box, more into a popup, and nothing is sent; Esc stops it.
Commands, aliases and the provider's commands come before extensions.
`,
  },
  ops: {
    summary: "Running an app: the secret, campaigns, imports",
    text: () => `Running an app.

Some commands act for the app rather than for a user: their help says that they
need the app's secret, and lists mark them with *. The embedded provider has its
own secret. For any other provider, a profile holds it:

  parley login ops --key KEY --kind secret --secret-stdin < secret.txt
  parley -p ops limits
  PARLEY_API_SECRET=… parley -p ops app get

A profile with a secret can act as any user with --as <user>. A profile added
with --protected asks before every change. Try a change with -n first: it checks
everything and sends nothing. In a script, --yes answers questions, and
--confirm <word> those that require typing a word.

The whole configuration as a file to keep with your code: settings, channel
types, roles, grants, commands, blocklists and push providers:
  parley app backup --out app.yaml
  parley plan app.yaml        show what differs; exits with 14 if anything does
  parley apply app.yaml       apply it; asks before removing or granting
What the file does not name is left alone; --prune removes it. parley plan
--schema prints a schema for editors. To change single settings:
  parley app set reminders_interval=600 --yes
  parley channel-type set team replies=false
  parley permission grant team channel_member create-poll

People without an account, such as viewers of a livestream, are let in by the
embedded provider only after parley app set anonymous_users_enabled=true. A
hosted service has no such setting: there the grants of the role anonymous
decide.

A campaign sends one message to many people. From nothing to a sent campaign on
the embedded provider; each line runs as it stands:
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

spring.yaml explains each of its keys, and editors complete them from the schema
beside it. Its guards limit a start to what was intended: how many recipients,
at which hours, on which days. Further steps:
  parley campaign start spring.yaml   start now; asks for its id; -n only plans
  parley segment sync spring people.csv       CSV, NDJSON or one id per line
  parley campaign optout add dora             never again, for this profile
  parley campaign continue spring             send to those it missed
  parley campaign start codes.yaml --mode messages
      sent from this machine, with each person's columns of a CSV file; after a
      kill, the same line continues, and nobody receives it twice

Importing people and history:
  parley import validate people.jsonl       checks the file locally
  parley import upload people.jsonl
  parley import convert export.jsonl --out items.jsonl
  parley channel export messaging:ops --out ops.jsonl

Handling what people have reported:
  parley moderation queue             open reports, oldest first
  parley moderation act keep|delete|ban <report> --by mira
  parley moderation logs              past decisions

Exporting or deleting a person's data, with a proof file:
  parley gdpr export dora             a folder with files, counts and hashes
  parley gdpr delete dora             asks for confirmation; can be resumed

Long jobs run as tasks at the provider. Commands that start one wait for it;
with --no-wait they print its id, and with --within 5m they exit with 8 if it
has not finished by then. parley task wait <task> waits for it again.
`,
  },
  importing: {
    summary: "Messages from Slack and elsewhere",
    text: () => `Importing messages from elsewhere.

Convert a file of messages to an import file, check it, and import it:
  parley import convert slack-export.zip --out items.jsonl
  parley import validate items.jsonl
  parley import upload items.jsonl

The embedded provider takes it directly: parley local import slack-export.zip
adds to what is there and changes nothing of it; with --replace, what the file
says overwrites what is there. upload overwrites people and channels as a whole,
with --mode insert it leaves those that exist.

Without any provider, to read and search: parley archive import history
slack-export.zip makes an archive with the files of the export in it, and
parley archive view history shows it.

What is not used is listed on standard error with the reason. Exit code 9: a
text, file, reply or reaction is missing in the import, or cut.

The format is detected by the content; use --source if a file is ambiguous.

The exports of these services can be converted. A second import of one changes
nothing. A message with a text above 20,000 characters or more than 30 files
goes on in further messages. Files that are in the export are written beside the
import file, in items.jsonl.files, and uploaded with it. Polls and places become
text.

${Object.values(FOREIGN_FORMATS)
  .map(({ help }) => help)
  .join("\n\n")}

Plain NDJSON, for everything else: one JSON object per line, in any order
  {"channel":"ops","user":"ana","text":"up?","at":"2026-05-01T10:00:00Z"}
channel   an id, or type:id
user      the author: letters, digits, _ - @
text      the message
at        RFC 3339, or seconds or milliseconds since 1970
id        optional, 1 to 255 characters; by default derived from the line
parent    optional, the id of the message that this one replies to
name      optional, the name of the user
Authors become members of the channels they wrote in.

Dates later than now (but for the end of a pin) or at or before 1970-01-01, and
a second item with an id of the file, are refused: of a file of items or plain
lines nothing is imported then, of other exports the rest.

Parley's own exports (parley channel export, v1 or v2) are accepted as well;
parley export --format import writes an import file directly. Importing it and
exporting again gives the same items. Not carried over: polls and live
locations (their messages stay, without them), pins without an end, that a
message was edited or silent, who pinned a channel, and titles of threads.
Unread counts are computed again from what each has read. What is not in a
channel is left out too: drafts, reminders, mutes, blocks, devices, and
settings (parley app backup has those).

A running import cannot be cancelled: the provider has no call for it, and what
it has written stays. Ctrl-C only stops waiting; parley import wait waits again.
Check first: parley import validate, and upload with -n.
`,
  },
  times: {
    summary: "How times are written",
    text: () => `Times.

  2h  30m  1.5h  7d    ago (--since, --before), or from now (--until for pins,
                       mutes and bans, --in and --at of reminders, --for of
                       locations, --within of everything that waits)
  +2h  -30m            from now, and ago, everywhere
  in 10 min  an hour ago
  now
  today  yesterday  tomorrow
  monday  fri          the nearest one in the direction of the flag
  09:30  9pm  noon     today; the next one where a time to come is meant
  tomorrow 9pm  monday at 09:00
  2026-12-01           the beginning of the day
  2026-12-01T09:00     seconds may follow
  2026-12-01 9am
  2026-12-01T09:00Z    and with +09:00 instead of Z
  1795198007           seconds or milliseconds since 1970
What has no zone is in that of this machine (TZ), or of --tz where there is one.
Bare short numbers are refused, because their unit is unclear. Waiting times are
such as 500ms, 30s or 2m.
`,
  },
  filters: {
    summary: "Filters of lists",
    text: () => `Filters are JSON objects; several keys are combined with and.

  parley channel list --filter '{"type":"team","frozen":true}'
  parley user list --filter '{"role":{"$in":["admin","moderator"]}}'
Operators: $eq $ne $gt $gte $lt $lte $in $nin $exists $contains $autocomplete $q
and $and $or $nor over lists of filters. Fields besides those of one's own:

${fieldsPerNoun()}
`,
  },
  security: {
    summary: "Where secrets are stored",
    text: () => `Secrets.

No flag takes the value of a secret: everyone on a machine can see arguments.
Tokens and secrets come from a hidden prompt, standard input, a file or the
environment. They are stored in the OS keyring if there is one, else in
credentials.json, which only you can read; a file readable by others is refused.
Other people's texts are sanitized before they reach the terminal.
There is no telemetry.
`,
  },
};
