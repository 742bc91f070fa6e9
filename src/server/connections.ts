import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

/** Connections held at once, in all and from one address; probes and a scraper need a handful. */
const maxConnections = 128;
const maxPerAddress = 16;
/** Requests of one connection that may wait for their answers: no probe and no scraper sends a second before the first is answered. */
const maxPipelined = 4;

/** One connection as long as it is open. */
type Held = {
  readonly socket: Socket;
  readonly address: string;
  /** Requests whose answers are not written yet. */
  unanswered: number;
};

/**
 * Keeps room for the next connection, so that a probe always gets in: one too many ends another, of the same address or else
 * of the address that holds most, first one that asks for nothing, then the oldest. In the order in which they came, so that
 * whoever has just connected has time to ask.
 */
export class Connections {
  /** By who is at the other end: with TLS a request has another socket than its connection. */
  readonly #held = new Map<string, Held>();

  /** Watches over the connections of a server. */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.#admit(socket));
  }

  /** Takes a request into account until its answer is out. `false`: the connection asked for too much at once, and is ended. */
  begin(response: ServerResponse): boolean {
    const { socket } = response.req;
    const held = this.#held.get(peerOf(socket));
    if (!held) return true;
    if (held.unanswered >= maxPipelined) {
      socket.destroy();
      return false;
    }
    held.unanswered += 1;
    response.once('close', () => {
      held.unanswered -= 1;
    });
    return true;
  }

  #admit(socket: Socket): void {
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    const counts = this.#counts();
    if ((counts.get(address) ?? 0) >= maxPerAddress) this.#evict(address);
    else if (this.#held.size >= maxConnections) this.#evict(mostOf(counts));
    const peer = peerOf(socket);
    const held = { socket, address, unanswered: 0 };
    this.#held.set(peer, held);
    socket.once('close', () => {
      if (this.#held.get(peer) === held) this.#held.delete(peer);
    });
  }

  #counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { address } of this.#held.values()) counts.set(address, (counts.get(address) ?? 0) + 1);
    return counts;
  }

  #evict(address: string): void {
    const candidates = [...this.#held].filter(([, held]) => held.address === address);
    const chosen = candidates.find(([, { unanswered }]) => unanswered === 0) ?? candidates[0];
    if (!chosen) return;
    const [peer, { socket }] = chosen;
    // Not only when it is closed: until then it would be chosen again.
    this.#held.delete(peer);
    socket.destroy();
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** The address with the highest count. */
function mostOf(counts: ReadonlyMap<string, number>): string {
  let most: readonly [string, number] = ['', 0];
  for (const entry of counts) if (entry[1] > most[1]) most = entry;
  return most[0];
}
