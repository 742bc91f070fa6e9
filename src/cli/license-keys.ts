import set from '../../config/license-keys.json' with { type: 'json' };
import { type LicenseKeys, licenseKeysOf } from '../edition/keys.ts';

/** The public keys that this build accepts licences of: those of `config/license-keys.json` when it was made. */
export function bakedKeys(): LicenseKeys {
  return licenseKeysOf(set);
}
