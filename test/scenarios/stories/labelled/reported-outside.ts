import { innocentRelease } from '../../kit/company.ts';
import { after, clients, recover, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** What is not in the cluster, and those that need it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/oauth2-proxy/oauth2-proxy/issues/3487, https://github.com/oauth2-proxy/oauth2-proxy/issues/2276
  'identity-provider-outside-is-away': reported(
    'An identity provider outside the cluster does not answer; the proxies of two applications end as they start, a third is unready',
    (cluster, firm) => {
      innocentRelease(cluster, after(-20), firm);
      const issuer = 'https://login.idp.example/realms/main';
      const values = { OIDC_ISSUER_URL: issuer };
      const discovery = `error while discovery OIDC configuration: failed to discover OIDC configuration: error performing request: Get "${issuer}/.well-known/openid-configuration": dial tcp 203.0.113.40:443: connect: connection timed out`;
      const proxy = ends(
        [
          '[2026/11/22 09:20:43] [provider.go:55] Performing OIDC Discovery...',
          `[2026/11/22 09:22:53] [main.go:59] ERROR: Failed to initialise OAuth2 Proxy: error initialising provider: could not create provider data: error building OIDC ProviderVerifier: could not get verifier builder: ${discovery}`,
        ],
        1,
        30,
      );
      const innocents = clients(cluster, 0, {
        'intranet/handbook-auth': { does: proxy, values },
        'monitoring/dashboards-auth': { does: proxy, values },
        'sales/quotes': {
          does: unready([
            'ERROR c.b.quotes.JwksHealthIndicator : I/O error on GET request for "https://login.idp.example/realms/main/protocol/openid-connect/certs": Connect to https://login.idp.example:443 [login.idp.example/203.0.113.40] failed: Connect timed out',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//login.idp.example:443',
        accepts: ['ExternalEndpoint//login.idp.example'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking', 'Deployment/kube-system/coredns'],
      });
    },
  ),

  // https://github.com/goharbor/harbor/issues/20823: a managed cache in another network answers no more.
  'managed-cache-answers-no-more': reported(
    'A managed Redis in another network answers no more; a registry and a session service end for it',
    (cluster) => {
      const host = 'master.production.abcdef.cache.amazonaws.com';
      const values = { REDIS_ADDR: `${host}:6379` };
      const innocents = clients(cluster, 0, {
        'registry/harbor-core': {
          does: ends(
            [
              `2026-11-22T09:01:05Z [ERROR] [/lib/cache/cache.go:124]: failed to ping redis://${host}:6379/0?idle_timeout_seconds=30, retry after 10s : read tcp 10.244.2.115:46178->10.40.7.198:6379: i/o timeout`,
              '2026-11-22T09:01:53Z [FATAL] [/core/main.go:156]: failed to initialize cache: retry timeout: read tcp 10.244.2.115:46178->10.40.7.198:6379: i/o timeout',
            ],
            1,
            48,
          ),
          values,
        },
        'shop/sessions': {
          does: unready([
            `redis.exceptions.TimeoutError: Timeout connecting to server ${host}:6379`,
            'WARNING health: redis did not answer within 5s',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:6379`,
        accepts: [`ExternalEndpoint//${host}`],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/supabase/supabase/issues/30500, https://github.com/geldata/gel/issues/2316: it restarts itself and takes a while.
  'managed-database-is-in-recovery': reported(
    'A managed PostgreSQL restarts itself and is in recovery for seven minutes; three services fail and are well again',
    (cluster) => {
      const host = 'main.c9akciq32rty.eu-west-1.rds.amazonaws.com';
      const values = { DB_HOST: host };
      const innocents = clients(cluster, 0, {
        'crm/contacts': {
          does: unready([
            `django.db.utils.OperationalError: connection to server at "${host}" (10.60.4.21), port 5432 failed: FATAL:  the database system is in recovery mode`,
          ]),
          values,
        },
        'crm/deals': {
          does: ends([
            `Error: P1001: Can't reach database server at \`${host}:5432\``,
            'error: FATAL: the database system is in recovery mode',
          ]),
          values,
        },
        'billing/dunning': {
          does: unready([
            `org.postgresql.util.PSQLException: FATAL: the database system is in recovery mode (jdbc:postgresql://${host}:5432/billing)`,
          ]),
          values,
        },
      });
      recover(cluster, 420, 'crm/contacts', 'crm/deals', 'billing/dunning');
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:5432`,
        accepts: [`ExternalEndpoint//${host}`],
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: innocents,
      });
    },
  ),
};
