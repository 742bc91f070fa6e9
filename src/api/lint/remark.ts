/** `error`: it cannot work as written. `warning`: it works, but probably not as intended. `note`: good to know. */
export type Level = 'error' | 'warning' | 'note';

/** What lint looks for: each rule with its level and what it says, for the page of commands. */
export const lintRules = {
  InvalidYAML: { level: 'error', about: 'the file is not YAML, or not the YAML that kubectl reads' },
  UnknownKind: { level: 'error', about: 'a kind or version of `tocsin.dev` that does not exist' },
  InvalidName: { level: 'error', about: 'a name or namespace that Kubernetes refuses' },
  InvalidSpec: { level: 'error', about: 'the schema or a CEL rule refuses it: exactly what the API server says' },
  Duplicate: { level: 'error', about: 'the same object twice: the last one applied would win' },
  InvalidDestination: { level: 'error', about: 'an address that is not valid, in the object or in a given Secret' },
  SecretNotFound: {
    level: 'error',
    about: 'a Secret that is named but not there, when Secrets of that namespace are given',
  },
  SecretKeyMissing: { level: 'error', about: 'a given Secret that lacks the key' },
  FallbackNotFound: { level: 'error', about: '`fallback` names no AlertProvider of the namespace' },
  FallbackCycle: { level: 'error', about: 'fallbacks that form a cycle' },
  WrongNamespace: { level: 'error', about: 'an AlertConfig outside the namespace of Tocsin' },
  CommunityProviderNotFound: { level: 'error', about: '`app.communityProvider` names no AlertProvider' },
  CommunityProviderUnusable: {
    level: 'error',
    about: '`app.communityProvider` names one that is suspended or invalid',
  },
  InvalidSchedule: { level: 'error', about: 'a schedule that is not a cron expression, or that never comes' },
  UnknownTimeZone: { level: 'error', about: 'a time zone that does not exist' },
  InvalidLicense: { level: 'error', about: 'a given licence that is none, or was changed' },
  CredentialRefused: { level: 'error', about: '`--check`: the product refused the credentials or the destination' },
  InlineSecret: { level: 'warning', about: 'a credential written in the object instead of a Secret' },
  ExampleHost: { level: 'warning', about: 'an address at a host that is reserved for examples' },
  UnknownReason: { level: 'warning', about: 'a reason in a selector that no incident can have' },
  UnknownKindOfRoot: { level: 'warning', about: 'a kind in a selector that is not spelled like one' },
  NeverMatches: {
    level: 'warning',
    about: 'a selector that excludes everything it includes, or asks for what cannot exist',
  },
  Unreachable: { level: 'warning', about: 'a route or override that earlier ones make redundant' },
  SeverityOverridden: { level: 'warning', about: 'a route for severities that `detection.overrides` never leave' },
  Filtered: { level: 'warning', about: 'a route for what `filters` hold back' },
  NoRoute: { level: 'warning', about: 'every AlertProvider has routes, and some incidents match none of them' },
  NeverCloses: { level: 'warning', about: 'a window each of whose openings lasts until the next one begins' },
  OutOfScope: {
    level: 'warning',
    about: 'a silence, window or route whose selector names only namespaces that it is not about',
  },
  NoEffect: { level: 'warning', about: 'a setting that does nothing without another one' },
  EndOfLife: { level: 'warning', about: 'a product or integration that its vendor will shut down on a known date' },
  CredentialUntested: {
    level: 'warning',
    about: '`--check`: the product did not answer, so the credentials may be right',
  },
  LicenseInactive: {
    level: 'warning',
    about:
      'a given licence that has expired, begins later, is for other clusters, or is signed with a key that this build does not know',
  },
  NotLicensed: { level: 'note', about: 'a kind or setting that only Pro uses: it does nothing on Community' },
  ClusterUnnamed: {
    level: 'note',
    about: 'an AlertConfig without `app.clusterName`: messages do not say which cluster they are from',
  },
  FallbackActive: {
    level: 'note',
    about:
      'a fallback that receives everything itself: where it has been notified already, it gets a remark and no second alert',
  },
  OpeningsOverlap: { level: 'note', about: 'a window whose openings reach into each other' },
  Expired: { level: 'note', about: 'a silence or window that is over' },
  LicenseAccepted: { level: 'note', about: 'what a given licence gives, and until when' },
  CredentialAccepted: { level: 'note', about: '`--check`: the product accepted the credentials' },
  CheckSkipped: { level: 'note', about: '`--check`: the type cannot test credentials, or its Secret is not given' },
} as const satisfies Record<string, { readonly level: Level; readonly about: string }>;

/** Name of a rule. */
export type LintRule = keyof typeof lintRules;

/** Something lint has to say about one object. `path`: the field, as the API server writes it; empty for the whole object. */
export type Remark = { readonly rule: LintRule; readonly path: string; readonly message: string };
