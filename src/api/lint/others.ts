import { features } from '../../model/edition.ts';
import type { AlertConfig } from '../alert-config.ts';
import { type Misplaced, misplacedConfig } from '../rules/place.ts';
import { unknownReasons } from '../rules/reasons.ts';
import { selectorOf } from '../selector.ts';
import { silenceSettings } from '../settings.ts';
import type { Silence } from '../silence.ts';
import { alertsRemarks } from './alerts-in.ts';
import { hubRemarks } from './hub.ts';
import { configSecrets, inlineRemark } from './named-secrets.ts';
import { openGiven } from './opened.ts';
import { ownerRemarks } from './owners.ts';
import type { Remark } from './remark.ts';
import { needlessSelectors, scopeRemarks, selectorRemarks } from './selectors.ts';
import type { Surroundings } from './surroundings.ts';
import { zoneRemarks } from './zone.ts';

/** A Silence or window that is over. */
export const over = (what: string, path: string, when: number): Remark => ({
  rule: 'Expired',
  path,
  message: `this ${what} ended at ${new Date(when).toISOString().replace('.000', '')}: it does nothing any more`,
});

/** Remarks on a Silence that the schema has taken. */
export function silenceRemarks(object: Silence, { now, operatorNamespace }: Surroundings): readonly Remark[] {
  // What is not applied yet begins now.
  const { creationTimestamp } = object.metadata;
  const metadata = { ...object.metadata, creationTimestamp: creationTimestamp || new Date(now).toISOString() };
  const endsAt = silenceSettings({ ...object, metadata })?.endsAt ?? Number.NaN;
  const path = object.spec.endsAt === undefined ? 'spec.durationSeconds' : 'spec.endsAt';
  return [
    ...selectorRemarks(selectorOf(object.spec.selector), 'spec.selector'),
    ...scopeRemarks(object, operatorNamespace),
    ...(endsAt <= now ? [over('silence', path, endsAt)] : []),
  ];
}

/** A wrong name is refused by a CEL rule already. */
function placeRemarks({ reason: rule, path, message }: Misplaced, namespace: string): readonly Remark[] {
  if (rule === 'WrongName') return [];
  return [{ rule, path, message: `${message}; if Tocsin runs in "${namespace}", say so with --namespace` }];
}

const unlicensedAuditLog: Remark = {
  rule: 'NotLicensed',
  path: 'spec.auditLog.enabled',
  message: `the audit log needs a licence. ${features.auditLog.without}`.replace(/\.$/, ' on Community'),
};

/** Remarks on an AlertConfig that the schema has taken. */
export function configRemarks(object: AlertConfig, around: Surroundings): readonly Remark[] {
  const { metadata, spec = {} } = object;
  const secrets = configSecrets(spec);
  const misplaced = misplacedConfig(metadata, around.operatorNamespace);
  const { filters, detection, messages } = spec;
  const overrides = (detection?.overrides ?? []).map(({ selector }) => selectorOf(selector));
  return [
    ...secrets.filter((secret) => 'inline' in secret).map(({ path }) => inlineRemark(path)),
    ...openGiven(secrets, metadata.namespace, around.secrets).remarks,
    ...(misplaced ? placeRemarks(misplaced, metadata.namespace) : []),
    ...zoneRemarks('spec.app.timeZone', spec.app?.timeZone),
    ...(spec.auditLog?.enabled === true ? [unlicensedAuditLog] : []),
    ...selectorRemarks(selectorOf({ ...filters }), 'spec.filters'),
    ...overrides.flatMap((selector, index) => selectorRemarks(selector, `spec.detection.overrides[${index}].selector`)),
    ...needlessSelectors(overrides, 'spec.detection.overrides', 'override'),
    ...ownerRemarks(spec.owners ?? {}),
    ...alertsRemarks(spec),
    ...hubRemarks(spec),
    ...Object.keys(messages?.runbooks ?? {}).flatMap((reason) =>
      unknownReasons([reason], '').map(({ rule, message }): Remark => {
        const path = `spec.messages.runbooks.${reason}`;
        return { rule, path, message: message.replace('`[0]`', `\`${path}\``) };
      }),
    ),
  ];
}
