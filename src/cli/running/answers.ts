/** An object as the pages name it. */
export type NamedObject = { readonly kind: string; readonly namespace: string; readonly name: string };

/** Whether it is an object as the pages name it. */
export function isNamedObject(value: unknown): value is NamedObject {
  return typeof value === 'object' && value !== null && 'kind' in value && 'namespace' in value && 'name' in value;
}

/** What `/status` answers, as far as the commands print it (`docs/status.schema.json`). */
export type StatusAnswer = {
  readonly clusterName: string;
  readonly status: string;
  readonly reasons: readonly string[];
  readonly edition: string;
  readonly version: string;
  readonly coverage: {
    readonly watching: number;
    readonly total: number;
    readonly resources: readonly { readonly resource: string; readonly state: string; readonly reason: string }[];
  };
  readonly incidents: { readonly total: number; readonly worst: readonly IncidentRow[] };
  readonly failedDeliveries: { readonly total: number };
  readonly providers: readonly ProviderRow[];
  /** The members of a hub. Absent: it is none, or of an earlier version. */
  readonly clusters?: readonly MemberRow[];
};

/** A member of a hub. */
export type MemberRow = {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly heardAt: string;
  readonly open: Readonly<Record<'critical' | 'high' | 'medium' | 'low', number>>;
  readonly worst: readonly { readonly severity: string; readonly title: string; readonly since: string }[];
};

/** An open incident. */
export type IncidentRow = {
  readonly id: string;
  /** Absent in answers of earlier versions. */
  readonly title?: string;
  readonly severity: string;
  readonly reason: string;
  readonly root: NamedObject;
  readonly confidence: string;
  readonly affected: number;
  readonly state: string;
  readonly since: string;
  /** Absent: nobody has taken it on. */
  readonly acknowledged?: { readonly by: string; readonly via: string | null; readonly at: string };
  readonly dispositions: readonly {
    readonly audience: string;
    readonly disposition: string;
    readonly by: string | null;
    /** Absent in answers of earlier versions. */
    readonly summary?: string;
  }[];
};

/** An AlertProvider with what became of its deliveries. */
export type ProviderRow = {
  readonly provider: NamedObject;
  readonly type: string;
  readonly active: boolean;
  readonly reason: string;
  readonly usable: boolean;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  readonly failing: boolean;
  readonly lastDelivery: string | null;
  readonly lastFailure: { readonly time: string; readonly reason: string; readonly message: string } | null;
};

/** What became of an incident for some audience, and whom it went to. */
export type AudienceAnswer = {
  readonly audience: string;
  readonly disposition: string | null;
  readonly says: string;
  readonly providers: readonly { readonly provider: NamedObject; readonly told: boolean; readonly says: string }[];
};

/** What `/status/why` answers (`docs/why.schema.json`). */
export type WhyAnswer = {
  readonly about: NamedObject;
  readonly says: readonly string[];
  readonly incidents: readonly {
    readonly id: string;
    readonly state: string;
    readonly root: NamedObject;
    readonly reason: string;
    readonly severity: string;
    readonly confidence: string;
    readonly since: string;
    readonly lead: string;
    readonly part: string | null;
    readonly because: readonly string[];
    readonly life: string;
    readonly audiences: readonly AudienceAnswer[];
  }[];
  readonly otherwise: readonly AudienceAnswer[];
};

/** An incident as `/status/incidents` lists it. */
export type PastRow = IncidentRow & {
  /** `null`: it is not over. */
  readonly resolvedAt: string | null;
  readonly lead: string;
  readonly cause: string | null;
};

/** What `/status/incidents` answers, as far as the commands print it (`docs/incidents.schema.json`). */
export type HistoryAnswer = {
  readonly rememberedSince: string | null;
  readonly incidents: { readonly total: number; readonly listed: readonly PastRow[] };
};

/** Whether it is what `/status/incidents` answers: its schema says the rest. */
export function isHistoryAnswer(value: unknown): value is HistoryAnswer {
  return typeof value === 'object' && value !== null && 'incidents' in value && 'rememberedSince' in value;
}

/** Whether it is what `/status` answers: its schema says the rest. */
export function isStatusAnswer(value: unknown): value is StatusAnswer {
  return typeof value === 'object' && value !== null && 'incidents' in value && 'providers' in value;
}

/** Whether it is what `/status/why` answers. */
export function isWhyAnswer(value: unknown): value is WhyAnswer {
  return typeof value === 'object' && value !== null && 'about' in value && 'otherwise' in value;
}
