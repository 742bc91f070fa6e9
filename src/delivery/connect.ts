import { type LookupAddress, lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
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

/** A pool of connections under one policy. */
export function createPool(vet: Vet, proxyURL: string | undefined): Dispatcher {
  const timeouts = { keepAliveTimeout: keepAliveMs, keepAliveMaxTimeout: keepAliveMs, pipelining: 1 };
  if (proxyURL === undefined) return new Agent({ connect: vettedConnector(vet), ...timeouts });
  return new ProxyAgent({ uri: proxyURL, ...timeouts });
}
