import type { AlertConfig } from '../alert-config.ts';
import type { MaintenanceWindow } from '../maintenance-window.ts';
import { nextOpening } from '../rules/opening.ts';
import { misplacedConfig } from '../rules/place.ts';
import { unknownReasons } from '../rules/reasons.ts';
import { selectorOf } from '../selector.ts';
import { silenceSettings } from '../settings.ts';
import type { Silence } from '../silence.ts';
import { configSecrets, inlineRemark } from './named-secrets.ts';
import { openGiven } from './opened.ts';
import type { Remark } from './remark.ts';
import { needlessSelectors, selectorRemarks } from './selectors.ts';
import type { Surroundings } from './surroundings.ts';

const over = (what: string, path: string, when: number): Remark => ({
  rule: 'Expired',
  path,
  message: `this ${what} ended at ${new Date(when).toISOString().replace('.000', '')}: it does nothing any more`,
});

/** Remarks on a Silence that the schema has taken. */
export function silenceRemarks(object: Silence, { now }: Surroundings): readonly Remark[] {
  // What is not applied yet begins now.
  const { creationTimestamp } = object.metadata;
  const metadata = { ...object.metadata, creationTimestamp: creationTimestamp || new Date(now).toISOString() };
  const endsAt = silenceSettings({ ...object, metadata })?.endsAt ?? Number.NaN;
  const path = object.spec.endsAt === undefined ? 'spec.durationSeconds' : 'spec.endsAt';
  return [
    ...selectorRemarks(selectorOf(object.spec.selector), 'spec.selector'),
    ...(endsAt <= now ? [over('silence', path, endsAt)] : []),
  ];
}

/** Remarks on a MaintenanceWindow that the schema has taken. */
export function windowRemarks({ spec }: MaintenanceWindow, { now }: Surroundings): readonly Remark[] {
  const opening = nextOpening(spec, now);
  const endsAt = spec.schedule === undefined ? Date.parse(spec.endsAt ?? '') : Number.NaN;
  return [
    ...(opening && 'wrong' in opening ? [{ rule: opening.wrong, path: opening.path, message: opening.message }] : []),
    ...(endsAt <= now ? [over('window', 'spec.endsAt', endsAt)] : []),
    ...selectorRemarks(selectorOf(spec.selector), 'spec.selector'),
    {
      rule: 'NotLicensed',
      path: '',
      message:
        'maintenance windows need a licence (Pro): without one this holds nothing back; a Silence mutes on Community',
    },
  ];
}

/** Remarks on an AlertConfig that the schema has taken. */
export function configRemarks(object: AlertConfig, around: Surroundings): readonly Remark[] {
  const { metadata, spec = {} } = object;
  const secrets = configSecrets({ heartbeat: spec.heartbeat?.url, license: spec.license });
  const misplaced = misplacedConfig(metadata, around.operatorNamespace);
  const { filters, detection, messages, auditLog, statusEndpoint } = spec;
  const overrides = (detection?.overrides ?? []).map(({ selector }) => selectorOf(selector));
  const remarks: readonly (Remark | false | undefined)[] = [
    // A wrong name is refused by a CEL rule already.
    misplaced?.reason === 'WrongNamespace' && {
      rule: misplaced.reason,
      path: misplaced.path,
      message: `${misplaced.message}; if Tocsin runs in "${metadata.namespace}", say so with --namespace`,
    },
    auditLog?.enabled === true && {
      rule: 'NotLicensed',
      path: 'spec.auditLog',
      message: '`spec.auditLog` needs a licence (Pro): without one nothing is written',
    },
    statusEndpoint?.tls !== undefined && {
      rule: 'NoEffect',
      path: 'spec.statusEndpoint.tls',
      message:
        '`spec.statusEndpoint.tls` is not served by this version: use `kubectl port-forward`, or set `allowPlainHTTP` where the network is trusted',
    },
  ];
  return [
    ...secrets.filter((secret) => 'inline' in secret).map(({ path }) => inlineRemark(path)),
    ...openGiven(secrets, metadata.namespace, around.secrets).remarks,
    ...remarks.filter((remark) => remark !== undefined && remark !== false),
    ...selectorRemarks(selectorOf({ ...filters }), 'spec.filters'),
    ...overrides.flatMap((selector, index) => selectorRemarks(selector, `spec.detection.overrides[${index}].selector`)),
    ...needlessSelectors(overrides, 'spec.detection.overrides', 'override'),
    ...Object.keys(messages?.runbooks ?? {}).flatMap((reason) =>
      unknownReasons([reason], '').map(({ rule, message }): Remark => {
        const path = `spec.messages.runbooks.${reason}`;
        return { rule, path, message: message.replace('`[0]`', `\`${path}\``) };
      }),
    ),
  ];
}
