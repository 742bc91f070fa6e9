import type { LicenseKeys } from '../../src/edition/keys.ts';
import { issuer } from '../edition/licences.ts';
import { configuration, type Stage } from './stage.ts';

/** Configures a stage with the webhook of its receiver and a licence; returns the keys that the operator must know. */
export async function configurePro(stage: Stage): Promise<LicenseKeys> {
  const ours = issuer();
  const now = Math.floor(Date.now() / 1000);
  const token = await ours.issue({ iat: now - 3600, exp: now + 30 * 86_400 });
  const objects = configuration(stage.receiver.url).map((object) => {
    const { kind, spec } = object as { readonly kind?: string; readonly spec?: object };
    if (kind !== 'AlertConfig') return object;
    return { ...object, spec: { ...spec, license: { secretKeyRef: { name: 'licence', key: 'license' } } } };
  });
  const metadata = { name: 'licence', namespace: 'tocsin' };
  await stage.apply({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { license: token } }, ...objects);
  return ours.keys;
}
