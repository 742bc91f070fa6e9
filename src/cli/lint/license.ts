import { configName } from '../../api/group.ts';
import { editionSourceOf } from '../../api/license.ts';
import type { GivenLicense } from '../../api/lint/license.ts';
import type { LicenseKeys } from '../../edition/keys.ts';
import { judgeLicense, unusableToken } from '../../edition/standing.ts';
import { checkToken } from '../../edition/token.ts';
import type { LicenseSource } from '../../model/license.ts';
import { openSecret } from '../../model/secret.ts';
import type { Gathered } from './gather.ts';

/**
 * How the licence stands that the AlertConfig names, where its Secret is among what was gathered. Without a cluster it is judged for
 * one that it lists. `now`: epoch milliseconds.
 */
export async function licenseIn(
  gathered: Gathered,
  namespace: string,
  keys: LicenseKeys,
  now: number,
): Promise<GivenLicense | undefined> {
  const config = gathered.manifests.find(({ kind, value }) => {
    const { metadata } = Object(value);
    const isOurs = (metadata?.namespace ?? namespace) === namespace && metadata?.name === configName;
    return kind === 'AlertConfig' && isOurs;
  });
  const source = editionSourceOf(Object(config?.value).spec);
  if (source === 'trial')
    return {
      state: 'Trial',
      edition: 'Pro',
      message: 'Pro is on trial for 30 days from the first time that Tocsin reads this.',
    };
  const token = source && tokenOf(source, gathered, namespace);
  if (token === undefined) return undefined;
  const checked = await checkToken(token, keys);
  if (!('claims' in checked)) {
    const { state, why: message } = unusableToken(checked.flaw, checked.detail);
    return { state, edition: 'Community', message };
  }
  const { claims } = checked;
  return judgeLicense(claims, gathered.clusterId ?? claims.clusters?.[0] ?? '', now);
}

function tokenOf({ location, inline }: LicenseSource, { secrets }: Gathered, namespace: string): string | undefined {
  if ('inline' in location) return inline && openSecret(inline);
  const given = secrets(namespace, location.secret);
  const value = typeof given === 'object' ? given.values.get(location.key) : undefined;
  return value && openSecret(value);
}
