import { heartbeatSourceOf } from '../api/heartbeat.ts';
import { valueInObject } from '../api/opened.ts';
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
      return object && valueInObject(object, field);
    },
  });
}

/** The address of the heartbeat: the value `url`, opened for the AlertConfig. */
export function heartbeatSecrets(make: MakeSource, objects: OwnObjects, config: Ref): SecretSource {
  return make({
    provider: () => {
      const object = objects.get('AlertConfig', config)?.object;
      const location = object && heartbeatSourceOf(object)?.location;
      if (!location) return undefined;
      return { namespace: namespaceOf(config), secrets: { url: location }, generation: object.metadata.generation };
    },
    inline: () => {
      const object = objects.get('AlertConfig', config)?.object;
      return object && heartbeatSourceOf(object)?.inline;
    },
  });
}
