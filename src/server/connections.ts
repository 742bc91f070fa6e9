import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections held at once, in all and from one address; probes and a scraper need a handful. */
const maxConnections = 128;
const maxPerAddress = 16;
/** Requests of one connection that may wait for their answers: no probe and no scraper sends a second before the first is answered. */
const maxPipelined = 4;

/** One connection as long as it is open. */
type Held = {
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
  readonly #held = new Map<Socket, Held>();

  /** Watches over the connections of a server. */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.#admit(socket));
  }

  /** Takes a request into account until its answer is out. `false`: the connection asked for too much at once, and is ended. */
  begin(response: ServerResponse): boolean {
    const { socket } = response.req;
    const held = this.#held.get(socket);
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
    this.#held.set(socket, { address, unanswered: 0 });
    socket.once('close', () => this.#held.delete(socket));
  }

  #counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { address } of this.#held.values()) counts.set(address, (counts.get(address) ?? 0) + 1);
    return counts;
  }

  #evict(address: string): void {
    const candidates = [...this.#held].filter(([, held]) => held.address === address);
    const [victim] = candidates.find(([, { unanswered }]) => unanswered === 0) ?? candidates[0] ?? [];
    if (!victim) return;
    // Not only when it is closed: until then it would be chosen again.
    this.#held.delete(victim);
    victim.destroy();
  }
}

/** The address with the highest count. */
function mostOf(counts: ReadonlyMap<string, number>): string {
  let most: readonly [string, number] = ['', 0];
  for (const entry of counts) if (entry[1] > most[1]) most = entry;
  return most[0];
}
