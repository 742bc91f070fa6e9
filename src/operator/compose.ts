import { type Contender, chooseActive } from '../api/active.ts';
import { configName } from '../api/group.ts';
import { showsReadersTime } from '../api/readers-time.ts';
import { noTimeZone, wallClockOf } from '../api/rules/time-zone.ts';
import { type ConfigSettings, configSettings } from '../api/settings.ts';
import { windowAt } from '../api/windows.ts';
import type { LicenseStanding } from '../model/license.ts';
import { type Ref, refOf } from '../model/ref.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import type { ProviderCheck } from './check.ts';
import type { ConfigProblem } from './config-status.ts';
import type { OwnObjects } from './objects.ts';

/** The settings that the objects mean, and what is wrong with them as a whole. */
export type Composed = {
  readonly settings: Settings;
  readonly problems: readonly ConfigProblem[];
  readonly providers: ReadonlyMap<Ref, ProviderSettings>;
};

/** What settings are made of besides the objects. */
export type ComposeOptions = {
  readonly operatorNamespace: string;
  readonly license: LicenseStanding;
  /** Whether an object takes part. */
  readonly admits: (kind: 'AlertProvider' | 'Silence' | 'MaintenanceWindow', ref: Ref) => boolean;
  /** The verdict on a provider, if it has been judged. */
  readonly check: (provider: Ref) => ProviderCheck | undefined;
  /** Epoch milliseconds: which opening of a window is meant. */
  readonly now: number;
};

/**
 * Makes one immutable snapshot of everything the custom resources say, in time proportional to the objects that take part: what
 * each of them means was worked out when it was seen. Objects that cannot work take no part; the others go on. Order is by ref, so
 * that the same objects always give the same snapshot.
 */
export function composeSettings(objects: OwnObjects, options: ComposeOptions): Composed {
  const { operatorNamespace, license, admits, check, now } = options;
  const config = readConfig(objects, operatorNamespace);
  const contenders = sorted(objects.refs('AlertProvider')).flatMap((ref): Contender[] => {
    const held = objects.get('AlertProvider', ref);
    if (!held?.meaning || !admits('AlertProvider', ref)) return [];
    const verdict = check(ref);
    return [
      {
        settings: {
          ...held.meaning,
          ...(verdict?.secretsVersion !== undefined && { credentialVersion: verdict.secretsVersion }),
        },
        createdAt: held.createdAt,
        // Until it has been judged it counts as one that only lacks its Secrets: the choice must not flip to and fro.
        invalid: verdict?.invalid ?? false,
        secretsFound: verdict?.secrets === 'found',
      },
    ];
  });
  const choice = chooseActive(contenders, {
    edition: license.edition,
    operatorNamespace,
    ...(config.communityProvider !== undefined && { communityProvider: config.communityProvider }),
  });
  const zone = zoneOf(config.settings.app);
  const providers = choice.providers.map((provider) =>
    withZone(withContacts(withoutActions(provider, operatorNamespace), config.settings.owners), zone),
  );
  const silences = sorted(objects.refs('Silence')).flatMap((ref) => {
    const settings = admits('Silence', ref) ? objects.get('Silence', ref)?.meaning : undefined;
    return settings ?? [];
  });
  const windows = sorted(objects.refs('MaintenanceWindow')).flatMap((ref) => {
    const planned = admits('MaintenanceWindow', ref) ? objects.get('MaintenanceWindow', ref)?.meaning : undefined;
    return planned ? [windowAt(planned, now)] : [];
  });
  return {
    settings: {
      edition: license.edition,
      editionIsKnown: license.isKnown,
      operatorNamespace,
      ...config.settings,
      providers,
      silences,
      windows,
    },
    problems: [...config.problems, ...(choice.problem ? [choice.problem] : []), ...zone.problems],
    providers: new Map(providers.map((provider) => [provider.ref, provider])),
  };
}

/** What the one AlertConfig says; the defaults when there is none, or none that can be read. */
function readConfig(
  objects: OwnObjects,
  operatorNamespace: string,
): {
  readonly settings: ConfigSettings;
  readonly communityProvider: string | undefined;
  readonly problems: readonly ConfigProblem[];
} {
  const held = objects.get('AlertConfig', refOf('AlertConfig', operatorNamespace, configName));
  const communityProvider = held?.object.spec?.app?.communityProvider;
  return {
    settings: held?.meaning ?? configSettings(undefined),
    communityProvider: held?.unreadable === undefined ? communityProvider : undefined,
    problems: held?.unreadable === undefined ? [] : [{ reason: 'InvalidSpec', message: held.unreadable }],
  };
}

/** A provider with how owners are reached in its product. */
function withContacts(provider: ProviderSettings, { contacts, mentionFrom }: Settings['owners']): ProviderSettings {
  const known = Object.entries(contacts).flatMap(([owner, { [provider.type]: contact }]) =>
    contact === undefined ? [] : [[owner, contact] as const],
  );
  return known.length === 0 ? provider : { ...provider, contacts: Object.fromEntries(known), mentionFrom };
}

/** The time zone of messages, or why theirs stays UTC. */
type Zone = { readonly timeZone?: string; readonly problems: readonly ConfigProblem[] };

function zoneOf({ timeZone }: Pick<Settings['app'], 'timeZone'>): Zone {
  if (timeZone === undefined) return { problems: [] };
  if (wallClockOf(timeZone)) return { timeZone, problems: [] };
  return { problems: [{ reason: 'UnknownTimeZone', message: noTimeZone('spec.app.timeZone', timeZone) }] };
}

/** A provider whose messages tell times of the zone that all have, unless it has one of its own or its readers each see theirs. */
function withZone(provider: ProviderSettings, { timeZone }: Zone): ProviderSettings {
  if (timeZone === undefined || provider.words?.timeZone !== undefined) return provider;
  if (showsReadersTime(provider.type)) return provider;
  return { ...provider, words: { ...provider.words, timeZone } };
}

/** A provider by which nobody acts, unless it is in the operator's namespace: what is done there is done for the whole cluster. */
function withoutActions(provider: ProviderSettings, operatorNamespace: string): ProviderSettings {
  if (provider.namespace === operatorNamespace || provider.config.actions === undefined) return provider;
  const { actions, ...config } = provider.config;
  return { ...provider, config };
}

function sorted(refs: Iterable<Ref>): readonly Ref[] {
  return [...refs].sort((a, b) => (a < b ? -1 : 1));
}
