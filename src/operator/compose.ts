import { type Contender, chooseActive } from '../api/active.ts';
import { providerOf } from '../api/check-provider.ts';
import { configName } from '../api/group.ts';
import { configSettings, providerSettings, silenceSettings } from '../api/settings.ts';
import { type Ref, refOf } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { ProviderCheck } from './check.ts';
import type { ConfigProblem } from './config-status.ts';
import type { OwnObjects } from './objects.ts';

/** The settings that the objects mean, and what is wrong with them as a whole. */
export type Composed = { readonly settings: Settings; readonly problems: readonly ConfigProblem[] };

/**
 * Makes one immutable snapshot of everything the custom resources say. Objects that cannot work take no part; the others go
 * on. Order is by ref, so that the same objects always give the same snapshot.
 */
export function composeSettings(
  objects: OwnObjects,
  check: (provider: Ref) => ProviderCheck | undefined,
  operatorNamespace: string,
): Composed {
  const config = objects.AlertConfig.get(refOf('AlertConfig', operatorNamespace, configName));
  const communityProvider = config?.spec?.app?.communityProvider;
  const contenders = sorted(objects.AlertProvider).flatMap(([ref, object]): Contender[] => {
    const definition = providerOf(object.spec.type);
    if (!definition) return [];
    const verdict = check(ref);
    return [
      {
        settings: {
          ...providerSettings(object, definition),
          ...(verdict?.secretsVersion !== undefined && { credentialVersion: verdict.secretsVersion }),
        },
        createdAt: Date.parse(object.metadata.creationTimestamp),
        // Until it has been judged it counts as one that only lacks its Secrets: the choice must not flip to and fro.
        invalid: verdict?.invalid ?? false,
        secretsFound: verdict?.secrets === 'found',
      },
    ];
  });
  const choice = chooseActive(contenders, {
    edition: 'Community',
    operatorNamespace,
    ...(communityProvider !== undefined && { communityProvider }),
  });
  return {
    settings: {
      edition: 'Community',
      operatorNamespace,
      ...configSettings(config),
      providers: choice.providers,
      silences: sorted(objects.Silence).flatMap(([, object]) => silenceSettings(object) ?? []),
    },
    problems: choice.problem ? [choice.problem] : [],
  };
}

function sorted<T>(objects: ReadonlyMap<Ref, T>): readonly (readonly [Ref, T])[] {
  return [...objects].sort(([a], [b]) => (a < b ? -1 : 1));
}
