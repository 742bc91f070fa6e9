/** The whole story of an incident, told to a real server through outbox, dispatcher and the real sender or mailer. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Mailer } from '../../src/delivery/mail.ts';
import { Resolver } from '../../src/delivery/resolver.ts';
import { createSender } from '../../src/delivery/send.ts';
import type { DeliveryReport, Outcome } from '../../src/model/delivery.ts';
import type { Notification } from '../../src/model/notification.ts';
import type { Store } from '../../src/model/store.ts';
import { providers } from '../../src/providers/registry.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { realClock } from '../delivery/clock.ts';
import { check, deliver, type Target } from '../providers/conformance/bench.ts';
import { resolver as mailNames } from '../providers/conformance/wire.ts';
import { notifications } from '../providers/notifications.ts';

export { notifications };

/** A provider as a person configured it. */
export type Configured = AsyncDisposable & {
  /** Tells one after the other, with what earlier acts left behind; fails unless each is delivered at the first attempt. */
  tell(...told: readonly Notification[]): Promise<void>;
  /** Tells and says how it ended. */
  try(told: Notification): Promise<DeliveryReport>;
  check(): Promise<Outcome>;
  /** As after a restart without saved state: every reference is lost. */
  forget(): void;
};

const settings = () => ({ timeoutMs: 10_000, allowedPrivateDestinations: [] });

/** The real sender. */
export function senderTo(): ReturnType<typeof createSender> & AsyncDisposable {
  const resolver = new Resolver({ clock: realClock });
  const sender = createSender({ clock: realClock, version: 'test', settings, resolver });
  return { ...sender, [Symbol.asyncDispose]: () => sender.close() };
}

/** Configures a type: a block as in a resource, and the values its Secrets hold by field path. */
export function configure(
  type: string,
  block: Readonly<Record<string, unknown>>,
  secrets: Readonly<Record<string, string>>,
): Configured {
  const definition = providers.find((each) => each.type === type);
  assert.ok(definition, `there is no provider type ${type}`);
  const sender = senderTo();
  // Mail servers go by the name that their certificate is for.
  const mailer = new Mailer({ clock: realClock, resolver: mailNames, settings });
  const references = Object.keys(secrets).map(
    (path) => [path, { secretKeyRef: { name: 'tested', key: path } }] as const,
  );
  const target: Target = {
    definition,
    mode: { block: { ...Object.fromEntries(references), ...block }, secrets },
    wire: {
      ways(minTimeoutMs) {
        const how = { allPrivate: true, ...(minTimeoutMs !== undefined && { minTimeoutMs }) };
        return { send: sender.for(how), mail: mailer.for(how) };
      },
    },
  };
  let store: Store = new MemoryStore();
  const told = async (notification: Notification): Promise<DeliveryReport> => {
    const { report, traces } = await deliver(target, store, notification);
    for (const value of Object.values(secrets)) assert.ok(!traces.includes(value), 'a secret is in the traces');
    return report;
  };
  return {
    async tell(...all) {
      for (const notification of all) {
        const report = await told(notification);
        assert.equal(report.ended, 'delivered', `${notification.act}: ${inspect(report)}`);
      }
    },
    try: told,
    check: () => check(target),
    forget() {
      store = new MemoryStore();
    },
    [Symbol.asyncDispose]: () => sender.close(),
  };
}

/** The credentials are good. */
export function assertGood(outcome: Outcome): void {
  assert.deepEqual(outcome, { is: 'delivered' });
}

/** The credentials are found bad, for good. */
export function assertBadCredential(outcome: Outcome): void {
  assert.ok(outcome.is === 'permanent' && outcome.credential, inspect(outcome));
}

/** A delivery that ended for good because of its credential, and says so. */
export function assertRefused(report: DeliveryReport): void {
  assert.equal(report.ended, 'failed', inspect(report));
  assert.equal(report.failure?.code, 'AuthFailed', inspect(report));
}
