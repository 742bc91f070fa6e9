import type { RawObject } from '../../src/model/raw-object.ts';
import { at, ended, waiting } from '../world/objects.ts';
import { app, crashing, long, podOf, twoNodes } from './proof.ts';
import type { house } from './raw.ts';

/** What programs write as they end. */
export const said = {
  unresolved: (host: string) => `dial tcp: lookup ${host} on 10.96.0.10:53: no such host`,
  refused: (host: string) => `connection to server at "${host}" (10.96.0.7), port 5432 failed: Connection refused`,
  tookTooLong: 'Exception in thread "main" com.acme.pool.LeaseTimeoutException',
  rejected: (host: string) =>
    `connection to server at "${host}" (10.96.0.7), port 5432 failed: FATAL:  password authentication failed for user "app"`,
  full: (host: string) =>
    `connection to server at "${host}" (10.96.0.7), port 5432 failed: FATAL:  sorry, too many clients already`,
  expired: (host: string) =>
    `Get "https://${host}/v1": tls: failed to verify certificate: x509: certificate has expired or is not yet valid`,
  forbidden: (user: string) =>
    `pods is forbidden: User "system:serviceaccount:shop:${user}" cannot list resource "pods" in API group "" at the cluster scope`,
  variable: "KeyError: 'DATABASE_URL'",
};

/** A Pod, made at an instant, whose container crashed by another, for the fourth time, and left its last words. */
export const saying = (made: number, until: number, words: string) => ({
  ...crashing(made, until),
  statuses: [
    waiting('api', 'CrashLoopBackOff', 'back-off 1m20s restarting failed container=api', {
      ...{ restartCount: 4, lastState: ended(until - 2000, until, 1, 'Error', words) },
    }),
  ],
});

/** Workloads that run for an hour, and a Pod of each of which the program ends at 1 with its last words. */
export function crashSaying(
  k8s: ReturnType<typeof house>,
  words: Readonly<Record<string, string>>,
  ...others: readonly RawObject[]
): void {
  const names = Object.keys(words);
  k8s.put(long, ...twoNodes, ...others, ...names.flatMap((name) => [...app(name), podOf(name, 'a')]));
  k8s.wait(at(0));
  k8s.put(at(1), ...names.map((name) => podOf(name, 'a', saying(long, at(1), words[name] ?? ''))));
  k8s.wait(at(4));
}
