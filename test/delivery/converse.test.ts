import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { Agent } from 'undici';
import { conversationLimits, converse } from '../../src/delivery/converse.ts';
import { settled, virtualClock } from './clock.ts';

/** A server that does with an upgrade what the test says, and the conversation with it. */
async function held(upgraded: (socket: Socket, accept: string) => void) {
  const server = createServer();
  const sockets: Socket[] = [];
  server.on('upgrade', (request, socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    upgraded(socket, createHash('sha1').update(key).digest('base64'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clock = virtualClock();
  const stop = new AbortController();
  const dispatcher = new Agent({ webSocket: conversationLimits });
  const heard: string[] = [];
  let ended: unknown;
  const url = new URL(`ws://127.0.0.1:${Object(server.address()).port}/?ticket=CANARY`);
  const conversation = converse(
    url,
    { signal: stop.signal, heard: (text) => heard.push(text) },
    { dispatcher, clock, timeoutMs: 5_000 },
  ).then(
    () => {
      ended = 'over';
    },
    (error: unknown) => {
      ended = error;
    },
  );
  return {
    ...{ clock, stop, heard, sockets, conversation, ended: () => ended },
    async until(holds: () => boolean) {
      const deadline = Date.now() + 10_000;
      while (!holds()) {
        assert.ok(Date.now() < deadline, 'not so after 10 s');
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    async close() {
      stop.abort();
      for (const socket of sockets) socket.destroy();
      await dispatcher.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

const open = (socket: Socket, accept: string): void => {
  const head = ['HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: Upgrade'];
  socket.write(`${[...head, `sec-websocket-accept: ${accept}`].join('\r\n')}\r\n\r\n`);
};
const hello = Buffer.from([0x81, 2, 0x68, 0x69]);
const ping = Buffer.from([0x89, 0]);

test('a connection on which nothing comes any more is given up; a ping keeps it', async () => {
  const one = await held(open);
  try {
    await one.until(() => one.sockets.length === 1);
    one.sockets[0]?.write(hello);
    await one.until(() => one.heard.length === 1);
    await one.clock.advance(80_000);
    one.sockets[0]?.write(ping);
    await one.until(() => (one.sockets[0]?.bytesRead ?? 0) > 0 && one.ended() === undefined);
    // The pong says that the ping was read.
    await once(one.sockets[0] as Socket, 'data').catch(() => undefined);
    await one.clock.advance(80_000);
    assert.equal(one.ended(), undefined);
    await one.clock.advance(15_000);
    await one.conversation;
    assert.equal(one.ended(), 'over');
  } finally {
    await one.close();
  }
});

test('who does not open a WebSocket is said by its host alone; who does not answer, after a while', async () => {
  const refusing = await held((socket) => socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'));
  await refusing.conversation;
  assert.match(String(refusing.ended()), /127\.0\.0\.1:\d+ does not open a WebSocket$/);
  await refusing.close();

  const mute = await held(() => undefined);
  await mute.until(() => mute.sockets.length === 1);
  await mute.clock.advance(5_000);
  await mute.conversation;
  assert.match(String(mute.ended()), /no answer from 127\.0\.0\.1:\d+ within 5 s$/);
  await mute.close();
});

test('nothing is heard once nobody listens', async () => {
  const one = await held(open);
  await one.until(() => one.sockets.length === 1);
  one.stop.abort();
  one.sockets[0]?.write(hello);
  await one.conversation;
  await settled();
  assert.deepEqual([one.heard, one.ended()], [[], 'over']);
  await one.close();
});

test('a message that says it is larger than one may be ends the conversation, before anything of it has come', async () => {
  const one = await held(open);
  await one.until(() => one.sockets.length === 1);
  const head = Buffer.alloc(10);
  head[0] = 0x81;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(conversationLimits.maxPayloadSize + 1), 2);
  one.sockets[0]?.write(head);
  await one.conversation;
  assert.deepEqual([one.heard, one.ended()], [[], 'over']);
  await one.close();
});
