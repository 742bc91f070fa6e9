/** `error`: it cannot work as written. `warning`: it works, but probably not as intended. `note`: good to know. */
export type Level = 'error' | 'warning' | 'note';

/** What lint looks for: each rule with its level and what it says, for the page of commands. */
export const lintRules = {
  InvalidYAML: { level: 'error', about: 'not YAML, or not as kubectl reads it' },
  UnknownKind: { level: 'error', about: 'a kind or version of `tocsin.dev` that does not exist' },
  InvalidName: { level: 'error', about: 'a name or namespace that Kubernetes refuses' },
  InvalidSpec: { level: 'error', about: 'the schema or a CEL rule refuses it' },
  Duplicate: { level: 'error', about: 'the same object twice: the last one would win' },
  InvalidDestination: { level: 'error', about: 'an invalid address, in the object or in a given Secret' },
  InvalidCertificate: { level: 'error', about: 'a certificate or key of `tls` that cannot be used' },
  SecretNotFound: {
    level: 'error',
    about: 'a Secret that is named and not given',
  },
  SecretKeyMissing: { level: 'error', about: 'a given Secret without the key' },
  FallbackNotFound: { level: 'error', about: '`fallback` names no AlertProvider of the namespace' },
  FallbackCycle: { level: 'error', about: 'fallbacks in a circle' },
  WrongNamespace: { level: 'error', about: "an AlertConfig outside Tocsin's namespace" },
  CommunityProviderNotFound: { level: 'error', about: '`app.communityProvider` names no AlertProvider' },
  CommunityProviderUnusable: {
    level: 'error',
    about: '`app.communityProvider` names one that is suspended or invalid',
  },
  InvalidSchedule: { level: 'error', about: 'a schedule that is no cron expression, or never comes' },
  UnknownTimeZone: { level: 'error', about: 'a time zone that does not exist' },
  InvalidLicense: { level: 'error', about: 'a licence that was altered, or is none' },
  CredentialRefused: { level: 'error', about: '`--check`: the product refused the credentials or the destination' },
  NotUsed: {
    level: 'error',
    about: 'a body that cannot be evaluated',
  },
  InlineSecret: { level: 'warning', about: 'a credential in the object instead of a Secret' },
  ExampleHost: { level: 'warning', about: 'an address reserved for examples' },
  UnknownReason: { level: 'warning', about: 'a selector with a reason no incident can have' },
  UnknownKindOfRoot: { level: 'warning', about: 'a selector with a misspelt kind' },
  NeverMatches: {
    level: 'warning',
    about: 'a selector that matches nothing',
  },
  Unreachable: { level: 'warning', about: 'a route or override that earlier ones make redundant' },
  SeverityOverridden: { level: 'warning', about: 'a route for severities that `detection.overrides` never leave' },
  Filtered: { level: 'warning', about: 'a route for what `filters` exclude' },
  NoRoute: { level: 'warning', about: 'every AlertProvider has routes, and some incidents match none' },
  NeverCloses: { level: 'warning', about: 'a window whose openings last until the next begins' },
  OutOfScope: {
    level: 'warning',
    about: 'a selector that names only namespaces the object does not apply to',
  },
  NeverAsked: { level: 'warning', about: 'a contact that asks for nobody' },
  NoEffect: { level: 'warning', about: 'a setting that does nothing without another' },
  EndOfLife: { level: 'warning', about: 'a product its vendor will shut down on a known date' },
  CredentialUntested: {
    level: 'warning',
    about: '`--check`: the product did not answer',
  },
  LicenseInactive: {
    level: 'warning',
    about: 'a licence that has expired, begins later, is for other clusters, or has an unknown key',
  },
  NotLicensed: { level: 'note', about: 'only Pro uses it' },
  ClusterUnnamed: {
    level: 'note',
    about: 'no `app.clusterName`: messages do not say which cluster they are from',
  },
  FallbackActive: {
    level: 'note',
    about: 'a fallback that also receives everything itself',
  },
  OpeningsOverlap: { level: 'note', about: 'a window whose openings overlap' },
  Expired: { level: 'note', about: 'a Silence or window that is over' },
  LicenseAccepted: { level: 'note', about: 'what a licence gives, and until when' },
  CredentialAccepted: { level: 'note', about: '`--check`: the product accepted the credentials' },
  CheckSkipped: { level: 'note', about: '`--check`: the type cannot test credentials, or its Secret is not given' },
} as const satisfies Record<string, { readonly level: Level; readonly about: string }>;

/** Name of a rule. */
export type LintRule = keyof typeof lintRules;

/** Something lint has to say about one object. `path`: the field, as the API server writes it; empty for the whole object. */
export type Remark = { readonly rule: LintRule; readonly path: string; readonly message: string };
