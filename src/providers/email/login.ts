import type { Outcome } from '../../model/delivery.ts';
import type { Secret } from '../../model/secret.ts';
import { bareAddress, domainOf } from '../kit.ts';
import type { Attempt, Relay } from '../provider.ts';
import { accessTokenOf, type OAuth } from './oauth.ts';

type RelayConfig = Pick<Relay, 'host' | 'tls'> & {
  readonly port: string;
  readonly from: string;
  readonly username?: string;
  readonly password?: Secret;
  readonly oauth?: OAuth;
};

function relayOf({ host, port, tls, from, username, password }: RelayConfig, accessToken?: Secret): Relay {
  const account = { username: username ?? bareAddress(from) };
  const login = accessToken ? { ...account, accessToken } : password && { ...account, password };
  return { host, port: Number(port), tls, name: domainOf(from), ...(login && { login }) };
}

/** Talks to the relay; when it refuses an access token that was known, once more with a new one. */
export async function loggedIn<T>(
  { config, send, now }: Pick<Attempt<RelayConfig>, 'config' | 'send' | 'now'>,
  work: {
    readonly talk: (relay: Relay) => Promise<T>;
    readonly outcomeOf: (result: T) => Outcome;
    readonly refused: (outcome: Outcome) => T;
  },
): Promise<T> {
  const { oauth } = config;
  if (!oauth) return work.talk(relayOf(config));
  const held = await accessTokenOf(oauth, { send, now });
  if ('refused' in held) return work.refused(held.refused);
  const result = await work.talk(relayOf(config, held.token));
  const outcome = work.outcomeOf(result);
  if (!held.isKnown || outcome.is !== 'permanent' || !outcome.credential) return result;
  const renewed = await accessTokenOf(oauth, { send, now, fresh: true });
  return 'refused' in renewed ? work.refused(renewed.refused) : work.talk(relayOf(config, renewed.token));
}
