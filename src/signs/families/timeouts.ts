import { rowsOf, type SignRow } from '../row.ts';

/** The API server, as every Pod knows it. */
const apiServer = 'kubernetes.default.svc';

/** Connections and requests that nobody answers in time. */
export const timeoutRows: readonly SignRow[] = [
  ...rowsOf('ConnectionTimedOut', [
    {
      needs: ['max retries exceeded'],
      pattern: /\bHTTPS?ConnectionPool\(host='(?<host>[\w.-]{1,253})', port=(?<port>\d{1,5})\): Max retries exceeded/,
      behind: /Caused by (?:Connect|Read)TimeoutError\b/,
      source: 'urllib3 MaxRetryError: requests, boto3, the Kubernetes client for Python',
    },
    {
      needs: ['i/o timeout', 'operation timed out', 'connection timed out'],
      pattern:
        /\bdial \w{2,5}:? (?<at>\[?[\w.:%-]{2,253}\]?:\d{1,5}): (?:i\/o timeout|connect: (?:connection|operation) timed out)/,
      source: 'Go net.OpError',
    },
    {
      needs: ['i/o timeout'],
      pattern: /\b(?:read|write) \w{2,5} \S{2,280}->(?<at>\[?[\w.:%-]{2,253}\]?:\d{1,5}): i\/o timeout/,
      source: 'Go net.OpError',
    },
    {
      needs: ['context deadline exceeded', 'client.timeout exceeded'],
      pattern:
        /\b(?:Get|Post|Put|Patch|Delete|Head) "(?<at>https?:\/\/[^"\s]{1,600})": (?:net\/http: [a-z ]{1,60})?(?:\(?Client\.Timeout exceeded|context deadline exceeded)/,
      source: 'Go net/http Client',
    },
    {
      needs: ['tls handshake timeout'],
      pattern: /net\/http: TLS handshake timeout/,
      source: 'Go net/http Transport',
    },
    {
      needs: ['etimedout', 'esockettimedout'],
      pattern: /\b(?:connect |read )?E(?:SOCKET)?TIMEDOUT(?: (?<at>\[?[\w.:%-]{2,253}:\d{1,5}))?/,
      source: 'Node net, Ruby Errno, Erlang',
    },
    {
      needs: ['connect timeout error'],
      pattern: /Connect Timeout Error(?: \(attempted address(?:es)?: (?<at>[^,\s)]{1,280}))?/,
      source: 'Node undici (fetch)',
    },
    {
      needs: ['timed out) while', 'upstream timed out'],
      pattern: /upstream timed out \(110: /,
      behind: /upstream: "(?<at>[^"\s]{1,300})"/,
      source: 'nginx ngx_http_upstream',
    },
    {
      needs: ['timed out'],
      pattern:
        /(?:\bconnect(?:ion)?(?: attempt| to \S{1,253})?|\bread|\bsocket|\boperation|server selection) timed out(?= after| for |[.,:;)}\]"'!]|$| \(|\n| -| while)/i,
      source: 'strerror(ETIMEDOUT): Java, Python, PHP, curl, libpq; MongoDB drivers',
    },
    {
      needs: ['timeout expired'],
      pattern: /(?:\bfailed: |: |Connection )timeout expired(?! while)/i,
      source: 'libpq connect_timeout; Microsoft.Data.SqlClient',
    },
    {
      needs: [
        'did not properly respond',
        'httpclient.timeout',
        'execution expired',
        'timeout was reached',
        'os { code: 110',
      ],
      pattern:
        /connected party did not properly respond|configured HttpClient\.Timeout of|\bexecution expired|Timeout was reached|\bcode: 110, kind: TimedOut/,
      source: '.NET sockets and HttpClient; Ruby net/http; curl; Rust',
    },
    {
      needs: [
        'fetching topic metadata',
        'failed to update metadata',
        'timed out waiting for a node',
        'not present in metadata',
      ],
      pattern:
        /Timeout expired while fetching topic metadata|Failed to update metadata after \d{1,9} ms|Timed out waiting for a node assignment|not present in metadata after \d{1,9} ms/,
      source: 'Kafka Java client',
    },
    {
      needs: ['timed out after'],
      pattern: /Timed out after \d{1,9} ms while waiting (?:to connect|for a server)/,
      source: 'MongoDB Java driver',
    },
    {
      needs: ['i/o timeout', 'timeout connecting to', 'timed out: ', 'timed out connecting'],
      pattern:
        /: i\/o timeout(?=$|["'.,;:)\]}])|\bTimeout connecting to |[Cc]onnection timed out: |[Tt]imed out connecting to /,
      source: 'Go os.ErrDeadlineExceeded, however it is wrapped; redis-py; Python smtplib and socket',
    },
    {
      needs: ['leader election lost', 'leaderelection lost', 'failed to renew lease', 'error retrieving resource lock'],
      pattern:
        /\bleader ?election lost\b|\b[Ff]ailed to renew lease [\w.-]{1,253}\/[\w.-]{1,253}|\berror retrieving resource lock [\w./-]{1,300}/,
      whom: apiServer,
      source:
        'client-go tools/leaderelection: who cannot renew its lease in time ends; the lease is an object of the API server',
    },
  ]),
  {
    kind: 'CallFailed',
    needs: ['kubernetesclientexception: '],
    pattern: /\bKubernetesClientException: (?:Operation: \[\w{1,20}\]|An error has occurred)/,
    whom: apiServer,
    source: 'fabric8 kubernetes-client: KubernetesClientException.launderThrowable',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: [
      'contacting',
      'reaching',
      'waiting for a connection',
      'waiting for connection',
      'response from',
      'reply from',
      'answer from',
      'buffering timed out',
    ],
    pattern:
      /\b(?:[Tt]imeout|[Tt]imed out) (?:while |when )?(?:contacting|reaching|waiting for (?:an? |the )?(?:connection|response|reply|answer))\b|\bbuffering timed out after\b/,
    source: 'what most programs say of whom they wait for; Mongoose',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['connectionerror: connection timeout', 'timed out waiting for connection', 'pooltimedout'],
    pattern:
      /\bConnectionError: Connection timeout\b|\bTimed out waiting for connection while in state: CONNECTING\b|\bPoolTimedOut\b/,
    source: 'kafkajs; ZooKeeper clients; sqlx',
  },
];
