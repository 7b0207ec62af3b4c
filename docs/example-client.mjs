// A program on Parley's client core: it connects, watches a channel, sends, listens, reads and closes.
//
// With the embedded provider, from a clone:
//   ./bin/parley.js local start && eval "$(./bin/parley.js local status -o env)"
//   PARLEY_TOKEN=$(./bin/parley.js local token mira) npx node docs/example-client.mjs
//
// Any other provider does as well: its address, the app's key, a user and the user's token.
import { ApiError, createClient } from "parley-chat/core";

const { PARLEY_LOCAL_URL: baseUrl, PARLEY_LOCAL_KEY: apiKey, PARLEY_TOKEN: token } = process.env;

// Nothing is kept on disk here; `store: { state, cache }` names two files where unsent messages outlive the program.
const client = createClient({ baseUrl, apiKey, isLoopback: true });

try {
  // Resolves with the own user when the live connection stands; while the network fails it goes on trying.
  const me = await client.connectUser({ id: "mira", name: "Mira" }, token);
  console.log(`connected as ${me.id}, ${me.total_unread_count ?? 0} unread`);

  // Made if it is not there; from now on its events come.
  const cid = "messaging:kettle";
  await client.watch(cid, { name: "Tea room", members: [me.id] });

  // Listening: events come after the state has changed.
  const heard = new Promise((resolve) => {
    const end = client.on("message.new", ({ message }) => {
      console.log(`heard ${message.user.id}: ${message.text}`);
      end();
      resolve(undefined);
    });
  });

  // Sending: it is in the state at once; `outcome` says what became of it. A send is never made twice.
  const { outcome } = client.send({ cid }, { text: "The kettle is on" });
  const sent = await outcome;
  console.log(`sent: ${sent.state}`);
  await heard;

  // Reading: one immutable snapshot, the same object until something changes.
  const latest = client
    .state()
    .channels.get(cid)
    .sets.find((set) => set.isLatest);
  for (const message of latest.messages) console.log(`read ${message.user.id}: ${message.text}`);
  await client.markRead(cid);

  // Any route of the protocol by its name, typed; docs/protocol.md lists them.
  const { channels } = await client.call("queryChannels", {
    body: { filter_conditions: { members: { $in: [me.id] } } },
  });
  console.log(`member of: ${channels.map(({ channel }) => channel.cid).join(", ")}`);

  // Its events come no more, and another user may connect on this client.
  await client.stopWatching(cid);
  await client.disconnectUser();
} catch (error) {
  // ApiError: the provider said no. TransportError: no usable answer. LocalError: refused before any request.
  console.error(error instanceof ApiError ? `refused with code ${error.code}: ${error.message}` : error);
  process.exitCode = 1;
} finally {
  await client.close();
}
