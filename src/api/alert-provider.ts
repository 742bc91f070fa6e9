import { failureClasses } from '../model/delivery.ts';
import { acts } from '../model/notification.ts';
import { count, flag, instant, list, object, oneOf, required, type TypeOf, text, whole } from '../model/schema.ts';
import { type AnyProvider, schemaOf } from '../providers/kit/define.ts';
import { closingSettings, type Setting } from '../providers/kit/supports.ts';
import { specFields } from '../providers/kit/tls.ts';
import { providers } from '../providers/registry.ts';
import { nameLength } from '../schema/secret.ts';
import { conditions, messageLength, observedGeneration, selector } from './schema/common.ts';
import { ownWords } from './schema/own-words.ts';
import {
  ageColumn,
  conditionColumn,
  type OwnObject,
  type ResourceDefinition,
  reasonColumn,
} from './schema/resource.ts';

/** A selector in words, cut where it is longer. */
const selectorLength = 512;
/** Names of incidents, nonces and the like. */
const idLength = 253;

const common = {
  routes: list(
    'Which incidents are sent here (Pro): those that match any of these selectors. Without routes, all incidents in scope: of the whole cluster in the namespace of Tocsin, elsewhere of its own namespace.',
    object('A route.', { selector: required(selector('Incidents that match all of these fields.')) }),
    { max: 50, type: 'atomic' },
  ),
  retry: object('How failed deliveries are retried; by default for 24 hours, with growing waits.', {
    maxAttempts: whole('Retries after the first try.', { min: 0, max: 20 }),
    delay: text('The first wait, as a duration such as 5s.', { max: 16, pattern: '^([0-9]+(ms|s|m|h|d))+$' }),
  }),
  fallback: text('Name of another AlertProvider in this namespace, which receives what cannot be delivered here.', {
    min: 1,
    max: nameLength,
  }),
  message: ownWords,
  tls: specFields.tls,
  sendResolved: flag(
    'Whether ends are sent; a message that is kept up to date shows them anyhow. Must stay on where ends close something.',
    true,
  ),
  silentUpdates: flag(
    'Updates that are no worse ring nobody in chats and mail: only a message that is kept up to date shows them.',
    false,
  ),
  suspend: flag('Stop all deliveries.', false),
};

/** The fields of a spec that are no block. */
export const commonFields: readonly string[] = ['type', ...Object.keys(common)];

/** The fields every provider has. */
type CommonSpec = TypeOf<ReturnType<typeof object<typeof common>>>;

/** The spec: `type`, the common fields, and the block named by `type`. */
export type AlertProviderSpec = CommonSpec & { readonly type: string; readonly [block: string]: unknown };

const status = object('What is known of this AlertProvider; rebuilt after a restart.', {
  observedGeneration,
  conditions,
  lastDelivery: object('The last successful delivery.', {
    time: required(instant('When it was accepted.')),
    incident: text('ID of the incident or message.', { max: idLength }),
    act: required(oneOf('What it said: that an incident opened, changed or ended, or something else.', acts)),
    attempts: required(whole('How many attempts it took.', { min: 1, max: 1_000_000 })),
    durationMs: required(count('How many milliseconds the last attempt took.')),
  }),
  lastFailure: object('The last attempt that failed.', {
    time: required(instant('When it failed.')),
    class: required(oneOf('Kind of failure, which decides whether it is tried again.', failureClasses)),
    reason: required(text('Reason code for the failure.', { max: 63 })),
    message: required(text('What the product answered, or why it could not be reached.', { max: messageLength })),
    incident: text('ID of the incident or message.', { max: idLength }),
  }),
  lastTest: object('The last test message.', {
    nonce: required(text('Value of the annotation tocsin.dev/test that requested it.', { max: idLength })),
    time: required(instant('When it ended; while it has not, when it was requested.')),
    outcome: required(oneOf('How it ended.', ['Delivered', 'Failed', 'Pending'])),
    message: text('Why it failed, or what was answered.', { max: messageLength }),
  }),
  lastRedelivery: object('The last request to send again what had been given up.', {
    nonce: required(text('Value of the annotation tocsin.dev/redeliver that requested it.', { max: idLength })),
    time: required(instant('When it ended; while it has not, when it was requested.')),
    outcome: required(oneOf('How it ended.', ['Delivered', 'Failed', 'Pending', 'NothingToSend'])),
    sent: required(count('How many notifications were sent again.')),
    message: text('What arrived, and what was not sent again and why.', { max: messageLength }),
  }),
  routes: list(
    'Each route of the spec, and the incidents it took (Pro).',
    object('A route.', {
      index: required(whole('Its place in `spec.routes`, from 0.', { min: 0, max: 49 })),
      selector: required(text('What it matches, in words.', { max: selectorLength })),
      incidents: required(
        count('Incidents it took, each counted once; one that several routes match counts for the first of them.'),
      ),
      lastMatchTime: instant('When it last took an incident.'),
      problem: text('Why it takes no incidents, or fewer than it seems to.', { max: messageLength }),
    }),
    { max: 50, type: 'map', keys: ['index'] },
  ),
  delivered: count('Successful deliveries since the start, or ever where state is saved (Pro).'),
  failed: count('Deliveries that were given up since the start, or ever where state is saved (Pro).'),
  pending: count('Deliveries that wait in the queue.'),
  oldestPendingTime: instant('When the oldest of them was queued.'),
});

/** The status. */
export type AlertProviderStatus = TypeOf<typeof status>;
/** An AlertProvider. */
export type AlertProvider = OwnObject<AlertProviderSpec, AlertProviderStatus>;

/** The rule that exactly the block named by `type` is there. */
function ownBlockOnly(types: readonly string[]) {
  const blocks = types.map((type) => `(has(self.${type}) ? ['${type}'] : [])`).join(' + ');
  return {
    rule: `(${blocks}) == [self.type]`,
    message: 'set the block named by `type` (for `type: webhook`, `webhook:`), and no block of another type',
  };
}

/** The rule that nothing is left open for ever since its end is not sent; none where no type closes anything. */
function endsThatClose(definitions: readonly AnyProvider[]) {
  const all = definitions.flatMap((definition) =>
    closingSettings(definition).map((settings) => ({ type: definition.type, settings })),
  );
  const always = all.filter(({ settings }) => settings.length === 0).map(({ type }) => `'${type}'`);
  const some = all
    .filter(({ settings }) => settings.length > 0)
    .map(({ type, settings }) => closesWith(type, settings));
  const closing = [...(always.length > 0 ? [`self.type in [${always.join(', ')}]`] : []), ...some];
  if (closing.length === 0) return [];
  return [
    {
      rule: `!has(self.sendResolved) || self.sendResolved || !(${closing.join(' || ')})`,
      message: 'the end closes here what the opening made: leave `sendResolved` on',
    },
  ];
}

/** Whether these settings are made, in CEL. */
function closesWith(type: string, settings: readonly Setting[]): string {
  const made = settings.map(({ field, isSwitch }) => {
    const path = `self.${type}.${field}`;
    return isSwitch ? `has(${path}) && ${path}` : `has(${path})`;
  });
  return [`has(self.${type})`, ...made].join(' && ');
}

/** The kind for these provider types; the size test asks for 55. */
export function alertProviderFor(
  definitions: readonly AnyProvider[],
): ResourceDefinition<AlertProviderSpec, AlertProviderStatus> {
  const types = definitions.map(({ type }) => type);
  const { json } = object(
    'Where notifications go.',
    {
      type: required(oneOf('The product; cannot be changed.', types)),
      ...common,
      ...Object.fromEntries(
        definitions.map((definition) => [definition.type, { json: schemaOf(definition), required: false }]),
      ),
    },
    [ownBlockOnly(types), ...endsThatClose(definitions)],
  );
  const type = {
    ...json.properties?.type,
    'x-kubernetes-validations': [
      {
        rule: 'self == oldSelf',
        message: '`type` cannot be changed: open incidents live in the old product; create another AlertProvider',
      },
    ],
  };
  const spec = { json: { ...json, properties: { ...json.properties, type } }, required: true } as const;
  return {
    kind: 'AlertProvider',
    description: 'A destination for notifications: a chat, a pager, a tracker, a mailbox, a receiver of your own.',
    spec,
    specRequired: true,
    status,
    columns: [
      { name: 'Type', type: 'string', path: '.spec.type', description: 'The product.' },
      conditionColumn('Active', 'Whether it receives notifications.'),
      conditionColumn('Ready', 'Whether its configuration is valid.'),
      conditionColumn('Delivering', 'Whether the last delivery succeeded.'),
      {
        name: 'Last Delivery',
        type: 'date',
        path: '.status.lastDelivery.time',
        description: 'When a delivery last succeeded.',
      },
      { name: 'Failed', type: 'integer', path: '.status.failed', description: 'Failed deliveries.' },
      reasonColumn,
      {
        name: 'Pending',
        type: 'integer',
        path: '.status.pending',
        description: 'Deliveries in the queue.',
        wide: true,
      },
      ageColumn,
    ],
    validations: [],
    sample: `# kubectl -n tocsin create secret generic oncall --from-literal=url=https://receiver.example.com/alerts
apiVersion: tocsin.dev/v1beta1
kind: AlertProvider
metadata:
  name: oncall
  namespace: tocsin
spec:
  type: webhook
  webhook:
    url:
      secretKeyRef:
        name: oncall
        key: url
`,
  };
}

/** The kind with every provider type there is code for. */
export const alertProvider = alertProviderFor(providers);
