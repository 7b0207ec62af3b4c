/** Which operations only read, and which of those change something on this machine. */

/** Every other one is a write. */
export const READS: ReadonlySet<string> = new Set(
  `message list|message get|message history|message link|message open|message reactions|message replies
channel list|channel get|channel watchers|channel read-state|member list|user list|user get
gdpr export|user presence|user muted|user blocked|user export|thread list|thread get|poll get
poll results|poll votes|poll list|location list|draft list|draft get|reminder list
moderation ban list|moderation future-bans|moderation flags|moderation queue|moderation logs|push test|push template|moderation reports|device list|push provider list|app get
app diff|app backup|plan|limits|channel-type list|channel-type get|role list|permission list|permission get
command list|command get|blocklist list|blocklist get|import validate|import get|import list
import wait|outbox list|outbox retry|outbox drop|import convert|task get|task wait
campaign new|campaign check|campaign preview|campaign optout list|campaign report|campaign diff|campaign optout add
campaign optout remove|campaign get|campaign list|campaign watch|campaign stats|segment get|segment list
segment targets|segment has|segment size|segment diff|link preview|unread|search
wait|archive create|archive update|archive merge|archive verify|archive search|archive show|archive stats|export`.split(
    /[|\n]/,
  ),
);

/** They open what is on this machine, send nothing, or send what was written before, and write or forget files here. */
export const LOCAL_WRITES: ReadonlySet<string> = new Set([
  "message open",
  "app backup",
  "gdpr export",
  "archive create",
  "archive update",
  "archive merge",
  "export",
  "outbox retry",
  "outbox drop",
  "campaign new",
  "campaign optout add",
  "campaign optout remove",
  "import convert",
]);
