import { createAccessReview } from '../kube/access-review.ts';
import type { ApiClient } from '../kube/api-client.ts';
import type { StatusPage } from '../server/views.ts';
import type { ActiveOperator } from './active-operator.ts';

/** The page `/status` of whatever work has begun: `undefined` until then, and unless AlertConfig enables it. */
export function createStatusPage(
  client: ApiClient,
  work: () => ActiveOperator | undefined,
): () => StatusPage | undefined {
  const review = createAccessReview(client);
  return () => {
    const current = work();
    const settings = current?.settings();
    if (!current || !settings?.statusEndpoint.enabled) return undefined;
    return {
      allowPlainHTTP: settings.statusEndpoint.allowPlainHTTP,
      authorize: (token) => review(token, '/status'),
      view: () => ({
        clusterName: settings.app.clusterName,
        incidents: current.incidents(),
        deadLetters: current.deadLetters(),
        providers: settings.providers.map((provider) => ({ ...provider, ...current.delivery(provider.ref) })),
      }),
    };
  };
}
