/** What people call the commands: words for the same act, and names of other tools. */

/** Words for the same act, best first: of those that a noun has, the first is meant. */
export const SAME_ACT: readonly (readonly string[])[] = `
get show info view describe details inspect print cat display results settings stats current
list ls all index show history
create new add make register upsert set open
upsert create new add make register put
add invite join insert append create new
delete remove rm del destroy erase drop clear forget deactivate
remove rm kick delete del drop
set edit change modify rename update put patch reset
edit change modify rename update correct
list find search query grep
search find grep query
stop cancel pause abort halt down kill quit end shutdown
close end finish lock
start run send launch go up begin execute
continue resume retry restart finish
use switch select activate checkout
watch status progress follow
share send post publish add set create
results show status
react emoji like
check verify validate test lint
validate check verify lint
verify check validate test
logs log history
listen list watch tail stream follow create add serve
grant allow permit add
revoke deny forbid remove
retry flush send resend
drop discard cancel clear
clone copy duplicate
size count
has contains
targets members users list-users
add add-user add-users
remove remove-user remove-users
deactivate disable suspend
reactivate enable
flag report
export download get
status ps info
reset wipe clear
explain where why
path file where
send create
act approve resolve review`
  .trim()
  .split("\n")
  .map((row) => row.split(" "));

/** `meant: words`: what is not found under its own noun, or has no noun. */
const NAMES = `
member list: channel members, channel users, members
member add: channel add-member, channel add-user, user add-to, invite
member ban: channel ban
member unban: channel unban
member remove: channel kick, channel remove-member, channel remove-user, user kick, kick
member role: role assign
user mute: member mute
user ban: ban, moderation ban
user unban: unban, moderation unban
user revoke: user logout, token revoke
user presence: user status
user set: user promote, user role
user token: token create, token new, token get, auth token, token
message list: channel messages, channel history, channel log, history, log, logs, cat, read, print
message get: thread message
message flag: message report, report
message replies: thread messages
thread reply: message reply, thread create, thread new, thread start, thread send, reply, respond
thread get: message thread
reminder set: message remind, remind
poll vote: message vote, vote
search: channel search, message search, message find, find, grep
send: channel send, channel post, channel message, user dm, user message, user send, message post, dm, msg, say, post, tell, write, whisper
tail: channel tail, channel follow, channel watch, channel listen, message tail, watch, follow, listen, stream, monitor
channel set: channel topic, channel name, rename, topic
channel list: ls, rooms, list
channel freeze: channel lock
channel unfreeze: channel unlock
chat: channel open, open, tui, ui, shell
upload: file upload, file add, file send, file create, attach, message upload
archive create: channel backup
archive show: archive open, archive read, archive cat
archive stats: archive list, archive ls, archive info
export: archive export, dump, save, download
app get: app settings
apply: app apply, app import, app load, deploy, sync
plan: app plan, diff
app backup: app export, app save, backup
campaign start: campaign send
campaign watch: campaign status
gdpr export: user gdpr
gdpr delete: gdpr erase
blocklist set: blocklist add
permission grant: role grant
permission revoke: role revoke
role list: role show, role get
config list: config show, settings, preferences, configure
profile list: profiles
profile add: profile login
whoami: me, who, id, status, user me, auth status, auth whoami, profile current
login: auth login, auth, signin, signup, setup, init, profile signin
logout: auth logout, signout, profile logout
token decode: token show
local start: local restart, local server, start, up
local stop: stop, down
serve: server
local reset: reset
local export: local backup
local import: local restore
webhook listen: webhook test
event listen: events
push test: push send
device add: push add, push register
import convert: import file, import slack
import upload: import start, import run
completion: completions, autocomplete
help: man, usage, docs
help commands: update, upgrade
api: request, curl, call
describe: schema
alias set: alias add
--version: version, about`;

/** Names of other tools → the command that is meant. */
export const MEANT: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.trim()
    .split("\n")
    .flatMap((line) => {
      const [meant, names] = line.split(": ", 2) as [string, string];
      return names.split(", ").map((name) => [name, meant]);
    }),
);
