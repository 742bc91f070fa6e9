import { innocentRelease } from '../../kit/company.ts';
import { after, clients, recover, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** What others run, and those here who cannot do without it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/stablyai/orca/pull/21161: readiness asked the shared sign-in, and every relay was dropped at once.
  'sign-in-that-all-relays-ask-answers-500': reported(
    'The shared sign-in answers with errors; three kinds of relays whose readiness asks it are taken out of traffic at once; over after nine minutes',
    (cluster, firm) => {
      innocentRelease(cluster, after(-25), firm);
      const values = { AUTH_JWKS_URL: 'https://auth.relays.example/.well-known/jwks.json' };
      const does = unready([
        'WARN ready: jwks fetch failed url=https://auth.relays.example/.well-known/jwks.json status=503 Service Unavailable',
        'ERROR ready: dependency auth is down, answering 503',
      ]);
      const places = {
        'relays/relay-eu': { does, values },
        'relays/relay-us': { does, values },
        'relays/relay-control': { does, values },
      };
      const innocents = clients(cluster, 0, places);
      recover(cluster, 540, ...Object.keys(places));
      cluster.expectIncident({
        root: 'ExternalEndpoint//auth.relays.example:443',
        accepts: ['ExternalEndpoint//auth.relays.example'],
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking', 'Deployment/kube-system/coredns'],
      });
    },
    { minutes: 22 },
  ),

  // https://github.com/unslothai/unsloth/issues/369, https://github.com/huggingface/transformers/issues/15576
  'hub-of-models-is-down': reported(
    'The public hub of models is down; two services that fetch their model at each start end, and a third is unready',
    (cluster) => {
      const values = { HF_ENDPOINT: 'https://huggingface.co' };
      const down = ends(
        [
          'huggingface_hub.utils._errors.HfHubHTTPError: 503 Server Error: Service Temporarily Unavailable for url: https://huggingface.co/BAAI/bge-base-en-v1.5/resolve/main/config.json',
          "OSError: We couldn't connect to 'https://huggingface.co' to load this file, couldn't find it in the cached files and it looks like BAAI/bge-base-en-v1.5 is not the path to a directory containing a file named config.json.",
        ],
        1,
        18,
      );
      const innocents = clients(cluster, 0, {
        'search/embeddings': { does: down, values },
        'search/reranker': { does: down, values },
        'support/summaries': {
          does: unready([
            "requests.exceptions.ConnectTimeout: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded with url: /api/models/facebook/bart-large-cnn (Caused by ConnectTimeoutError('Connection to huggingface.co timed out. (connect timeout=10)'))",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//huggingface.co:443',
        accepts: ['ExternalEndpoint//huggingface.co'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/Center-for-AI-Innovation/ai-ta-backend/issues/67, https://github.com/OpenHands/OpenHands/issues/998
  'account-at-a-provider-of-models-has-no-credit': reported(
    'The account at a provider of language models has no credit left; two workers that ask it end, and an assistant is unready',
    (cluster) => {
      const values = { OPENAI_BASE_URL: 'https://api.openai.com/v1' };
      const why =
        "Error code: 429 - {'error': {'message': 'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.', 'type': 'insufficient_quota', 'param': None, 'code': 'insufficient_quota'}}";
      const does = ends(
        [
          'INFO httpx: HTTP Request: POST https://api.openai.com/v1/chat/completions "HTTP/1.1 429 Too Many Requests"',
          `openai.RateLimitError: ${why}`,
        ],
        1,
        6,
      );
      const innocents = clients(cluster, 0, {
        'tutor/grader': { does, values },
        'tutor/digest': { does, values },
        'tutor/assistant': { does: unready([`ERROR assistant: https://api.openai.com/v1/embeddings: ${why}`]), values },
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//api.openai.com:443',
        accepts: ['ExternalEndpoint//api.openai.com'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/thunderbird/thunderbird-accounts/issues/1192: a health page that asks a server of somebody else.
  'mail-server-of-a-partner-is-unreachable': reported(
    'A health page asks the mail server of a partner, which is not to be reached; accounts and their worker go down with it',
    (cluster, firm) => {
      const host = 'stalwart.partner.example';
      const values = { STALWART_URL: `https://${host}` };
      innocentRelease(cluster, after(-70), firm);
      const innocents = clients(cluster, 0, {
        'accounts/accounts-web': {
          does: unready(
            [
              `requests.exceptions.ConnectionError: HTTPSConnectionPool(host='${host}', port=443): Max retries exceeded with url: /healthz/live (Caused by NewConnectionError('<urllib3.connection.HTTPSConnection object>: Failed to establish a new connection: [Errno 113] No route to host'))`,
            ],
            'HTTP probe failed with statuscode: 500',
          ),
          values,
        },
        'accounts/accounts-worker': {
          does: ends([`celery.exceptions.WorkerShutdown: cannot reach https://${host}: [Errno 113] No route to host`]),
          values,
        },
      });
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:443`,
        accepts: [`ExternalEndpoint//${host}`],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),
};
