/** A name server on loopback: what it answers is a table, and it can be silent. */
import { createSocket } from 'node:dgram';

/** What a name has: its addresses, `absent` (it does not exist), `broken` (the server fails) or `silent` (no answer ever). */
type Zone = Readonly<Record<string, readonly string[] | 'absent' | 'broken' | 'silent'>>;

export type NameServer = AsyncDisposable & {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** Names asked for, in order, each once per family. */
  readonly asked: readonly string[];
};

const typeAAAA = 28;

/** The name and type of a question, and where it ends. RFC 1035, 4.1. */
function questionOf(packet: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: packet.readUInt16BE(at + 1), end: at + 5 };
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  // Tests write all eight groups.
  return Buffer.from(
    address.split(':').flatMap((group) => {
      const number = Number.parseInt(group, 16);
      return [number >> 8, number & 255];
    }),
  );
}

/** One answer per address: pointer to the name, type, class, 5 s to live, length, data. */
function record(address: string, type: number): Buffer {
  const data = bytesOf(address);
  const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 5, 0, data.length]);
  return Buffer.concat([head, data]);
}

/** Starts it. Names that are not in the zone do not exist. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4', (packet, { port, address }) => {
    const { name, type, end } = questionOf(packet);
    asked.push(name);
    const has = zone[name] ?? 'absent';
    if (has === 'silent') return;
    const list = typeof has === 'string' ? [] : has;
    const found = list.filter((each) => each.includes(':') === (type === typeAAAA)).map((each) => record(each, type));
    const code = has === 'absent' ? 3 : has === 'broken' ? 2 : 0;
    const header = Buffer.from([packet[0] ?? 0, packet[1] ?? 0, 0x81, 0x80 | code, 0, 1, 0, found.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([header, packet.subarray(12, end), ...found]), port, address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((done) => socket.close(() => done()));
    },
  };
}
