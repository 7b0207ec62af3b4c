// What Parley's client core keeps beside its state: lists that page, follow events by themselves and tell when they have changed.
//
// It runs as docs/example-client.mjs does:
//   PARLEY_TOKEN=$(./bin/parley.js local token mira) npx node docs/example-lists.mjs
import { createClient } from "parley-chat/core";

const { PARLEY_LOCAL_URL: baseUrl, PARLEY_LOCAL_KEY: apiKey, PARLEY_TOKEN: token } = process.env;
const client = createClient({ baseUrl, apiKey, isLoopback: true });

/** Each object that keeps a state has `state()`, an immutable snapshot, and `subscribe()`, called once after a change. */
const until = (list, met) =>
  new Promise((resolve) => {
    const look = () => {
      if (!met(list.state())) return;
      end();
      resolve(list.state());
    };
    const end = list.subscribe(look);
    queueMicrotask(look);
  });

try {
  // A push device of this machine, when it has one, is registered with the connection.
  client.setLocalDevice({ id: "the-token-of-this-device", push_provider: "firebase" });
  const me = await client.connectUser({ id: "mira", name: "Mira" }, token);
  const cid = "messaging:pantry";
  await client.watch(cid, { members: [me.id] });
  const say = async (text, parentId) => (await client.send({ cid, parentId }, { text }).outcome).message;
  const first = await say("Who takes the tea?");

  // Threads: own ones, unread first. `load` asks for the first page, `more` for the next.
  await say("I do", first.id);
  const { threads } = client;
  await threads.load();
  while (await threads.more());
  console.log(`threads: ${threads.state().threads.map((thread) => thread.reply_count)}`);

  // Reminders and bookmarks: by the time they are due, a notice when they are.
  const { reminders } = client;
  await reminders.load();
  const later = await reminders.create(first.id, reminders.offsets[0]);
  await until(reminders, ({ items }) => items.length === 1);
  console.log(`reminder: ${reminders.kind(later)}`);
  await reminders.show({ remind_at: null });
  console.log(`bookmarks: ${reminders.state().items.length}`);
  await reminders.remove(first.id);

  // Members of a channel, by any filter.
  const members = client.members(cid, { filter: { channel_role: "channel_member" } });
  await members.load();
  while (await members.more());
  console.log(`members: ${members.state().items.map(({ user_id }) => user_id)}`);

  // A search while one types: it waits for a rest, and only the newest answer counts.
  const search = client.search({ filter_conditions: { members: { $in: [me.id] } } });
  search.type("te");
  search.type("tea");
  const found = await until(search, ({ loading, results }) => !loading && results.length > 0);
  console.log(`found: ${found.results.map(({ text }) => text)}`);
  if (found.next) search.more();
  search.type("tea", { filter_conditions: { cid } });
  search.run();
  search.clear();

  // A live location: shared through the composer, then moved from here until it is stopped.
  const { locations } = client;
  locations.onTracking((run) => console.log(run ? "tracking" : "no longer tracking"));
  const composer = client.composer({ cid });
  composer.locate({ latitude: 52.37, longitude: 4.89, duration: 600_000 });
  const sharing = await composer.send().outcome;
  await until(locations, ({ tracked }) => tracked.length === 1);
  locations.position(52.38, 4.9);
  await locations.stop(sharing.message.id);

  // Sentences for people; each goes by itself after a while, or earlier.
  client.notify({ level: "info", text: "That was all" });
  for (const { id, text } of client.state().notices) {
    console.log(`notice: ${text}`);
    client.dismiss(id);
  }
} finally {
  await client.close();
}
