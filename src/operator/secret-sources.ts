import { valuesInObject } from '../api/opened.ts';
import { alertsTokenOf, heartbeatSourceOf, hubKeyOf } from '../api/own-secrets.ts';
import { namespaceOf, type Ref } from '../model/ref.ts';
import type { SecretSource } from '../model/secret-source.ts';
import type { OwnObjects } from './objects.ts';
import type { CustomResourcesOptions } from './options.ts';

type MakeSource = CustomResourcesOptions['secrets'];

/** What our providers are sent with: the values their specs name, wherever these are. */
export function providerSecrets(make: MakeSource, objects: OwnObjects): SecretSource {
  return make({
    provider: (ref) => objects.get('AlertProvider', ref)?.meaning,
    inline(ref, field) {
      const object = objects.get('AlertProvider', ref)?.object;
      return object && valuesInObject(object).get(field);
    },
  });
}

/** What the AlertConfig names a secret value for, and where it says that this is. */
const ofConfig = { url: heartbeatSourceOf, token: alertsTokenOf, key: hubKeyOf } as const;

/** One secret value of the AlertConfig, by its name: the address of the heartbeat (`url`), the token for alerts (`token`), the key of the hub (`key`). */
export function configSecret(
  name: keyof typeof ofConfig,
  make: MakeSource,
  objects: OwnObjects,
  config: Ref,
): SecretSource {
  const find = () => {
    const object = objects.get('AlertConfig', config)?.object;
    return object && { object, source: ofConfig[name](object) };
  };
  return make({
    provider: () => {
      const found = find();
      if (!found?.source) return undefined;
      const { generation } = found.object.metadata;
      return { namespace: namespaceOf(config), secrets: { [name]: found.source.location }, generation };
    },
    inline: () => find()?.source?.inline,
  });
}
