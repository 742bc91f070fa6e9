import type { LookupAddress } from 'node:dns';
import { connect as connectSocket, isIP, type LookupFunction, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { TransportError } from '../providers/provider.ts';
import type { Names } from './resolver.ts';
import type { Vet } from './vet.ts';

/** What connections are made by: which addresses may be reached, and how names become addresses. */
export type Reach = {
  readonly vet: Vet;
  readonly resolver: Names;
  /** What is refused may be allowed once the API server can be asked: a refusal is tried again. */
  readonly undecided?: boolean;
};

/** What TLS with a server is made with, where that is not what everybody uses. */
export type ServerTls = { readonly secureContext?: SecureContext };

/** Why an address was refused, thrown in the middle of connecting. */
export function blocked({ undecided = false }: Reach, why: string): TransportError {
  return new TransportError(undecided ? 'Unreachable' : 'BlockedAddress', why, false);
}

/** The addresses of a name that may be reached. Rejects with a refusal when there is none. */
export async function vettedAddresses(reach: Reach, name: string): Promise<readonly LookupAddress[]> {
  const { vet, resolver } = reach;
  const addresses = await resolver.resolve(name);
  const refusals = addresses.map(({ address }) => vet.address(address, name));
  const left = addresses.filter((_, index) => refusals[index] === undefined);
  if (left.length === 0) throw blocked(reach, refusals[0] ?? `${name} has no address`);
  return left;
}

/** The resolver as sockets ask it, leaving out addresses that may not be reached; an error when none is left. */
export function vettedLookup(reach: Reach): LookupFunction {
  return (name, { all, family }, callback) => {
    vettedAddresses(reach, name).then(
      (addresses) => {
        const asked = addresses.filter((found) => (family !== 4 && family !== 6 ? true : found.family === family));
        const [first] = asked;
        if (!first) callback(blocked(reach, `${name} has no address of this family`), '', 0);
        else if (all) callback(null, [...asked]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}

/** Connects only to vetted addresses: names through the lookup, literal addresses here, and the result once more. */
export function vettedConnector(reach: Reach, timeoutMs: number, tls: ServerTls): buildConnector.connector {
  const { vet } = reach;
  const connect = buildConnector({ timeout: timeoutMs, lookup: vettedLookup(reach), allowH2: false, ...tls });
  return (options, callback) => {
    const refusal = refusalOf(vet, options.hostname);
    if (refusal !== undefined) {
      callback(blocked(reach, refusal), null);
      return;
    }
    connect(options, (error, socket) => {
      if (error || !socket) {
        callback(error ?? new Error('no connection'), null);
        return;
      }
      const reached = socket.remoteAddress;
      const late = reached === undefined ? undefined : vet.address(reached);
      if (late === undefined) callback(null, socket);
      else {
        socket.destroy();
        callback(blocked(reach, late), null);
      }
    });
  };
}

/** A host as URLs write it, without the brackets of an IPv6 address. */
export const bare = (host: string): string => host.replace(/^\[|\]$/g, '');

/** Why a host may not be reached, as far as its name or literal address tells. */
function refusalOf(vet: Vet, hostname: string): string | undefined {
  const host = bare(hostname);
  return isIP(host) === 0 ? vet.name(host) : vet.address(host);
}

/**
 * Begins a TCP connection to a vetted address, for protocols that HTTP's pools do not speak. `connected` rejects with
 * `TransportError` or with the system's error; destroying the socket with an error rejects with that.
 */
export function connectVetted(
  reach: Reach,
  { host, port }: { readonly host: string; readonly port: number },
): { readonly socket: Socket; readonly connected: Promise<void> } {
  const { vet } = reach;
  const refusal = refusalOf(vet, host);
  const socket = connectSocket({ host: bare(host), port, lookup: vettedLookup(reach) });
  // Whoever uses the connection hears of its end; an error after that must not end the process.
  socket.on('error', () => undefined);
  const connected = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      const late = socket.remoteAddress === undefined ? undefined : vet.address(socket.remoteAddress);
      if (late === undefined) resolve();
      else {
        socket.destroy();
        reject(blocked(reach, late));
      }
    });
  });
  if (refusal !== undefined) socket.destroy(blocked(reach, refusal));
  return { socket, connected };
}
