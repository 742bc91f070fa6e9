import type { StructuralSchema } from '../../model/schema.ts';
import type { ProviderType } from '../provider.ts';
import type { AnyConfig } from './block.ts';
import { type BlockFields, blockSchema, type ConfigOf, type Rule } from './fields.ts';
import { endingWhereRefused } from './refused.ts';
import type { Support } from './supports.ts';

/** What a reader of the reference page and the CRD needs besides the fields. */
type Page = {
  /** One sentence for the CRD block and the head of the page. */
  readonly description: string;
  /** What becomes of an incident's acts there: `every act is a new message`, `one thread`, `one alert`, `one task`. */
  readonly behaviour: string;
  /** `reader`: the product shows the times in a message in the zone of whoever reads it. Absent: they are as they are written. */
  readonly times?: 'reader';
  /** What it can do with them besides sending each; nothing, where every act is a message of its own. */
  readonly supports: readonly Support[];
  /** Paragraphs of Markdown for the page: where to get what the fields ask for, and which rights it needs. */
  readonly credentials: readonly string[];
  /** Paragraphs of Markdown for the page: what to mind besides. */
  readonly notes: readonly string[];
  /** A block that works once its Secret exists; the page and the tests use it. */
  readonly sample: Readonly<Record<string, unknown>>;
  /** What the vendor ends of that which a block uses, if anything; lint warns of it. */
  readonly ending?: (block: AnyConfig) => Ending | undefined;
  /** Why a block works in Tocsin's namespace alone, if it does, as the end of a sentence. */
  readonly atHomeOnly?: (block: AnyConfig) => string | undefined;
  /**
   * Hosts of the product's own that this type sends to, and of nobody's choosing: `api.flock.com`. `*.` at the beginning stands for any names
   * below, `.*.` for one. Not domains in which customers get names for addresses of their own (`*.amazonaws.com` with its load balancers).
   */
  readonly hosts?: readonly string[];
  /**
   * What stands before the secret part of an address that is the credential, as the source of a regular expression without its scheme:
   * `api\\.flock\\.com/hooks/sendMessage/`. For addresses that no general rule of redaction hides.
   */
  readonly secretBehind?: readonly string[];
  /** What of a block does not do what it says although its schema takes it, by field; lint says so. */
  readonly flaws?: (block: AnyConfig) => readonly Flaw[];
};

/** A field that does not work, and why, as the end of a sentence. */
export type Flaw = { readonly field: string; readonly says: string };

/** A product, or a way into it, that the vendor ends: what (`a connector of Office 365`), its last day (`2027-04-05`), what to do. */
export type Ending = { readonly what: string; readonly day: string; readonly instead: string };

/** Everything there is to know of a provider type: what the dispatcher runs, and the fields all else follows from. */
export type ProviderDefinition<C> = ProviderType<C> &
  Page & {
    readonly fields: BlockFields;
    readonly rules: readonly Rule[];
  };

/** A definition of any type. */
export type AnyProvider = ProviderDefinition<AnyConfig>;

/** Declares a provider type; the type of `config` follows from `fields`. */
export function defineProvider<const F extends BlockFields>(
  definition: Omit<ProviderDefinition<ConfigOf<F>>, 'fields' | 'rules' | 'supports' | 'plain'> & {
    readonly fields: F;
    readonly rules?: readonly Rule[];
    /** Default: nothing, as every act is a message of its own. */
    readonly supports?: readonly Support<keyof F & string>[];
    /** Default: as they are. */
    readonly plain?: ProviderType<ConfigOf<F>>['plain'];
  },
): ProviderDefinition<ConfigOf<F>> {
  const { deliver, check } = definition;
  return {
    ...{ rules: [], supports: [], plain: 'native' },
    ...definition,
    deliver: endingWhereRefused(deliver),
    ...(check && { check: endingWhereRefused(check) }),
  };
}

/** The schema of the block of a provider type. */
export function schemaOf(definition: Pick<AnyProvider, 'product' | 'fields' | 'rules'>): StructuralSchema {
  return blockSchema(`Settings of ${definition.product}.`, definition.fields, definition.rules);
}
