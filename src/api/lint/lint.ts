import { namesWithout } from '../../model/edition.ts';
import { describeRef, nameOf, type Ref, refOf } from '../../model/ref.ts';
import type { Secret } from '../../model/secret.ts';
import type { ProviderSettings } from '../../model/settings.ts';
import type { Choice } from '../active.ts';
import type { AlertConfig } from '../alert-config.ts';
import type { AlertProvider } from '../alert-provider.ts';
import { configName, type Kind } from '../group.ts';
import type { MaintenanceWindow } from '../maintenance-window.ts';
import { valuesInObject } from '../opened.ts';
import { type ConfigSettings, configSettings } from '../settings.ts';
import type { Silence } from '../silence.ts';
import { chooseOnCommunity, contendersOf } from './choose.ts';
import { asProvider, type Draft, draftOf } from './draft.ts';
import { type GivenLicense, licenseRemark } from './license.ts';
import { providerSecrets } from './named-secrets.ts';
import { openGiven } from './opened.ts';
import { configRemarks, silenceRemarks } from './others.ts';
import { earlyRemarks, providerRemarks } from './provider.ts';
import { lintRules, type Remark } from './remark.ts';
import { routeRemarks } from './routes.ts';
import type { Manifest, SecretLookup, Surroundings } from './surroundings.ts';
import { windowRemarks } from './window.ts';

/** One object with everything there is to say about it. */
export type Judged<M extends Manifest> = {
  readonly manifest: M;
  readonly ref: Ref;
  readonly remarks: readonly Remark[];
};

/** The verdict on all objects. */
export type Verdict<M extends Manifest = Manifest> = {
  readonly judged: readonly Judged<M>[];
  /** Who is active on Community. */
  readonly choice: Choice;
  /** What the AlertConfig means, or the defaults. */
  readonly config: ConfigSettings;
  /** The AlertProviders whose credentials can be tried: those with nothing wrong. */
  readonly sound: readonly SoundProvider[];
};

/** An AlertProvider that could work, with the credentials that are known. `complete`: all of them are. */
export type SoundProvider = {
  readonly settings: ProviderSettings;
  readonly values: ReadonlyMap<string, Secret>;
  readonly complete: boolean;
};

/** What `lint` is given besides the objects. */
export type LintOptions = {
  readonly operatorNamespace: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly secrets: SecretLookup;
  /** How the licence stands that the AlertConfig names, if it is given. */
  readonly license?: GivenLicense;
};

/**
 * Judges objects of the four kinds together: what the API server would refuse (schema, CEL), what the operator would (`Stalled`),
 * and likely mistakes. Never throws, whatever the objects hold; no message holds the value of a secret field.
 */
export function lint<M extends Manifest>(manifests: readonly M[], options: LintOptions): Verdict<M> {
  const { operatorNamespace, secrets } = options;
  const rows = manifests.map((manifest) => ({ manifest, draft: draftOf(manifest, operatorNamespace) }));
  const drafts = rows.map(({ draft }) => draft);
  const providers = providersOf(drafts);
  const allActive = options.license
    ? namesWithout(options.license.edition).length === 0
    : Iterator.from(providers.values()).some(({ spec }) => (spec.routes ?? []).length > 0);
  const around: Surroundings = { ...options, providers, allActive };
  for (const draft of drafts) {
    const { readable, manifest, object, remarks } = draft;
    const refused = new Set(remarks.map(({ path }) => path));
    const early = manifest.kind === 'AlertProvider' ? earlyRemarks(asProvider(draft), around) : [];
    const said = readable ? rulesOf[manifest.kind](object, around) : early;
    remarks.push(...said.filter(({ path }) => !refused.has(path)));
  }
  markDuplicates(drafts);
  const config = drafts.find(
    ({ ref, readable }) => readable && ref === refOf('AlertConfig', operatorNamespace, configName),
  );
  const settings = config && (config.object as AlertConfig);
  const asked = settings?.spec?.app?.communityProvider;
  if (config && settings?.spec?.app?.clusterName === undefined) config.remarks.push(unnamed);
  if (options.license) config?.remarks.push(licenseRemark(options.license));
  if (options.license && namesWithout(options.license.edition).length === 0) forgetNotLicensed(drafts);
  const { choice, remarks } = chooseOnCommunity(contendersOf(drafts), asked, operatorNamespace);
  config?.remarks.push(...remarks);
  for (const { draft, remark } of routeRemarks(drafts, configSettings(settings), operatorNamespace))
    draft.remarks.push(remark);
  return {
    judged: rows.map(({ manifest, draft }) => ({
      manifest,
      ref: draft.ref,
      remarks: manifest.background ? [] : draft.remarks,
    })),
    choice,
    config: configSettings(settings),
    sound: drafts.flatMap((draft) => soundProvider(draft, choice, secrets)),
  };
}

/** With one cluster this is a matter of taste; with two, messages that look alike are from different places. */
const unnamed: Remark = {
  rule: 'ClusterUnnamed',
  path: 'spec.app.clusterName',
  message: 'messages do not say which cluster they are from: name it, such as clusterName: prod-eu',
};

/** What a licence gives is there: that Community lacks it is no news. */
function forgetNotLicensed(drafts: readonly Draft[]): void {
  for (const { remarks } of drafts)
    remarks.splice(0, remarks.length, ...remarks.filter(({ rule }) => rule !== 'NotLicensed'));
}

/** The rules of a kind, for objects that its schema has taken: that is what makes these types true. */
const rulesOf: Readonly<Record<Kind, (object: object, around: Surroundings) => readonly Remark[]>> = {
  AlertProvider: (object, around) => providerRemarks(object as AlertProvider, around),
  Silence: (object, around) => silenceRemarks(object as Silence, around),
  MaintenanceWindow: (object, around) => windowRemarks(object as MaintenanceWindow, around),
  AlertConfig: (object, around) => configRemarks(object as AlertConfig, around),
};

/** What fallbacks may name, and where those lead. */
function providersOf(drafts: readonly Draft[]): Surroundings['providers'] {
  const providers = drafts.filter(({ manifest }) => manifest.kind === 'AlertProvider');
  return new Map(
    providers.map((draft) => {
      const { metadata, spec } = asProvider(draft);
      const { fallback, type } = spec;
      const known = { type, suspend: spec.suspend === true, routes: Array.isArray(spec.routes) ? spec.routes : [] };
      return [draft.ref, { metadata, spec: { ...known, ...(typeof fallback === 'string' && { fallback }) } }];
    }),
  );
}

/** The same object twice: kubectl would apply both, and the last one stays. */
function markDuplicates(drafts: readonly Draft[]): void {
  const first = new Map<Ref, Draft>();
  for (const draft of drafts) {
    const before = first.get(draft.ref);
    if (before && nameOf(draft.ref) !== '') {
      const message = `${describeRef(draft.ref)} is in ${before.manifest.where} already, and the one applied last would win: remove or rename one`;
      draft.remarks.push({ rule: 'Duplicate', path: 'metadata.name', message });
    } else first.set(draft.ref, draft);
  }
}

function soundProvider(draft: Draft, choice: Choice, secrets: SecretLookup): readonly SoundProvider[] {
  const { manifest, ref, readable, remarks } = draft;
  const settings = choice.providers.find((provider) => provider.ref === ref);
  // A wrong fallback does not keep it from delivering.
  const wrong = remarks.some(({ rule }) => lintRules[rule].level === 'error' && !rule.startsWith('Fallback'));
  if (!settings || !readable || wrong || manifest.background || manifest.kind !== 'AlertProvider') return [];
  const object = asProvider(draft);
  const fields = providerSecrets(object);
  const { values, complete } = openGiven(fields, object.metadata.namespace, secrets);
  return [{ settings, values: new Map([...values, ...valuesInObject(object)]), complete }];
}
