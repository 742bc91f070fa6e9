import { createAccessReview } from '../kube/access-review.ts';
import type { ApiClient } from '../kube/api-client.ts';
import type { Audience } from '../model/incident.ts';
import { wholeCluster } from '../model/view.ts';
import { alertsPath } from '../server/alerts.ts';
import { cutFor } from '../server/audience.ts';
import type { InWords } from '../server/past.ts';
import type { AlertsDoor, ServerViews, StatusView } from '../server/views.ts';
import type { ActiveOperator } from './active-operator.ts';
import { isAlertsToken } from './alerts-token.ts';
import type { AgentDoor } from './loop/agents.ts';

/** Whoever may read the logs of a namespace reads nothing new in what is told of its own objects. */
const readsLogs = { resource: 'pods', subresource: 'log' } as const;

/** The pages that AlertConfig enables or guards, once there is an AlertConfig to go by: until then there is nothing to show. */
export function createPages(
  client: ApiClient,
  work: () => ActiveOperator | undefined,
  now: () => number,
  agents?: AgentDoor,
): Pick<ServerViews, 'status' | 'metricsGuard' | 'alerts' | 'hub'> {
  const review = createAccessReview(client);
  return {
    status() {
      const current = work();
      const settings = current?.settings();
      if (!current || !settings?.statusEndpoint.enabled) return undefined;
      return {
        allowPlainHTTP: settings.statusEndpoint.allowPlainHTTP,
        authorize: (token) => review(token, { path: '/status' }),
        authorizeIn: (token, namespace) => review(token, { namespace, ...readsLogs }),
        why: (asked, at) => current.why(asked, now(), at),
        report: (asked) => current.report(asked, now()),
        view: (audience = wholeCluster) => viewOf(current, audience, now()),
        ...(agents && {
          agents: (call, audience = wholeCluster) => {
            const page = viewOf(current, audience, now());
            return agents(current.sight(page, audience, now()), call);
          },
        }),
      };
    },
    metricsGuard() {
      if (work()?.settings().metricsEndpoint.authentication !== 'Token') return undefined;
      // Whoever asks for tokens here knows that the page has no TLS: the setting says so.
      return { allowPlainHTTP: true, authorize: (token) => review(token, { path: '/metrics' }) };
    },
    alerts() {
      const current = work();
      if (!current?.takesAlerts) return 'later';
      return current.settings().alertsIn.enabled ? doorOf(current, review) : undefined;
    },
    hub() {
      const current = work();
      if (!current?.takesSummaries) return 'later';
      const { enabled, allowPlainHTTP } = current.settings().hub;
      return enabled ? { allowPlainHTTP, take: (body) => current.takeSummary(body) } : undefined;
    },
  };
}

function doorOf(current: ActiveOperator, review: ReturnType<typeof createAccessReview>): AlertsDoor {
  return {
    ...{ always: true, verb: 'post', setting: 'alertsIn' },
    allowPlainHTTP: current.settings().alertsIn.allowPlainHTTP,
    authorize: async (token) =>
      (await isAlertsToken(token, () => current.openAlertsToken()))
        ? 'allowed'
        : review(token, { path: alertsPath, verb: 'post' }),
    take: (alerts) => current.takeAlerts(alerts),
  };
}

function viewOf(current: ActiveOperator, audience: Audience, now: number): StatusView {
  const settings = current.settings();
  const whole = audience === wholeCluster;
  const history = current.history();
  const { oldest } = history;
  const cut = ({ incident }: InWords): InWords[] => {
    const own = cutFor(audience, incident, settings);
    // In the words of an open one: what is over is read about as it was.
    return own ? [{ incident: own, words: current.words({ ...own, state: 'Open' }, now, audience) }] : [];
  };
  return {
    ...{ clusterName: settings.app.clusterName, settings, watchingSince: current.watchingSince },
    incidents: [...current.incidents()].flatMap((one) => cutFor(audience, one, settings) ?? []),
    words: (incident) => current.words(incident, now, audience),
    history: {
      ...(oldest !== undefined && { oldest }),
      find: (asked) => history.find(whole ? asked : { ...asked, namespace: audience }),
      get(id) {
        const past = history.get(id);
        return whole || past === undefined ? past : cut(past)[0];
      },
    },
    ...(whole && settings.hub.enabled && { clusters: current.clusters() }),
    ...(whole && settings.hub.url !== undefined && { hub: current.hub() }),
    deadLetters: whole ? current.deadLetters() : [],
    providers: settings.providers
      .filter(({ namespace }) => whole || namespace === audience)
      .map((provider) => ({ ...provider, ...current.delivery(provider.ref) })),
  };
}
