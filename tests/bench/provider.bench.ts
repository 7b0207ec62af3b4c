/** The provider alone: durable sends a second over HTTP from eight connections, and fan-out of one message to 500 sockets. */
import http from "node:http";
import WebSocket from "ws";
import { signToken } from "../../src/wire/token.ts";
import { percentile } from "./measure.ts";
import type { Figure } from "./report.ts";
import { Stage } from "./stage.ts";

const SENDS = 6000;
const CONNECTIONS = 8;
const SOCKETS = 500;
const ROUNDS = 30;

export async function run(): Promise<Figure[]> {
  const stage = new Stage().start();
  try {
    return [await sends(stage), await fanOut(stage)];
  } finally {
    await stage.end();
  }
}

/** Each connection waits for its response before it sends again: a response means the message is durable. */
async function sends(stage: Stage): Promise<Figure> {
  await stage.call("POST", "/users", { users: { sender: { id: "sender" } } });
  await stage.channel("bench-sends", ["sender"]);
  const { url, apiKey, secret } = stage.address;
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const token = signToken({ user_id: "sender" }, secret);
  const send = (n: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({
        message: {
          id: `sender-${n}`,
          text: `message number ${n} of a steady stream of eighty characters, give or take a few.`,
        },
      });
      const request = http.request(
        `${url}/channels/messaging/bench-sends/message?api_key=${apiKey}&user_id=sender`,
        {
          method: "POST",
          agent,
          headers: {
            authorization: token,
            "stream-auth-type": "jwt",
            "content-type": "application/json",
            "content-length": Buffer.byteLength(body),
          },
        },
        (answer) => {
          answer
            .resume()
            .on("end", () =>
              answer.statusCode === 201 ? resolve() : reject(new Error(`status ${answer.statusCode}`)),
            );
        },
      );
      request.on("error", reject).end(body);
    });
  let next = 0;
  const lane = async (until: number): Promise<void> => {
    while (next < until) await send(next++);
  };
  const lanes = (until: number): Promise<void[]> =>
    Promise.all(Array.from({ length: CONNECTIONS }, () => lane(until)));
  await lanes(500);
  const began = performance.now();
  await lanes(500 + SENDS);
  const perSecond = (SENDS / (performance.now() - began)) * 1000;
  agent.destroy();
  return {
    name: "durable sends over HTTP, 8 connections",
    unit: "/s",
    measured: perSecond,
    budget: 1500,
    atLeast: true,
    scaled: true,
  };
}

/** Milliseconds from writing the send to its arrival at a socket, for every socket of every round. */
async function fanOut(stage: Stage): Promise<Figure> {
  const { url, apiKey, secret } = stage.address;
  const users = Array.from({ length: 50 }, (_, n) => `listener${n}`);
  await stage.call("POST", "/users", {
    users: Object.fromEntries([...users, "speaker"].map((id) => [id, { id }])),
  });
  await stage.channel("bench-fan", ["speaker", ...users]);
  const sockets: WebSocket[] = [];
  const delays: number[] = [];
  let sentAt = 0;
  let arrived = 0;
  let all: () => void = () => {};
  for (let n = 0; n < SOCKETS; n++) {
    const id = users[n % users.length]!;
    const token = signToken({ user_id: id }, secret);
    const query = new URLSearchParams({
      api_key: apiKey,
      authorization: token,
      "stream-auth-type": "jwt",
      json: JSON.stringify({ user_id: id, user_details: { id } }),
    });
    const ws = new WebSocket(`${url.replace("http", "ws")}/connect?${query}`, { perMessageDeflate: false });
    sockets.push(ws);
    const hello = await new Promise<{ connection_id: string }>((resolve, reject) => {
      ws.once("message", (data: Buffer) => resolve(JSON.parse(data.toString()) as { connection_id: string }));
      ws.once("error", reject);
    });
    const answer = await fetch(
      `${url}/channels/messaging/bench-fan/query?api_key=${apiKey}&user_id=${id}&connection_id=${hello.connection_id}`,
      {
        method: "POST",
        headers: { authorization: token, "stream-auth-type": "jwt", "content-type": "application/json" },
        body: JSON.stringify({ watch: true, state: false }),
      },
    );
    if (!answer.ok) throw new Error(`watch: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    ws.on("message", (data: Buffer) => {
      if (data.indexOf('"message.new"') < 0) return;
      delays.push(performance.now() - sentAt);
      if (++arrived === SOCKETS) all();
    });
  }
  for (let round = 0; round < ROUNDS; round++) {
    arrived = 0;
    const everybody = new Promise<void>((resolve) => (all = resolve));
    sentAt = performance.now();
    await stage.call("POST", "/channels/messaging/bench-fan/message", {
      message: { id: `speaker-${round}`, text: `round ${round}`, user_id: "speaker" },
    });
    await everybody;
  }
  for (const ws of sockets) ws.terminate();
  return {
    name: "fan-out of one message to 500 sockets, p95",
    unit: "ms",
    measured: percentile(delays, 0.95),
    budget: 100,
    scaled: true,
  };
}
