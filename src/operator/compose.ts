import { type Contender, chooseActive } from '../api/active.ts';
import type { AlertConfig } from '../api/alert-config.ts';
import type { AlertProvider } from '../api/alert-provider.ts';
import { providerOf } from '../api/check-provider.ts';
import { configName } from '../api/group.ts';
import { configSettings, providerSettings, silenceSettings } from '../api/settings.ts';
import type { Silence } from '../api/silence.ts';
import { type Ref, refOf } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { ProviderCheck } from './check.ts';
import type { ConfigProblem } from './config-status.ts';

/** Our own objects as last seen, by ref. */
export type OwnObjects = {
  readonly providers: ReadonlyMap<string, AlertProvider>;
  readonly silences: ReadonlyMap<string, Silence>;
  readonly configs: ReadonlyMap<string, AlertConfig>;
};

/** The settings that the objects mean, and what is wrong with them as a whole. */
export type Composed = { readonly settings: Settings; readonly problems: readonly ConfigProblem[] };

/**
 * Makes one immutable snapshot of everything the custom resources say. Objects that cannot work take no part; the others go
 * on. Order is by ref, so that the same objects always give the same snapshot.
 */
export function composeSettings(
  objects: OwnObjects,
  checks: ReadonlyMap<string, ProviderCheck>,
  operatorNamespace: string,
): Composed {
  const config = objects.configs.get(refOf('AlertConfig', operatorNamespace, configName));
  const communityProvider = config?.spec?.app?.communityProvider;
  const contenders = sorted(objects.providers).flatMap(([ref, object]): Contender[] => {
    const definition = providerOf(object.spec.type);
    if (!definition) return [];
    const check = checks.get(ref);
    return [
      {
        settings: providerSettings(object, definition),
        createdAt: Date.parse(object.metadata.creationTimestamp),
        invalid: check?.invalid ?? true,
        secretsFound: check?.secrets === 'found',
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
      silences: sorted(objects.silences).flatMap(([, object]) => silenceSettings(object) ?? []),
    },
    problems: choice.problem ? [choice.problem] : [],
  };
}

function sorted<T>(objects: ReadonlyMap<string, T>): readonly (readonly [Ref, T])[] {
  // Keys are refs; maps of our own objects are keyed by nothing else.
  return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)) as (readonly [Ref, T])[];
}
