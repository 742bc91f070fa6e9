import { Secret } from '../model/secret.ts';
import type { SecretLocation } from '../model/settings.ts';
import { locationOf } from '../providers/kit/config.ts';
import type { AlertConfig } from './alert-config.ts';

/** Where a secret is, with its value where that stands in the object itself. */
export type SecretSource = { readonly location: SecretLocation; readonly inline?: Secret };

function sourceOf(written: unknown, value: string | undefined): SecretSource | undefined {
  const location = locationOf(written);
  return location && { location, ...(value !== undefined && { inline: new Secret(value) }) };
}

type Config = Pick<AlertConfig, 'spec'>;

/** Where an AlertConfig says that the token for alerts is. */
export function alertsTokenOf({ spec }: Config): SecretSource | undefined {
  const token = spec?.alertsIn?.token;
  return sourceOf(token, token?.value);
}

/** Where it says that the address of the heartbeat is. */
export function heartbeatSourceOf({ spec }: Config): SecretSource | undefined {
  const url = spec?.heartbeat?.url;
  return sourceOf(url, url?.value);
}

/** Where it says that the key of the hub is. */
export function hubKeyOf({ spec }: Config): SecretSource | undefined {
  const key = spec?.hub?.key;
  return sourceOf(key, key?.value);
}
