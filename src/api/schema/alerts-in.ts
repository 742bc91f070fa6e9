import { alertKinds } from '../../model/outside-alert.ts';
import { list, object, oneOf, required, table, text } from '../../model/schema.ts';
import { settingRows } from '../../model/setting-rows.ts';
import { severities } from '../../model/severity.ts';
import { secretSource } from '../../schema/secret.ts';
import { globs } from './common.ts';

/** Rules, and values of the label `severity`, that may be added. */
const [maxRules, maxSeverities] = [50, 20];

/** https://prometheus.io/docs/concepts/data_model/#metric-names-and-labels */
const label = (description: string) => text(description, { min: 1, max: 128, pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$' });

const rule = object(
  'A label, and what its value names.',
  {
    label: required(label('Label whose value is the name of the object, such as rollout.')),
    kind: required(oneOf('Kind of the object.', alertKinds)),
    namespaceLabel: label('Label whose value is the namespace of the object; by default namespace.'),
  },
  [
    {
      rule: "!has(self.namespaceLabel) || !(self.kind in ['Node', 'Namespace'])",
      message: 'a Node or Namespace is in no namespace: leave `namespaceLabel` out',
    },
  ],
);

/** `spec.alertsIn` of the AlertConfig. */
export const alertsIn = object('Alerts of Prometheus: a webhook for Alertmanager.', {
  ...settingRows.alertsIn,
  token: secretSource(
    'Bearer token that Alertmanager sends. Without it, only tokens of this cluster are let in, of accounts that may post to the nonResourceURL /alerts.',
  ),
  names: globs('Take only alerts of these names; `*` and `?` are wildcards, `!` in front excludes.'),
  rules: list(
    'Labels that name the object of an alert, asked before the usual ones; the first that names an object that is there decides.',
    rule,
    { max: maxRules, type: 'atomic' },
  ),
  severities: table(
    'Severity by the value of the label severity, besides the usual ones.',
    oneOf('Severity of such an alert.', severities),
    { max: maxSeverities },
  ),
});
