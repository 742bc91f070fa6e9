import { namesKey, namesSecret } from './names.ts';
import { mark, type Rule } from './rule.ts';
import { isWellMixed } from './values.ts';

const uuid = '[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}';

/**
 * Credentials that tell themselves apart by a prefix or a form of their own. Sources: the vendors' documentation of their keys, and the
 * lists of partners' patterns that GitHub and GitLab publish for secret scanning. One row, one vendor.
 */
const families: Readonly<Record<string, readonly string[]>> = {
  age: ['AGE-SECRET-KEY-1[A-Z0-9]{40,}'],
  Aiven: ['AVNS_[A-Za-z0-9_-]{15,}'],
  Airtable: ['pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}'],
  'Alibaba Cloud': ['LTAI[A-Za-z0-9]{12,20}(?![A-Za-z0-9])'],
  Anthropic: ['sk-ant-[A-Za-z0-9_-]{16,}'],
  Atlassian: ['AT(?:ATT3x|CTT3x|BB|OA)[A-Za-z0-9_=-]{24,}'],
  AWS: ['(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])'],
  Ceph: ['AQ[A-Za-z0-9+/]{36}=='],
  Brevo: ['xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}'],
  Buildkite: ['bkua_[a-f0-9]{40}'],
  CircleCI: ['CCIPAT_[A-Za-z0-9]{20,}_[a-f0-9]{40}'],
  Clojars: ['CLOJARS_[a-z0-9]{60}'],
  Cloudflare: ['v1\\.0-[a-f0-9]{24}-[a-f0-9]{100,}'],
  Contentful: ['CFPAT-[A-Za-z0-9_-]{40,}'],
  'crates.io': ['cio[A-Za-z0-9]{32}(?![A-Za-z0-9])'],
  Databricks: ['dapi[a-f0-9]{32}'],
  DigitalOcean: ['do[opr]_v1_[a-f0-9]{64}'],
  Discord: ['[MNO][A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}'],
  Docker: ['dckr_[po]at_[A-Za-z0-9_-]{20,}'],
  Doppler: ['dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{30,}'],
  Dynatrace: ['dt0[a-z][0-9]{2}\\.[A-Z0-9]{8,}\\.[A-Z0-9]{32,}'],
  EasyPost: ['EZ[AT]K[A-Za-z0-9]{54}'],
  Figma: ['figd_[A-Za-z0-9_-]{30,}'],
  'Fly.io': ['fo1_[A-Za-z0-9_-]{30,}', 'fm[12][ar]?_[A-Za-z0-9+/=_-]{40,}'],
  GitHub: ['gh[pousr]_[A-Za-z0-9]{30,}', 'github_pat_[A-Za-z0-9_]{22,}'],
  GitLab: ['gl(?:pat|dt|rt|ptt|cbt|oas|ft|imt|agent|soat|ffct|rtr)-[A-Za-z0-9_.-]{20,}'],
  Google: [
    'AIza[A-Za-z0-9_-]{35}',
    'ya29\\.[A-Za-z0-9_-]{20,}',
    'GOCSPX-[A-Za-z0-9_-]{20,}',
    '1//0[A-Za-z0-9_-]{30,}',
    '4/0A[A-Za-z0-9_-]{24,}',
  ],
  Grafana: ['glsa_[A-Za-z0-9_]{32,}', 'glc_[A-Za-z0-9+/=]{32,}'],
  Groq: ['gsk_[A-Za-z0-9]{40,}'],
  Harness: ['[ps]at\\.[A-Za-z0-9_-]{22}\\.[a-f0-9]{24}\\.[A-Za-z0-9]{20}'],
  'HashiCorp Vault': ['hv[sbr]\\.[A-Za-z0-9_-]{20,}'],
  Heroku: ['HRKU-[A-Za-z0-9_-]{30,}'],
  HubSpot: [`pat-[a-z]{2}\\d-${uuid}`],
  'Hugging Face': ['hf_[A-Za-z0-9]{30,}', 'api_org_[A-Za-z0-9]{30,}'],
  Infracost: ['ico-[A-Za-z0-9]{32}(?![A-Za-z0-9])'],
  JFrog: ['AKCp[A-Za-z0-9]{60,}', 'cmVmdGtu[A-Za-z0-9]{40,}'],
  k3s: ['K10[a-f0-9]{40,64}::[a-z]{1,20}:[a-f0-9]{16,}'],
  Langfuse: [`sk-lf-${uuid}`],
  Linear: ['lin_(?:api|oauth)_[A-Za-z0-9]{32,}'],
  Mailgun: ['key-[a-f0-9]{32}(?![A-Za-z0-9])'],
  NATS: ['S[ACNOUX][A-Z2-7]{56}(?![A-Za-z0-9])'],
  Netlify: ['nfp_[A-Za-z0-9]{30,}'],
  'New Relic': ['NR(?:AK|AA|II|IQ|RA|JS)-[A-Za-z0-9_-]{19,}'],
  Notion: ['ntn_[A-Za-z0-9]{40,}', 'secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])'],
  npm: ['npm_[A-Za-z0-9]{36}'],
  NuGet: ['oy2[a-z0-9]{43}(?![a-z0-9])'],
  'Octopus Deploy': ['API-(?=[A-Z]{0,12}[0-9])[A-Z0-9]{26,36}(?![A-Za-z0-9-])'],
  OpenAI: ['sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}', 'sk-[A-Za-z0-9]{20,}'],
  OpenRouter: ['sk-or-v1-[a-f0-9]{32,}'],
  Perplexity: ['pplx-[A-Za-z0-9]{32,}'],
  PlanetScale: ['pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}'],
  Postman: ['PMAK-[a-f0-9]{24}-[a-f0-9]{34}'],
  Pulumi: ['pul-[a-f0-9]{40}'],
  PyPI: ['pypi-[A-Za-z0-9_-]{16,}'],
  ReadMe: ['rdme_[a-z0-9]{70}'],
  Replicate: ['r8_[A-Za-z0-9]{37}'],
  RubyGems: ['rubygems_[a-f0-9]{48}'],
  SendGrid: ['SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'],
  Sentry: ['sntry[su]_[A-Za-z0-9+/=_-]{32,}'],
  Shippo: ['shippo_(?:live|test)_[a-f0-9]{40}'],
  Shopify: ['shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}'],
  Slack: [
    'xox[a-z](?:\\.xox[bp])?-(?=[A-Za-z%-]{0,80}\\d)[A-Za-z0-9%-]{10,}',
    'xapp-(?=[A-Za-z-]{0,80}\\d)[A-Za-z0-9-]{10,}',
  ],
  SonarQube: ['sq[pua]_[a-f0-9]{40}'],
  Sourcegraph: ['sgp_(?:[a-zA-Z0-9]{16}_)?[a-f0-9]{40}'],
  Square: ['sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}', 'EAAA[A-Za-z0-9_-]{60}'],
  Stellar: ['S[A-Z2-7]{55}(?![A-Za-z0-9])'],
  Stripe: ['[sr]k_(?:live|test)_[A-Za-z0-9]{16,}'],
  Supabase: ['sbp_[a-f0-9]{40}', 'sb_secret_[A-Za-z0-9_-]{20,}'],
  Tailscale: ['tskey-[a-z]{2,12}-[A-Za-z0-9-]{16,}'],
  'Tencent Cloud': ['AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])'],
  Twilio: ['SK[a-f0-9]{32}(?![A-Za-z0-9])'],
  WakaTime: [`waka_${uuid}`],
  'webhook signatures': ['whsec_[A-Za-z0-9+/=]{16,}'],
  xAI: ['xai-[A-Za-z0-9]{40,}'],
  Yandex: ['AQVN[A-Za-z0-9_-]{35,38}(?![A-Za-z0-9_-])'],
};

/** Keys that are told by something in their middle: looked for only where that is. */
const inner: readonly {
  readonly family: string;
  readonly needs: readonly string[];
  readonly hint?: (text: string) => boolean;
  readonly form: string;
}[] = [
  { family: 'Azure', needs: ['Q~'], form: '[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}' },
  { family: 'HashiCorp Terraform', needs: ['.atlasv1.'], form: '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,}' },
  { family: 'New Relic', needs: ['NRAL'], form: '[A-Fa-f0-9]{32,40}NRAL' },
  { family: 'Telegram', needs: [':AA'], form: '[0-9]{8,10}:AA[A-Za-z0-9_-]{30,36}(?![A-Za-z0-9_-])' },
  { family: 'LaunchDarkly', needs: ['sdk-', 'mob-'], form: `(?<!-)(?:sdk|mob)-${uuid}(?![A-Za-z0-9-])` },
  {
    family: 'LaunchDarkly',
    needs: ['api-', 'rel-'],
    // Requests and releases are called so, too.
    hint: (text) => /launch-?_?\s?darkly|ld-relay|(?<![A-Za-z])LD_/i.test(text),
    form: `(?<!-)(?:api|rel)-${uuid}(?![A-Za-z0-9-])`,
  },
  { family: 'Mailchimp', needs: ['-us'], form: '[a-f0-9]{32}-us[0-9]{1,2}(?![A-Za-z0-9])' },
  {
    family: 'Mailgun',
    needs: ['-'],
    hint: (text) => /-[a-f0-9]{8}-[a-f0-9]{8}(?![A-Za-z0-9-])/.test(text),
    form: '[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?![A-Za-z0-9-])',
  },
];

/** Who gives out keys that are known by their form. */
export const tokenFamilies: ReadonlySet<string> = new Set([
  ...Object.keys(families),
  ...inner.map(({ family }) => family),
]);

const begin = '(?<![A-Za-z0-9_])';

/** Identifiers are as long as a key and drawn as well; few mix capitals, small letters and digits over so many characters. */
const mostOfId = 32;

/** Keys by their form, wherever they stand. Those with a prefix are one rule, since each pass over a text has its price. */
export const tokenRules: readonly Rule[] = [
  {
    what: 'the secret of AWS beside its id',
    pattern: /((?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}["']?[\s,:;|]{1,3}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g,
    needs: ['AKIA', 'ASIA'],
  },
  {
    what: 'tokens with a prefix of their own',
    pattern: new RegExp(`${begin}(?:${Object.values(families).flat().join('|')})(?=(["']?[^\\S\\r\\n]?[=:])?)`, 'g'),
    // What is called like a key and has a value is a name: as a token it would vanish, and its value stay.
    keep: (whole, sign) => (sign !== undefined && (namesSecret(whole) || namesKey(whole)) ? whole : mark),
  },
  {
    what: 'a token of whoever, by its form: a prefix and a long run of capitals, small letters and digits',
    pattern: new RegExp(`(?<![\\w+=.-])[A-Za-z][A-Za-z\\d]{1,9}_[\\w-]{${mostOfId},400}(?![\\w-])`, 'g'),
    needs: ['_'],
    keep: (whole) => (isWellMixed(whole.slice(whole.indexOf('_'))) ? mark : whole),
  },
  {
    what: 'a name, a colon and what a server drew: project:environment.…, a token of push messages',
    pattern: /((?<![\w./-])[\w*-]{1,40}:)((?:[\w-]{1,40}\.)?[\da-f]{40,128}|[\w-]{100,400})(?![\w-])/g,
    needs: [':'],
    keep: (whole, before = '', text = '') => (text.includes('.') || isWellMixed(text) ? `${before}${mark}` : whole),
  },
  {
    what: 'a token that says what it opens and where: access-production-…',
    pattern: /(\b(?:access|refresh|secret)-(?:sandbox|development|production|live|test)-)[\da-f-]{32,40}(?![\w-])/g,
    needs: ['-'],
  },
  ...inner.map(({ family, form, ...first }) => ({
    what: `a token of ${family}`,
    pattern: new RegExp(`${begin}${form}`, 'g'),
    ...first,
    keep: mark,
  })),
];
