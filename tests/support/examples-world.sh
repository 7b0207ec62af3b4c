# The users, channels and ids (such as ana-7f3c) that the examples in the help refer to.
set -e
parley user upsert mira --role admin --yes > /dev/null
for who in ana bo bob bot cy; do parley user upsert $who --name "$who" > /dev/null; done
for place in messaging:ops messaging:builds messaging:a messaging:b messaging:general team:tea; do parley channel create $place --name "${place#*:}" --member mira --member ana --member bo --member cy > /dev/null; done
parley channel create @ana > /dev/null
parley --as ana send messaging:ops --id ana-7f3c 'the release of the tea kettle' > /dev/null
parley --as bo send messaging:ops --id bo-7f3c 'hello' > /dev/null
parley segment create user --id testers --name Testers > /dev/null
parley segment create user --id old > /dev/null
parley segment add testers bo ana > /dev/null
parley segment add old bo > /dev/null
printf 'ana\nbo\n' > ids.txt; cp ids.txt bots.txt; cp ids.txt gone.txt; cp ids.txt unsubscribed.txt; cp ids.txt back.txt
printf 'id,name\nana,Ana\nbo,Bo\n' > people.csv
printf 'one\ntwo\n' > lines.txt; printf 'one\n' > app.log; printf 'a report' > report.pdf
printf '\211PNG' > a.png; cp a.png b.png
printf 'tea\nmilk\n' > words.txt
echo '{"filter_conditions":{"members":{"$in":["mira"]}},"limit":2}' > query.json
echo '{"type":"message.new"}' > body.json
parley local token bob > token.txt; printf s3cret > secret.txt
printf '{"type":"user","data":{"id":"dora","role":"user"}}\n' > people.jsonl; cp people.jsonl items.jsonl; cp people.jsonl more.jsonl
parley audit verify --jq .head > last-head 2>/dev/null || true
echo '{"reminders_interval":600}' > settings.json
echo '{"replies":false}' > kitchen.json
echo '{"sqs_url":"https://sqs.example.com/q","sqs_key":"K","sqs_secret":"S"}' > sqs.json
echo '{}' > credentials.json; echo '{"notification":{"title":"{{ sender.name }}"}}' > firebase.json
printf 'id: spring\nname: Spring\nsender_id: mira\nmessage_template: {text: "Hi {{receiver.name}}"}\naudience: {ids: ids.txt}\nchannel_template: {type: messaging, id: "news-{{receiver.id}}"}\ncreate_channels: true\n' > spring.yaml
parley archive create ~/archive > /dev/null; parley archive create ops.archive messaging:ops > /dev/null; parley archive create ana.archive messaging:a > /dev/null; cp -r ana.archive bo.archive
printf 'name: Spring\nsender_id: mira\nuser_ids: [bo]\nmessage_template: {text: hi}\nchannel_template: {type: messaging}\n' > fields.yaml
mkdir -p requests ops ~/.config/fish/completions
parley channel export messaging:ops --out ops.jsonl > /dev/null
printf 'name: Lunch where?\noptions: [Noodles, Soup]\nallow_answers: true\n' > lunch.yaml
parley --as ana message flag bo-7f3c > /dev/null
printf '{"channel":"ops","user":"ana","text":"hello","at":"2026-05-01T10:00:00Z"}\n' > lines.ndjson
parley channel-type set messaging --command giphy --yes > /dev/null
parley app backup --out app.yaml > /dev/null
