import { createAccessReview } from '../kube/access-review.ts';
import type { ApiClient } from '../kube/api-client.ts';
import type { ServerViews } from '../server/views.ts';
import type { ActiveOperator } from './active-operator.ts';

/** The pages that AlertConfig enables or guards, once there is an AlertConfig to go by: until then there is nothing to show. */
export function createPages(
  client: ApiClient,
  work: () => ActiveOperator | undefined,
  now: () => number,
): Pick<ServerViews, 'status' | 'metricsGuard'> {
  const review = createAccessReview(client);
  return {
    status() {
      const current = work();
      const settings = current?.settings();
      if (!current || !settings?.statusEndpoint.enabled) return undefined;
      return {
        allowPlainHTTP: settings.statusEndpoint.allowPlainHTTP,
        authorize: (token) => review(token, '/status'),
        why: (asked, at) => current.why(asked, now(), at),
        report: (asked) => current.report(asked, now()),
        view: () => ({
          clusterName: settings.app.clusterName,
          settings,
          incidents: current.incidents(),
          words: (incident) => current.words(incident, now()),
          deadLetters: current.deadLetters(),
          providers: settings.providers.map((provider) => ({ ...provider, ...current.delivery(provider.ref) })),
        }),
      };
    },
    metricsGuard() {
      if (work()?.settings().metricsEndpoint.authentication !== 'Token') return undefined;
      // Whoever asks for tokens here knows that the page has no TLS: the setting says so.
      return { allowPlainHTTP: true, authorize: (token) => review(token, '/metrics') };
    },
  };
}
