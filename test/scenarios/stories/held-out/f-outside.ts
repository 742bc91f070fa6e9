import { innocentRelease } from '../../kit/company.ts';
import { after, clients, recover, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** What is not in the cluster, and those that need it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/vz-risk/VCDB/issues/22612, https://aws.amazon.com/message/101925/: its name was empty for hours.
  'region-of-the-cloud-loses-a-name': reported(
    'The tables of a cloud region have no address any more; three services of two teams that keep their things there fail; over after a quarter of an hour',
    (cluster, firm) => {
      const host = 'dynamodb.us-east-1.amazonaws.com';
      const places = {
        'parcels/labels': {
          does: ends([
            `botocore.exceptions.EndpointConnectionError: Could not connect to the endpoint URL: "https://${host}/"`,
          ]),
        },
        'parcels/tracking-feed': {
          does: unready([
            `Error: getaddrinfo ENOTFOUND ${host}`,
            "    at GetAddrInfoReqWrap.onlookup [as oncomplete] (node:dns:107:26) { errno: -3008, code: 'ENOTFOUND', syscall: 'getaddrinfo' }",
          ]),
        },
        'loyalty/points': {
          does: unready([
            `operation error DynamoDB: GetItem, exceeded maximum number of attempts, 3, https response error StatusCode: 0, RequestID: , request send failed, Post "https://${host}/": dial tcp: lookup ${host}: no such host`,
          ]),
        },
      };
      innocentRelease(cluster, after(-35), firm);
      const innocents = clients(cluster, 0, places);
      recover(cluster, 900, ...Object.keys(places));
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:443`,
        accepts: [`ExternalEndpoint//${host}`],
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/kube-system/coredns', 'Deployment/logistics/tracking'],
      });
    },
    { minutes: 26 },
  ),

  // https://github.com/Center-for-AI-Innovation/ai-ta-backend/issues/67, https://github.com/GenAI-Security-Project/finbot-ctf/issues/505
  'credit-at-the-model-provider-is-used-up': reported(
    'The credit at a provider of language models is used up in the middle of the month: two services get an answer that it is, and nothing else',
    (cluster) => {
      const values = { OPENAI_BASE_URL: 'https://api.openai.com/v1' };
      const exceeded =
        "{'error': {'message': 'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.', 'type': 'insufficient_quota', 'param': None, 'code': 'insufficient_quota'}}";
      const innocents = clients(cluster, 0, {
        'tutor/answers': {
          does: unready([
            '2026-11-23 09:35:41,112:INFO - HTTP Request: POST https://api.openai.com/v1/chat/completions "HTTP/1.1 429 Too Many Requests"',
            `2026-11-23 09:35:41,113:WARNING - openai.RateLimitError: Error code: 429 - ${exceeded}`,
          ]),
          values,
        },
        'tutor/embeddings': {
          does: ends([
            'HTTP Request: POST https://api.openai.com/v1/embeddings "HTTP/1.1 429 Too Many Requests"',
            `openai.RateLimitError: Error code: 429 - ${exceeded}`,
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//api.openai.com:443',
        accepts: ['ExternalEndpoint//api.openai.com'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/firebase/firebase-admin-python/issues/854, https://github.com/BelledonneCommunications/flexisip/issues/196
  'address-for-pushes-is-taken-off-the-net': reported(
    'The provider of push messages takes an address off the net that was announced to go: two services that still send there get a 404',
    (cluster, firm) => {
      innocentRelease(cluster, after(-90), firm);
      const innocents = clients(cluster, 0, {
        'phone/pushes': {
          does: ends([
            'firebase_admin.exceptions.NotFoundError: Unexpected HTTP response with status: 404; body: <title>Error 404 (Not Found)!!1</title> The requested URL <code>/batch</code> was not found on this server.',
            'POST https://fcm.googleapis.com/batch HTTP/1.1 404',
          ]),
        },
        'phone/alarms': {
          does: unready([
            'DeprecatedEndpoint: POST https://fcm.googleapis.com/fcm/send returned 404 Not Found: <H1>Not Found</H1>',
            'level=error msg="cannot deliver" pending=4113',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//fcm.googleapis.com:443',
        accepts: ['ExternalEndpoint//fcm.googleapis.com'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),
};
