import { rowsOf, type SignRow } from '../row.ts';

/** Requests that a server does not take because there are too many of them. */
export const limitRows: readonly SignRow[] = [
  ...rowsOf('RateLimited', [
    {
      needs: ['slowdown', 'reduce your request rate'],
      pattern: /SlowDown\b|[Pp]lease reduce your request rate/,
      source: 'Amazon S3 error SlowDown, MinIO, Ceph RGW',
    },
    {
      needs: ['throttlingexception', 'toomanyrequestsexception', 'requestlimitexceeded', 'throughputexceeded'],
      pattern: /\b(?:ThrottlingException|TooManyRequestsException|RequestLimitExceeded|ProvisionedThroughputExceeded)/,
      source: 'AWS SDKs: common error codes of throttling',
    },
    {
      needs: ['error responses'],
      // Who limits is the host, at whichever port: others name none.
      pattern: /\bHTTPS?ConnectionPool\(host='(?<host>[\w.-]{1,253})'/,
      behind: /too many (?:429|503) error responses/,
      source: 'urllib3 ResponseError.SPECIFIC_ERROR',
    },
    {
      needs: ['429 too many requests', 'resource_exhausted: quota', 'status code 429'],
      pattern: /\b429 Too Many Requests\b|RESOURCE_EXHAUSTED: [Qq]uota|\b[Ss]tatus code 429\b/,
      source: 'RFC 6585, section 4; Google API error model; axios',
    },
    {
      needs: [
        '429',
        'toomanyrequests',
        'too many requests',
        'circuit_breaking_exception',
        'ratelimit',
        'resourceexhausted',
      ],
      pattern:
        /\bTransportError\(429\b|\bcircuit_breaking_exception\b|\b429 Client Error\b|\bHTTP(?: [Ee]rror| [Ss]tatus| [Cc]ode)?:? 429\b|\b(?:[Ss]tatus|[Ee]rror|[Rr]esponse)(?: ?[Cc]ode)?["']?[:=]? ?429\b|\b(?:TooManyRequests|RateLimit(?:ed|Exceeded|Reached)?)(?:Error|Exception)\b|\bcode = ResourceExhausted\b(?!.{0,80} larger than max)/,
      source: 'Elasticsearch and OpenSearch; HTTP clients of Python, Node and Go; Auth0, OpenAI; gRPC status 8',
    },
    {
      needs: ['rate limit', 'current quota', 'quota exceeded', 'limit has been reached'],
      pattern:
        /\b[Rr]ate limit (?:exceeded|reached|has been (?:exceeded|reached))|\bexceeded your current quota\b|\b[Qq]uota exceeded for (?:quota )?metric|\b[Gg]lobal limit has been reached\b/,
      source: 'GitHub; OpenAI; Google APIs; Auth0',
    },
  ]),
];
