import type { Secret } from '../../model/secret.ts';
import type { AlertProvider } from '../alert-provider.ts';
import type { Kind } from '../group.ts';

/** One object to judge. */
export type Manifest = {
  readonly kind: Kind;
  /** As it was read: anything at all. */
  readonly value: unknown;
  /** Where it is, for messages about another object: `alerts.yaml:12`. */
  readonly where: string;
  /** What the cluster has under this name, for rules about change. */
  readonly previous?: unknown;
  /** Known, but not asked about: it counts for the others and gets no remarks of its own. */
  readonly background?: true;
};

/** A Secret as far as it is known. `sealed`: it will be there, its keys and values cannot be seen. */
export type GivenSecret = { readonly values: ReadonlyMap<string, Secret> } | 'sealed';

/** Secrets that came with the objects. `missing`: it is known not to be there; `unknown`: nobody can tell. */
export type SecretLookup = (namespace: string, name: string) => GivenSecret | 'missing' | 'unknown';

/** What the rules know besides the object itself. */
export type Surroundings = {
  readonly operatorNamespace: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly secrets: SecretLookup;
  /** Every readable AlertProvider, by ref. */
  readonly providers: ReadonlyMap<string, Pick<AlertProvider, 'metadata' | 'spec'>>;
  /** All of them are active: a licence gives that, or somebody writes routes, which only Pro reads. */
  readonly allActive: boolean;
};
