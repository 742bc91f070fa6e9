import { rowsOf, type SignRow } from '../row.ts';

/** Variables and keys of the configuration that are not there. `X` below is a name in capitals. */
export const configurationRows: readonly SignRow[] = [
  {
    kind: 'none',
    needs: ['not set', 'not defined', 'unset', 'not found', 'missing', 'empty'],
    pattern: /\b(?:not (?:set|defined|found|provided|configured)|unset|missing|empty)\b/i,
    behind:
      /\b(?:defaulting|defaults? to|default (?:is|will)|using|falling back|fallback|ignor(?:ed|ing)|(?<!not )optional|skip(?:ped|ping)|disabl(?:ed|ing)|will be (?:generated|disabled|skipped)|blank string|assum(?:ed|ing))/i,
    source: 'programs that go on without it',
  },
  {
    kind: 'VariableMissing',
    needs: ['keyerror', 'key not found'],
    pattern:
      /\bKeyError: ['"](?<name>[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,80})['"]|\bkey not found: "(?<name>[A-Z][A-Z0-9_]{1,80})"/,
    source: 'Python os.environ; Ruby ENV.fetch',
  },
  {
    kind: 'VariableMissing',
    needs: [': undefined', ': missing', ': required', ': not set'],
    pattern: /^(?:[-*•] )?(?<name>[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,80}): (?:undefined|missing|required|not set)$/,
    source: 'envalid and others that list what is missing',
  },
  {
    kind: 'VariableMissing',
    needs: ['could not resolve placeholder'],
    pattern: /Could not resolve placeholder '(?<name>[A-Z][A-Z0-9_]{1,100})'/,
    source: 'Spring PropertyPlaceholderHelper',
  },
  {
    kind: 'KeyMissing',
    needs: ['could not resolve placeholder'],
    pattern: /Could not resolve placeholder '(?<name>[^'\s]{1,150})'/,
    source: 'Spring PropertyPlaceholderHelper',
  },
  ...rowsOf('VariableMissing', [
    {
      needs: ['unbound variable', 'parameter not set', 'parameter null or not set'],
      pattern: /\b(?<name>[A-Za-z_][A-Za-z0-9_]{0,100}): (?:unbound variable|parameter (?:null or )?not set)/,
      source: 'bash, dash, BusyBox ash with set -u, or a parameter that must be set',
    },
    {
      needs: ['required key '],
      pattern: /required key (?<name>[A-Z][A-Z0-9_]{1,100}) missing value/,
      source: 'Go kelseyhightower/envconfig',
    },
    {
      needs: ['env'],
      pattern:
        /\b[Ee]nv(?:ironment)?[ -]?(?:var(?:iable)?s?)?(?:\(s\))? ?(?:not found:? |named |is missing: |missing: |undefined: )?["'`$(]{0,2}(?<name>[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,80})["'`)]{0,2} (?:(?:is|was|has|must|should|needs to) )?(?:not (?:been )?(?:set|defined|found|provided|specified|present|configured)|missing|required|unset|undefined|empty|be (?:set|defined|provided|non-empty))/,
      source: 'Go caarlos0/env, Elixir, own checks of many programs',
    },
    {
      needs: ['env'],
      pattern:
        /\b(?:[Mm]issing|[Rr]equired|[Uu]ndefined|[Uu]nset|[Ii]nvalid|[Nn]o|[Uu]nknown|[Ss]et the|[Dd]efine the|[Ss]pecify the)(?: (?:required|mandatory|the|following|necessary)){0,3} [Ee]nv(?:ironment)?[ -]?(?:var(?:iable)?s?)?(?:\(s\))?(?: (?:not set|missing))?:? {0,4}["'`$[{(]{0,2}(?<name>[A-Z][A-Z0-9_]{1,100})\b/,
      source: 'own checks of many programs, envalid',
    },
    {
      needs: ['env'],
      pattern:
        /\b(?:[Ss]et|[Dd]efine|[Ss]pecify|[Ee]xport|[Pp]rovide)(?: the)? ["'`$]{0,2}(?<name>[A-Z][A-Z0-9_]{1,100})["'`]? env(?:ironment)? ?var/,
      source: 'django-environ',
    },
    {
      needs: ['environment variable not found', 'env variable not found'],
      pattern: /[Ee]nvironment variable not found: "?(?<name>[A-Za-z_]\w{1,100})/,
      source: 'Prisma; Symfony',
    },
    {
      needs: ['env'],
      pattern:
        /\b(?<name>[A-Z][A-Z0-9_]{1,100})["'`]? (?:[Ee]nv(?:ironment)?[ -]?(?:[Vv]ar(?:iable)?)?) (?:(?:is|was|has|must|should|needs to) )?(?:not (?:been )?(?:set|defined|found|provided|specified|present)|missing|required|unset|undefined|empty|be (?:set|defined|provided|specified))/,
      source: 'django-environ, own checks of many programs',
    },
    {
      needs: [
        'not set',
        'not defined',
        'not found',
        'is required',
        'must be set',
        'is missing',
        'must be defined',
        'must be provided',
        'not provided',
        'is undefined',
        'is not configured',
        'is empty',
        'be specified',
        'cannot be empty',
        'not specified',
        'must not be empty',
      ],
      pattern:
        /(?<![\w./-])["'`$]?\{?(?<name>[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,80})\}?["'`]?,? (?:variable )?(?:(?:is|was) (?:not (?:set|defined|found|provided|configured|specified)|required|missing|undefined|unset|empty)|not (?:set|found|provided|defined)\b|(?:must|needs to) be (?:set|defined|provided|specified|non-empty|configured)|cannot be empty|setting must not be empty)/,
      source: 'python-decouple, Joi, zod, own checks of many programs',
    },
    {
      needs: ['must specify', 'need to specify', 'you must set', 'please set', 'please provide', 'must provide'],
      pattern:
        /(?:[Yy]ou )?(?:must|need to|[Pp]lease) (?:specify|set|provide|define)(?: the| a| one of| either)? ["'`$]{0,2}(?<name>[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,80})/,
      source: 'official images of PostgreSQL, MySQL, MongoDB; own checks',
    },
    {
      needs: ['could not expand value', 'password option is not specified', 'application encryption key'],
      pattern:
        /Could not expand value (?<name>[A-Z][A-Z0-9_]{1,100}) in property|No application encryption key has been specified|[Dd]atabase is uninitialized and password option is not specified/,
      source: 'SmallRye Config; Laravel; official image of MySQL and MariaDB',
    },
    {
      needs: ['notpresent', 'environment variable not found'],
      pattern: /Err` value: NotPresent\b|environment variable not found/,
      source: 'Rust std::env::VarError',
    },
  ]),
  ...rowsOf('KeyMissing', [
    {
      needs: ['please set ', 'setting provided', 'setting given', 'resolving property value'],
      pattern:
        /\b[Pp]lease set (?<name>[a-z][\w.]{1,100}) in\b|\bno (?<name>\w{1,60}) setting (?:provided|given)\b|\bresolving property value \[\$\{(?<name>[\w.-]{1,120})/,
      source: 'Strapi; Keycloak; Micronaut',
    },
    {
      needs: ['missing required configuration'],
      pattern: /Missing required configuration "(?<name>[\w.]{1,120})"/,
      source: 'Kafka ConfigDef',
    },
    {
      needs: ['no configuration setting found for key'],
      pattern: /No configuration setting found for key '(?<name>[\w.-]{1,150})'/,
      source: 'Typesafe config (Akka, Play)',
    },
    {
      needs: ['srcfg00014', 'is required but it could not be found'],
      pattern: /config property (?<name>[\w."-]{1,150}) is required but/,
      source: 'SmallRye Config (Quarkus)',
    },
    {
      needs: ['failed to configure a datasource', 'connectionstring', 'connection string'],
      pattern:
        /Failed to configure a DataSource: '(?<name>url)' attribute is not specified|The (?<name>ConnectionString) property has not been initialized|Value cannot be null\. \(Parameter '(?<name>connectionString)'\)|\bNo connection string named '(?<name>[^']{1,80})'/,
      source: 'Spring Boot; System.Data; ASP.NET Core',
    },
    {
      needs: ['key', 'property', 'field', 'setting', 'option', 'parameter'],
      pattern:
        /\b(?:[Mm]issing|[Rr]equired|[Nn]o such|[Uu]ndefined)(?: (?:required|mandatory|config(?:uration)?)){0,2} (?:key|property|field|setting|option|parameter)(?: not (?:found|set))?:? ["'`](?<name>[\w.$/-]{1,150})["'`]/,
      source: 'configuration readers of many programs',
    },
    {
      needs: ['required'],
      pattern:
        /\b(?:key|property|field|setting|option|config(?:uration)?) ["'`](?<name>[\w.$/-]{1,150})["'`] (?:is (?:required|missing|not set|mandatory|undefined)|not found|must be set)/,
      source: 'configuration readers of many programs',
    },
    {
      needs: ['field required', 'missing'],
      pattern: /^Field required \[type=missing\b|^field required \(type=value_error\.missing\)/,
      source: 'pydantic settings',
    },
  ]),
  {
    kind: 'VariableMissing',
    needs: ['must be set', 'is not set', 'is required'],
    pattern: /(?<![\w.])\$\{?(?<name>[A-Z][A-Z0-9_]{1,80})\}? (?:must be set|is not set|is required)\b/,
    source: 'own checks of many programs, with the sign of the shell',
  },
];
