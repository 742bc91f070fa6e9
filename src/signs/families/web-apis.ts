import type { SignRow } from '../row.ts';

/** Whom the APIs of others do not let in, by the status and the words with which they answer. */
export const webApiRows: readonly SignRow[] = [
  {
    // The words behind it are those of a file that may not be opened.
    kind: 'AccessForbidden',
    needs: ['error making api request'],
    pattern:
      /\bError making API request\.\s{1,4}(?:Namespace: \S{1,80} )?URL: [A-Z]{3,6} (?<at>https?:\/\/[^\s/]{1,253})\S{0,300}\s{1,4}Code: 403\b/,
    source: 'HashiCorp Vault api.ResponseError',
  },
  {
    // In lines of their own: the last one reads like the C library's.
    kind: 'AccessForbidden',
    needs: ['code: 403', 'permission denied, on '],
    pattern: /\bCode: 403\. Errors:|\bpermission denied, on \w{3,7} (?<at>https?:\/\/[^\s/]{1,253})/,
    source: 'HashiCorp Vault agent; hvac',
  },
  {
    kind: 'none',
    needs: ['* permission denied'],
    pattern: /^\|? ?\* permission denied$/,
    source: 'HashiCorp Vault agent: said of the call above',
  },
  {
    kind: 'AccessForbidden',
    needs: ['acl not found', 'unexpected response code: 403'],
    pattern: /\bUnexpected response code: 403\b|\bACL not found\b/,
    source: 'HashiCorp Consul and Nomad clients',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['ldap', 'authorization violation', 'saslerror using'],
    pattern:
      /\bSASLError using [\w-]{2,40}: not-authorized\b|\bLDAP Result Code 49\b|\bLDAP: error code 49\b|\bldap_bind: Invalid credentials\b|\bnats: [Aa]uthorization [Vv]iolation\b/,
    source: 'RFC 4511, invalidCredentials (49): go-ldap, JNDI, OpenLDAP; NATS clients; RFC 6120, 6.5.10: XMPP clients',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['401', 'invalid_client', 'invalid_grant', 'invalid_api_key', 'aadsts700'],
    pattern:
      /\b401 Client Error: Unauthorized for url|[Rr]equest failed with status code 401|\b401 Unauthorized(?: from \w{3,7} https?:|: ")|(?:"?[Ee]rror"?: ?"?)invalid_(?:client|grant)\b|\bAADSTS700(?:0222|0215|016|082): |\binvalid_api_key\b/,
    source:
      'Python requests; axios; Spring RestClient; OAuth 2 (RFC 6749, 5.2); Microsoft Entra: a client secret that has expired or is another',
  },
  {
    // Whoever comes to the program itself with a token that is not good is turned away on normal days.
    kind: 'none',
    needs: ['jwt ', 'no authorization token'],
    pattern: /\bUnauthorizedError: (?:jwt |No authorization token|invalid (?:token|signature|algorithm))/,
    source: 'express-jwt: who calls the program',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['401', 'unauthorized', 'unauthenticated'],
    pattern:
      /\bHTTP(?: [Ee]rror| [Ss]tatus| [Cc]ode)?:? 401\b|\b(?:[Rr]esponse|[Ss]tatus|[Ee]rror) (?:code )?401 \(|(?:Error|Exception): (?:401 )?Unauthorized$|\bcode = Unauthenticated\b|\b401,? (?:Unauthorized|Bad credentials)\b(?! \d)/,
    source: 'RFC 9110, 15.5.2, as HTTP clients of Python, Node, .NET and Go pass it on; gRPC status 16',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['key', 'token', 'credentials', 'invalid_auth'],
    pattern:
      /\b(?:[Ii]nvalid|[Ii]ncorrect|[Ee]xpired|[Rr]evoked|[Uu]nknown) (?:API|SDK|[Aa]pi|[Ss]dk|[Aa]ccess|[Aa]uth(?:entication)?)[ _-](?:[Kk]ey|[Tt]oken)\b(?! format)|\b(?:API|SDK) [Kk]ey (?:is )?(?:not valid|invalid|expired|revoked|disabled|has (?:expired|been (?:revoked|disabled)))|\bBad credentials\b|\binvalid_auth\b/,
    source: 'Stripe api_key_expired; OpenAI; Google APIs; LaunchDarkly; GitHub; Slack',
  },
  {
    // The reason at the end of a sentence, as programs wrap what they were answered.
    kind: 'CredentialsRejected',
    needs: [
      'authentication failed',
      'authentication failure',
      'login failed',
      'credentials',
      'password',
      'unauthorized',
      'indicate success: 401',
    ],
    pattern:
      /(?:[:=] ?["']?|^)(?:[Aa]uthentication fail(?:ed|ure)|[Ll]ogin failed|[Ii](?:nvalid|ncorrect) (?:credentials|password|user ?name or password)|[Bb]ad credentials|[Uu]nauthorized)[.!]?["')\]}]{0,3}$|\bdoes not indicate success: 401\b/,
    source: 'clients of many products, in nearly the same words; .NET',
  },
  {
    // Said of an account: a file has no tokens and no lack of rights.
    kind: 'AccessForbidden',
    needs: [
      'permission',
      'privileges',
      'not authorized to perform',
      'status: 403',
      'forbidden (403)',
      '... forbidden',
      'indicate success: 403',
    ],
    pattern:
      /\b(?:lacks?|missing|insufficient|does not have|not enough) (?:the |required |sufficient )?(?:permissions?|privileges)\b|\bPermission denied: token\b|\bnot authorized to perform action\b|\bStatus: 403 \(|\bForbidden \(403\)|\.\.\. forbidden\b|\bdoes not indicate success: 403\b/,
    source: 'Consul; Cloudflare; GitLab Runner; .NET; Azure; clients of many products',
  },
  {
    kind: 'RequestRefused',
    needs: ['indicate success: 4'],
    pattern: /\bdoes not indicate success: 4(?:0[04579]|1\d|22)\b/,
    source: '.NET HttpResponseMessage.EnsureSuccessStatusCode',
  },
  {
    kind: 'AccessForbidden',
    needs: ['403'],
    pattern:
      /\b403 Client Error: Forbidden for url|[Rr]equest failed with status code 403|\b403 Forbidden(?: from \w{3,7} https?:|: ")|googleapi: Error 403: |\bHttpError 403\b/,
    source: 'Python requests; axios; Spring RestClient; Google clients',
  },
];
