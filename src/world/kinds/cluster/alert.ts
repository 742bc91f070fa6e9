import { alertKinds } from '../../../model/outside-alert.ts';
import type { RawObject } from '../../../model/raw-object.ts';
import { isRef, type Ref } from '../../../model/ref.ts';
import { type Severity, severities } from '../../../model/severity.ts';
import { given, messageOf, textOf, timeOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';

/** Objects that one alert may be about: it is about the first that is there. */
const maxAbout = 8;

/**
 * An alert that somebody outside fires: Alertmanager told of it. It is no object of the API: the runtime puts what it was told into this
 * form, so that a recording holds it and a replay says the same. Times are epoch milliseconds.
 */
export type AlertView = Meta & {
  readonly kind: 'Alert';
  /** `KubePodCrashLooping`. */
  readonly alert: string;
  /** What its labels name, best first. */
  readonly about: readonly Ref[];
  readonly startsAt: number;
  /** Nobody has repeated it until then: it is over. */
  readonly expiresAt: number;
  readonly severity: Severity;
  /** What its annotations say. */
  readonly summary?: string;
};

function refsOf(value: unknown): readonly Ref[] {
  const refs = Array.isArray(value) ? value.filter((one) => typeof one === 'string' && isRef(one)) : [];
  // Each was just found to be one.
  return refs.slice(0, maxAbout) as Ref[];
}

/** What Alertmanager tells of; told, not watched. */
export const alerts: WatchedKind<AlertView> = watched({
  group: '',
  kind: 'Alert',
  namespaced: false,
  fields: ({ raw }) => ({
    alert: textOf(raw.alert) ?? '',
    about: refsOf(raw.about),
    startsAt: timeOf(raw.startsAt) ?? 0,
    expiresAt: timeOf(raw.expiresAt) ?? 0,
    severity: severities.find((one) => one === raw.severity) ?? 'medium',
    ...given({ summary: textOf(raw.summary) && messageOf(raw.summary) }),
  }),
  links: ({ about }) => about.map((to) => ({ type: 'alerts', to })),
  judgedBy: [...alertKinds],
  // That it was repeated is no news to whom it is about: when it would end is looked up then.
  fingerprintForDependents: ({ alert, about, startsAt, severity, summary }) => [
    alert,
    about,
    startsAt,
    severity,
    summary,
  ],
});

/** An alert as it was handed on, to be saved or told anew. */
export function alertOf({ uid, alert, about, severity, summary, startsAt, expiresAt }: AlertView): RawObject {
  return {
    ...{ apiVersion: 'v1', kind: 'Alert', metadata: { name: uid, uid } },
    ...{ alert, about, severity, ...(summary !== undefined && { summary }) },
    startsAt: new Date(startsAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}
