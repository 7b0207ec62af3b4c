#!/bin/sh
# From a token to live events, a thread, a poll and a campaign, with curl, openssl and wscat alone.
# URL, KEY and SECRET say where the provider is: http://127.0.0.1:4100, its key, its secret.
set -eu

# --- tokens: a JWT signed with the secret (HS256) ---------------------------------------------------
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
token() {
  unsigned="$(printf '{"alg":"HS256","typ":"JWT"}' | base64url).$(printf '%s' "$1" | base64url)"
  printf '%s.%s' "$unsigned" "$(printf '%s' "$unsigned" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64url)"
}
SERVER=$(token '{"server":true}')
ANA=$(token '{"user_id":"ana"}')
BO=$(token '{"user_id":"bo"}')

# --- one call: token, method, path with its query, body ---------------------------------------------
call() {
  case $3 in *\?*) joint='&' ;; *) joint='?' ;; esac
  if [ $# -gt 3 ]; then set -- "$@" --data "$4"; else set -- "$1" "$2" "$3" '' ; fi
  who=$1 method=$2 url="$URL$3${joint}api_key=$KEY"
  shift 4
  curl -sS --fail-with-body -X "$method" "$url" "$@" \
    -H "Authorization: $who" -H 'stream-auth-type: jwt' -H 'Content-Type: application/json'
  echo
}
encode() { printf '%s' "$1" | od -An -tx1 -v | tr -d '\n' | tr ' ' '%'; }
# Waits until the events hold a text.
heard() {
  tries=0
  until grep -q "$1" "$EVENTS"; do
    tries=$((tries + 1))
    if [ $tries -gt 100 ]; then echo "never heard: $1" >&2; exit 1; fi
    sleep 0.1
  done
  echo "heard $1"
}
# Fails unless an answer holds a text.
holds() { if ! grep -q "$1"; then echo "the answer does not hold: $1" >&2; exit 1; fi; echo "answered $1"; }

# --- people and a channel -----------------------------------------------------------------------------
call "$SERVER" POST /users '{"users":{"ana":{"id":"ana","name":"Ana"},"bo":{"id":"bo","name":"Bo"}}}' | holds '"name":"Bo"'
call "$ANA" POST /channels/messaging/tea/query '{"data":{"members":["ana","bo"],"name":"Tea"},"state":true}' | holds '"cid":"messaging:tea"'

# --- live events of Bo --------------------------------------------------------------------------------
WORK=$(mktemp -d) EVENTS=$WORK/events
touch "$EVENTS"
mkfifo "$WORK/in" && exec 3<> "$WORK/in" # wscat ends with its standard input, so that stays open
hello=$(encode '{"user_id":"bo","user_details":{"id":"bo"},"server_determines_connection_id":true}')
wscat --connect "$(printf '%s' "$URL" | sed 's/^http/ws/')/connect?json=$hello&api_key=$KEY&authorization=$BO&stream-auth-type=jwt" \
  --execute '[{"type":"health.check"}]' --wait 60 <&3 > "$EVENTS" 2>&1 &
SOCKET=$!
trap 'kill $SOCKET 2> /dev/null || true; rm -rf "$WORK"' EXIT
heard '"type":"health.check"'
CONNECTION=$(sed -n 's/.*"connection_id":"\([^"]*\)".*/\1/p' "$EVENTS" | head -n 1)
call "$BO" POST "/channels/messaging/tea/query?user_id=bo&connection_id=$CONNECTION" '{"watch":true,"state":true}' | holds '"watcher_count":1'

# --- a message, a reaction, a thread ------------------------------------------------------------------
call "$ANA" POST /channels/messaging/tea/message '{"message":{"id":"ana-1","text":"Tea at noon?"}}' | holds '"id":"ana-1"'
heard '"type":"message.new".*ana-1'
call "$BO" POST /messages/ana-1/reaction '{"reaction":{"type":"love"}}' | holds '"love"'
heard '"type":"reaction.new"'
call "$ANA" POST /channels/messaging/tea/message '{"message":{"id":"ana-2","text":"In the garden.","parent_id":"ana-1"}}' | holds '"parent_id":"ana-1"'
call "$BO" POST /channels/messaging/tea/message '{"message":{"id":"bo-1","text":"Gladly.","parent_id":"ana-1"}}' | holds '"type":"reply"'
call "$ANA" GET /messages/ana-1/replies | holds '"id":"bo-1"'
call "$ANA" POST /threads '{"reply_limit":3}' | holds '"reply_count":2'
call "$ANA" GET /unread | holds '"parent_message_id":"ana-1"'
call "$ANA" POST /channels/messaging/tea/read '{"thread_id":"ana-1"}' | holds '"thread"'
heard '"type":"message.read"'

# --- a poll -------------------------------------------------------------------------------------------
call "$ANA" POST /polls '{"id":"poll-1","name":"Green or black?","options":[{"id":"green","text":"Green"},{"id":"black","text":"Black"}]}' | holds '"vote_count":0'
call "$ANA" POST /channels/messaging/tea/message '{"message":{"id":"ana-3","text":"","poll_id":"poll-1"}}' | holds '"poll_id":"poll-1"'
call "$BO" POST /messages/ana-3/polls/poll-1/vote '{"vote":{"option_id":"green"}}' | holds '"vote_count":1'
heard '"type":"poll.vote_casted"'
call "$ANA" PATCH /polls/poll-1 '{"set":{"is_closed":true}}' | holds '"is_closed":true'
heard '"type":"poll.closed"'

# --- a campaign: one message of Ana to each of many, in channels of their own -------------------------
call "$SERVER" POST /campaigns '{"id":"spring","name":"Spring tea","sender_id":"ana","user_ids":["bo"],"create_channels":true,
  "channel_template":{"type":"messaging","id":"spring-{{receiver.id}}"},"message_template":{"text":"Hello {{receiver.name}}, the spring tea is here."}}' | holds '"status":"draft"'
call "$SERVER" POST /campaigns/spring/start '{}' | holds '"campaign"'
heard 'Hello Bo, the spring tea is here.'
tries=0
until call "$SERVER" GET /campaigns/spring | grep -q '"status":"completed"'; do
  tries=$((tries + 1)); if [ $tries -gt 100 ]; then echo 'the campaign did not end' >&2; exit 1; fi
  sleep 0.1
done
call "$SERVER" GET /campaigns/spring | holds '"stats_messages_sent":1'
echo done
