import { type Ref, refOf } from '../model/ref.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import { type Contender, chooseActive } from './active.ts';
import type { AlertConfig } from './alert-config.ts';
import { configName } from './group.ts';
import { contendersOf } from './lint/choose.ts';
import { type Draft, draftOf } from './lint/draft.ts';
import type { Manifest } from './lint/surroundings.ts';
import type { MaintenanceWindow } from './maintenance-window.ts';
import { configSettings, silenceSettings } from './settings.ts';
import type { Silence } from './silence.ts';
import { plannedWindow, windowAt } from './windows.ts';

/** The settings that would hold at `now` (epoch milliseconds), of those that did. */
export type Proposal = (held: Settings, now: number) => Settings;

/**
 * What would hold if these manifests were applied when `since` was (epoch milliseconds), and objects deleted; what nobody names stays as it
 * was. The manifests have passed lint.
 */
export function proposalOf(
  manifests: readonly Manifest[],
  { deleted = [], since }: { readonly deleted?: readonly Ref[]; readonly since: number },
): Proposal {
  let read: { readonly namespace: string; readonly objects: ReturnType<typeof meaningsOf> } | undefined;
  const gone = new Set(deleted);
  return (held, now) => {
    const { operatorNamespace: namespace } = held;
    if (read?.namespace !== namespace) read = { namespace, objects: meaningsOf(manifests, namespace, since) };
    const { config, contenders, silences, windows } = read.objects;
    const isGone = ({ ref }: { readonly ref: Ref }): boolean => gone.has(ref);
    const withoutConfig = gone.has(refOf('AlertConfig', namespace, configName));
    return {
      ...held,
      ...(config ? configSettings(config) : withoutConfig ? configSettings(undefined) : {}),
      providers: providersOf(
        held,
        contenders,
        held.providers.filter((one) => !isGone(one)),
        config,
      ),
      silences: merged(
        held.silences.filter((one) => !isGone(one)),
        silences,
      ),
      windows: merged(
        held.windows.filter((one) => !isGone(one)),
        windows.map((planned) => windowAt(planned, now)),
      ),
    };
  };
}

/** What each manifest means. Where none says when a Silence begins, it does when it is applied. */
function meaningsOf(manifests: readonly Manifest[], namespace: string, since: number) {
  const drafts = manifests.map((manifest) => draftOf(manifest, namespace));
  const created = new Date(since).toISOString();
  const of = <T>(kind: Manifest['kind']): readonly T[] =>
    drafts
      .filter(({ manifest }) => manifest.kind === kind)
      // Lint has read it: its shape is that of its kind.
      .map((draft) => withCreation(draft, created) as T);
  const config = drafts.find(({ ref }) => ref === refOf('AlertConfig', namespace, configName));
  return {
    config: config && (config.object as AlertConfig),
    contenders: contendersOf(drafts),
    silences: of<Silence>('Silence').flatMap((silence) => silenceSettings(silence) ?? []),
    windows: of<MaintenanceWindow>('MaintenanceWindow').map(plannedWindow),
  };
}

function withCreation({ object }: Draft, creationTimestamp: string): object {
  const { metadata }: { readonly metadata?: { readonly creationTimestamp?: string } } = object;
  return { ...object, metadata: { ...metadata, creationTimestamp: metadata?.creationTimestamp || creationTimestamp } };
}

/** One list by ref, as settings have it; of the same ref the newer one. */
function merged<T extends { readonly ref: Ref }>(held: readonly T[], proposed: readonly T[]): readonly T[] {
  const all = new Map([...held, ...proposed].map((one) => [one.ref, one]));
  return [...all.values()].toSorted((a, b) => (a.ref < b.ref ? -1 : 1));
}

/** The providers with who is active among them. One that exists stays the same destination, one that does not has its Secrets. */
function providersOf(
  { edition, operatorNamespace, providers }: Settings,
  proposed: readonly Contender[],
  kept: readonly ProviderSettings[],
  config: AlertConfig | undefined,
): readonly ProviderSettings[] {
  const known = new Map(providers.map((provider) => [provider.ref, provider]));
  const held = kept.map(
    ({ active, usable, ...settings }, index): Contender => ({
      settings,
      createdAt: index,
      invalid: active.reason === 'Invalid',
      secretsFound: usable || active.reason === 'Invalid',
    }),
  );
  const added = proposed.map((contender): Contender => {
    const { settings } = contender;
    const before = known.get(settings.ref);
    const { uid = `proposed ${settings.ref}`, generation = 0, credentialVersion } = before ?? {};
    const credential = credentialVersion === undefined ? {} : { credentialVersion };
    return { ...contender, settings: { ...settings, uid, generation: generation + 1, ...credential } };
  });
  const all = new Map([...held, ...added].map((contender) => [contender.settings.ref, contender]));
  const selected = kept.find(({ active }) => active.reason === 'Selected');
  const communityProvider = config?.spec?.app?.communityProvider;
  const asked = communityProvider ?? (config || !selected ? undefined : selected.ref.split('/').at(-1));
  const rules = { edition, operatorNamespace, ...(asked !== undefined && { communityProvider: asked }) };
  return chooseActive(
    [...all.values()].toSorted((a, b) => (a.settings.ref < b.settings.ref ? -1 : 1)),
    rules,
  ).providers;
}
