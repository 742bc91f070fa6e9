import type { SignRow } from '../row.ts';

/** Users whom a server does not let in, and what they may not do. */
export const credentialsRows: readonly SignRow[] = [
  {
    // 2026-03-01 10:00:00.000 UTC [71] FATAL:  …; what ends the server itself (files, memory, locks) is not said with these words.
    kind: 'none',
    needs: [
      'password authentication failed',
      'no pg_hba.conf',
      'does not exist',
      'relation "',
      'too many clients',
      'connection slots',
      'the database system is',
      'terminating connection',
      'permission denied for',
      'lock timeout',
    ],
    pattern:
      /^\d{4}-\d\d-\d\d [\d:.]{8,15} \w{1,5} (?:\[\d{1,10}\]|[\w@.[\]-]{1,80})(?: [^:]{1,80})? (?:FATAL|ERROR): /,
    source: 'PostgreSQL server log: what it tells a client',
  },
  {
    kind: 'none',
    needs: ['access denied for user', 'aborted connection'],
    pattern: /\[(?:Note|Warning)\] (?:\[MY-\d{1,8}\] )?(?:\[Server\] )?(?:Access denied for user|Aborted connection)/,
    source: 'MySQL and MariaDB server log: a client of theirs',
  },
  {
    kind: 'none',
    needs: ['login refused', 'login was refused', 'invalid credentials'],
    pattern: /(?:PLAIN|AMQPLAIN|EXTERNAL) login refused: user/,
    source: 'RabbitMQ server log: a client of its',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['password authentication failed', 'authentication failed for user'],
    pattern:
      /(?:password|GSSAPI|LDAP|PAM|peer|ident|certificate|SCRAM|RADIUS) authentication failed for user ["']?(?<name>[^"'\s]{1,80})/i,
    source: 'PostgreSQL ERRCODE_INVALID_PASSWORD, as all its clients pass it on',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['role "'],
    pattern: /FATAL: {1,2}role "(?<name>[^"]{1,80})" does not exist/,
    source: 'PostgreSQL ERRCODE_INVALID_AUTHORIZATION_SPECIFICATION',
  },
  {
    kind: 'CredentialsRejected',
    needs: [
      'no password supplied',
      'client password must be a string',
      'password-based authentication, but no password',
    ],
    pattern:
      /fe_sendauth: no password supplied|client password must be a string|server requested (?:password-based|SCRAM-\S{1,20}) authentication, but (?:no password|the password is an empty)/,
    source: 'libpq; node-postgres; PostgreSQL JDBC driver',
  },
  {
    // By whence and how it comes, whatever it logs in with.
    kind: 'RequestRefused',
    needs: ['no pg_hba.conf entry'],
    pattern: /no pg_hba\.conf entry for (?:host "[^"\s]{1,80}", )?user "(?<name>[^"]{1,80})"/,
    source: 'PostgreSQL client authentication',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['access denied for user'],
    pattern: /Access denied for user '(?<name>[^']{0,80})'@'[^']{1,253}'(?! to database)/,
    source: 'MySQL ER_ACCESS_DENIED_ERROR',
  },
  {
    kind: 'AccessForbidden',
    needs: ['denied for user', 'denied to user'],
    pattern: /(?:command|Access) denied (?:for|to) user '(?<name>[^']{1,80})'/,
    source: 'MySQL ER_DBACCESS_DENIED_ERROR, ER_TABLEACCESS_DENIED_ERROR',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['login failed for user'],
    // By an address of e-mail logs in who uses the program, and not the program.
    pattern: /Login failed for user '(?<name>[^'@]{1,80})'/,
    source: 'SQL Server error 18456',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['ora-01017', 'ora-28000', 'ora-28001'],
    pattern: /\bORA-(?:01017|28000|28001): /,
    source: 'Oracle Database: wrong password, locked account, expired password',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['bad auth', 'mongo', 'authenticationfailed', 'requires authentication', 'exception authenticating'],
    pattern:
      /bad auth ?:? ?[Aa]uthentication failed|\bMongo[A-Za-z]{0,30}(?:Error|Exception): [Aa]uthentication failed|\bAuthenticationFailed\b|command \w{1,40} requires authentication|Exception authenticating MongoCredential/,
    source: 'MongoDB error 18 and 13, all drivers, Atlas',
  },
  {
    kind: 'AccessForbidden',
    needs: ['not authorized on'],
    pattern: /not authorized on (?<name>[\w-]{1,64}) to execute command/,
    source: 'MongoDB error 13',
  },
  {
    kind: 'CredentialsRejected',
    needs: [
      'noauth ',
      'authentication required',
      'wrongpass ',
      'invalid password',
      'no password is set',
      'invalid username-password pair',
    ],
    pattern:
      /\bNOAUTH Authentication required|\bAuthenticationError: Authentication required|\b(?:AuthenticationError|ReplyError): invalid username-password pair|\bNOAUTH HELLO must be called|\bWRONGPASS invalid username-password pair|\bERR invalid password|\bERR (?:AUTH <password> called|Client sent AUTH, but no password is set)/,
    source: 'Redis AUTH',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['you must be logged in to the server'],
    pattern: /\byou must be logged in to the server \(/i,
    source: 'Kubernetes API server, 401: a token that has expired, or of another cluster',
  },
  {
    kind: 'AccessForbidden',
    needs: ['permissiondenied: 403'],
    pattern: /\bPermissionDenied: 403 Permission '(?<name>[\w.]{1,120})' denied/,
    source: 'Google Cloud client libraries',
  },
  {
    kind: 'AccessForbidden',
    needs: ['noperm '],
    pattern: /\bNOPERM (?:this user has no permissions|User (?<name>\S{1,80}) has no permissions|No permissions)/,
    source: 'Redis ACL',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['saslauthenticationexception', 'sasl', 'sasl_authentication_failed', 'saslauthentication'],
    pattern:
      /SaslAuthenticationException: |SASL (?:[\w-]{1,30} )?authentication (?:error|failed)|SASL_AUTHENTICATION_FAILED|SaslAuthenticationFailed|KafkaJSSASLAuthenticationError/i,
    source: 'Kafka clients: Java, librdkafka, sarama, kafkajs',
  },
  {
    kind: 'AccessForbidden',
    needs: ['authorizationexception', 'topic authorization failed', 'not authorized to access'],
    pattern:
      /(?:Topic|Group|Cluster|TransactionalId)AuthorizationException: |[Nn]ot authorized to access (?:topics?|group|cluster)[^[]{0,20}\[?(?<name>[\w.-]{0,200})|Topic authorization failed/,
    source: 'Kafka authorizer',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['login was refused using', 'access_refused'],
    pattern:
      /ACCESS[_-]REFUSED - Login was refused|Login was refused using authentication mechanism|403 \(ACCESS-REFUSED\)/,
    source: 'RabbitMQ, AMQP 0-9-1 reply code 403',
  },
  {
    kind: 'AccessForbidden',
    needs: ['access_refused', 'not_allowed - '],
    pattern:
      /\bin vhost '[^']{1,80}' refused for user '(?<name>[^']{1,80})'|ACCESS_REFUSED - access to vhost|NOT_ALLOWED - (?:access to )?vhost/,
    source: 'RabbitMQ permissions',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['unable to authenticate user', 'missing authentication credentials', 'failed to authenticate user'],
    pattern:
      /(?:unable|failed) to authenticate user \[(?<name>[^\]]{1,80})\]|missing authentication credentials for REST request/,
    source: 'Elasticsearch security_exception',
  },
  {
    kind: 'AccessForbidden',
    needs: ['is unauthorized for'],
    pattern: /\] is unauthorized for (?:API key|user) \[?(?<name>[^\]\s]{1,80})/,
    source: 'Elasticsearch security_exception',
  },
  {
    kind: 'AccessForbidden',
    needs: ['is forbidden: user'],
    // To the end of what is refused: a line that is cut keeps that.
    pattern:
      /is forbidden: User \\?"(?<name>[^"\\]{1,253})\\?" cannot \w{1,30} (?:resource(?: \\?"[^"\\]{1,120}\\?" in API group \\?"[^"\\]{0,253}\\?"(?: at the cluster scope| in the namespace \\?"[^"\\]{1,63}\\?")?)?|\S{1,100} (?:at the cluster scope|in the namespace))/,
    source: 'Kubernetes RBAC authorizer',
  },
  {
    kind: 'AccessForbidden',
    needs: ['not authorized to perform', 'accessdenied', 'access denied'],
    pattern:
      /(?<=User: (?<name>arn:\S{1,253}) )is not authorized to perform|\b[Nn]ot authorized to perform(?=:? \w{2,40}:\w)|\bAccessDenied(?:Exception)?: (?!\/)|\(AccessDenied\)|\b403 Client Error: Forbidden for url/,
    source: 'AWS SDKs',
  },
  {
    // Whoever hands them out on the machine is asked last, and did not answer.
    kind: 'CredentialsMissing',
    needs: [
      'unable to locate credentials',
      'nocredentialproviders',
      'could not load credentials from any providers',
      'could not find default credentials',
      'failed to retrieve a token from the included credentials',
      'no ec2 imds role found',
      'unable to load credentials from any of the providers',
      'your default credentials were not found',
    ],
    pattern:
      /Your default credentials were not found|Unable to locate credentials|\bNoCredentialProviders: |Could not load credentials from any providers|could not find default credentials|DefaultAzureCredential failed to retrieve a token from the included credentials|no EC2 IMDS role found|Unable to load credentials from any of the providers/,
    source: 'AWS SDKs for Python, Go, JavaScript and Java; Google and Azure clients',
  },
  {
    kind: 'CredentialsRejected',
    needs: [
      'invalidaccesskeyid',
      'signaturedoesnotmatch',
      'expiredtoken',
      'invalidclienttokenid',
      'unrecognizedclient',
      'security token included',
      'access key id you provided',
    ],
    pattern:
      /\b(?:AWS )?Access Key Id you provided does not exist|\b(?:InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken(?:Exception)?|InvalidClientTokenId|UnrecognizedClientException)\b|security token included in the request is (?:invalid|expired)/,
    source: 'AWS SDKs',
  },
  {
    kind: 'AccessForbidden',
    needs: ['permission denied for', 'must be owner of', 'permission_denied'],
    pattern:
      /permission denied for (?:table|relation|schema|database|sequence|function|view|column) "?(?<name>[\w.$-]{1,128})|must be owner of (?:table|relation|schema|database)|\bPERMISSION_DENIED: /,
    source: 'PostgreSQL ERRCODE_INSUFFICIENT_PRIVILEGE; gRPC status',
  },
  {
    kind: 'AccessForbidden',
    needs: ['access denied', 'access is denied'],
    pattern: /(?:[:(] {0,2}|^)[Aa]ccess (?:is )?[Dd]enied(?=$|[.,;:)"'])|\baccess denied by server while mounting\b/,
    source: 'object stores and own checks of many programs; NFS',
  },
  {
    kind: 'CredentialsRejected',
    needs: [
      'permission denied (publickey',
      'ssh: unable to authenticate',
      'authentication failed for',
      'authentication unsuccessful',
      'error code 49',
      '5.7.8',
      'username and password not accepted',
      'vault token',
      'could not read username',
    ],
    pattern:
      /Permission denied \(publickey|\bssh: unable to authenticate\b|Authentication failed for 'https?:|LDAP: error code 49|\b535[ -]5\.7\.8|Username and Password not accepted/,
    source: 'OpenSSH; git; LDAP invalidCredentials; SMTP (RFC 4954)',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['authentication failed against database server'],
    pattern: /Authentication failed against database server at [`"'](?<host>[\w.:-]{1,253}?)[`"']/,
    source: 'Prisma P1000',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['no openidconnect provider', 'invalididentitytoken'],
    pattern: /\bNo OpenIDConnect provider found in your account\b|\bInvalidIdentityToken\b/,
    // The address in it is of who gave the token, and nobody asked him.
    whom: 'sts.amazonaws.com',
    source: 'AWS STS: whose tokens the account does not know',
  },
];
