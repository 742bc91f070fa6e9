import { type LookupAddress, lookup as resolve } from 'node:dns';
import { connect as connectSocket, isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { TransportError } from '../providers/provider.ts';
import type { Vet } from './vet.ts';

/** Milliseconds for name resolution, TCP and TLS together. */
const connectTimeoutMs = 10_000;
/** Idle connections are kept this long: shorter than products do, so that fewer are found closed. Milliseconds. */
const keepAliveMs = 4_000;

/** Why an address was refused, thrown in the middle of connecting. */
function blocked(why: string): TransportError {
  return new TransportError('BlockedAddress', why, false);
}

/** Node's resolver, leaving out addresses that may not be reached; an error when none is left. */
function vettedLookup(vet: Vet): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const refusals = (error ? [] : addresses).map(({ address }) => vet.address(address));
      const left = (error ? [] : addresses).filter((_, index) => refusals[index] === undefined);
      const [first] = left;
      const failure = error ?? (first ? null : blocked(refusals[0] ?? `${hostname} has no address`));
      if (failure || !first) callback(failure ?? blocked(`${hostname} has no address`), '', 0);
      else if (options.all) callback(null, left);
      else callback(null, first.address, first.family);
    });
  };
}

/** Connects only to vetted addresses: names through the lookup, literal addresses here, and the result once more. */
function vettedConnector(vet: Vet): buildConnector.connector {
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: vettedLookup(vet), allowH2: false });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const refusal = isIP(host) === 0 ? vet.name(host) : vet.address(host);
    if (refusal !== undefined) {
      callback(blocked(refusal), null);
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
        callback(blocked(late), null);
      }
    });
  };
}

/**
 * Through a proxy the proxy connects, so names are resolved here only to vet them; one that only the proxy can resolve goes
 * through. Rejects with `TransportError` for what may not be reached.
 */
export async function vetForProxy(vet: Vet, hostname: string): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(host) === 0 ? vet.name(host) : vet.address(host);
  if (refusal !== undefined) throw blocked(refusal);
  if (isIP(host) !== 0) return;
  const addresses = await new Promise<LookupAddress[]>((done) => {
    resolve(host, { all: true }, (error, found) => done(error ? [] : found));
  });
  const refusals = addresses.map(({ address }) => vet.address(address));
  if (refusals.length > 0 && refusals.every((why) => why !== undefined)) throw blocked(refusals[0] ?? host);
}

/**
 * Begins a TCP connection to a vetted address, for protocols that HTTP's pools do not speak. `connected` rejects with
 * `TransportError` or with the system's error; destroying the socket with an error rejects with that.
 */
export function connectVetted(
  vet: Vet,
  { host, port }: { readonly host: string; readonly port: number },
): { readonly socket: Socket; readonly connected: Promise<void> } {
  const refusal = isIP(host) === 0 ? vet.name(host) : vet.address(host);
  const socket = connectSocket({ host, port, lookup: vettedLookup(vet) });
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
        reject(blocked(late));
      }
    });
  });
  if (refusal !== undefined) socket.destroy(blocked(refusal));
  return { socket, connected };
}

/** A pool of connections under one policy. */
export function createPool(vet: Vet, proxyURL: string | undefined): Dispatcher {
  const timeouts = { keepAliveTimeout: keepAliveMs, keepAliveMaxTimeout: keepAliveMs, pipelining: 1 };
  if (proxyURL === undefined) return new Agent({ connect: vettedConnector(vet), ...timeouts });
  return new ProxyAgent({ uri: proxyURL, ...timeouts });
}
