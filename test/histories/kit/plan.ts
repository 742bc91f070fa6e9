import { type Contender, chooseActive } from '../../../src/api/active.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../../../src/model/settings.ts';
import { type Trouble, usualSeverity } from './cluster.ts';
import type { Family, Reader, Severity } from './transcript.ts';

/** An AlertProvider, as far as histories change it. */
export type ProviderPlan = {
  readonly name: string;
  readonly uid: string;
  readonly family: Family;
  readonly suspended: boolean;
  /** Its spec cannot work. */
  readonly invalid: boolean;
  readonly generation: number;
  /** Which version of its Secret: an edited one is worth trying again. */
  readonly credential: number;
  readonly createdAt: number;
  readonly fallback?: string;
  readonly severities?: readonly Severity[];
  readonly namespaces?: readonly string[];
  /** The namespace that it is in. Absent: the operator's. */
  readonly home?: string;
};

/** A Silence or an opening of a MaintenanceWindow for the object of that name. */
export type MutePlan = {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly kind: 'Silence' | 'MaintenanceWindow';
};

/** Everything the custom resources say. */
export type Plan = {
  readonly edition: 'Pro' | 'Community';
  readonly communityProvider?: string;
  readonly providers: readonly ProviderPlan[];
  readonly mutes: readonly MutePlan[];
  readonly troubles: readonly Trouble[];
};

/** The operator's namespace. */
export const namespace = 'tocsin';
const refOf = (name: string, home = namespace) => `AlertProvider/${home}/${name}` as const;

/** Who reads, as the plan says; who is active on an edition is the rule of the API. */
export function readersOf(plan: Plan): Reader[] {
  const active = new Map(settingsOf(plan).providers.map((provider) => [provider.ref, provider.active.is]));
  return plan.providers.map(({ name, uid, family, suspended, invalid, fallback, severities, namespaces, home }) => ({
    ...{ provider: name, uid, family, suspended: suspended || invalid, active: active.get(refOf(name, home)) === true },
    ...(home !== undefined && { home }),
    ...(fallback !== undefined && { fallback }),
    ...(severities && plan.edition === 'Pro' && { severities }),
    ...(namespaces && plan.edition === 'Pro' && { namespaces }),
  }));
}

/** The settings that a plan means. */
export function settingsOf(plan: Plan): Settings {
  const { providers } = chooseActive(plan.providers.map(contenderOf), {
    ...{ edition: plan.edition, operatorNamespace: namespace },
    ...(plan.communityProvider !== undefined && { communityProvider: plan.communityProvider }),
  });
  const mutes = plan.mutes.map((mute, index) => ({
    ref: `${mute.kind}/${namespace}/m${index}-${mute.from}` as const,
    ...{ kind: mute.kind, namespace, selector: { names: [mute.name] }, startsAt: mute.from, endsAt: mute.to },
  }));
  const unusual = plan.troubles.filter(({ severity }) => severity !== usualSeverity);
  return {
    ...defaultSettings,
    edition: plan.edition,
    providers,
    detection: {
      ...defaultSettings.detection,
      overrides: unusual.map(({ name, severity }) => {
        const [inNamespace = '', pod = ''] = name.split('/');
        return { selector: { namespaces: [inNamespace], names: [pod] }, severity };
      }),
    },
    silences: mutes.filter(({ kind }) => kind === 'Silence').map(({ kind: _, ...silence }) => silence),
    windows: mutes
      .filter(({ kind }) => kind === 'MaintenanceWindow')
      .map(({ kind: _, startsAt, endsAt, ...window }) => ({ ...window, opening: { startsAt, endsAt } })),
  };
}

function contenderOf(plan: ProviderPlan): Contender {
  const { name, uid, family, suspended, generation, credential, createdAt, fallback, severities, namespaces } = plan;
  const { home = namespace } = plan;
  const route = { ...(severities && { severities }), ...(namespaces && { namespaces }) };
  return {
    settings: {
      ...{ ref: refOf(name, home), uid, namespace: home, type: family, config: { name, uid }, secrets: {}, retry: {} },
      ...{ suspended, generation, credentialVersion: `v${credential}` },
      ...(fallback !== undefined && { fallback: refOf(fallback, home) }),
      ...(Object.keys(route).length > 0 && { routes: [route] }),
    },
    ...{ createdAt, invalid: plan.invalid, secretsFound: true },
  };
}

/** Whether somebody edited an AlertProvider or its Secret, so that what waits for it is worth trying. */
export function isChanged(before: ProviderSettings | undefined, now: ProviderSettings): boolean {
  return (
    before?.uid !== now.uid ||
    before.generation !== now.generation ||
    before.credentialVersion !== now.credentialVersion ||
    before.suspended !== now.suspended
  );
}
