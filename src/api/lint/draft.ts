import { type Ref, refOf } from '../../model/ref.ts';
import { objectOf } from '../../providers/kit/block.ts';
import type { AlertProvider } from '../alert-provider.ts';
import { providerOf } from '../check-provider.ts';
import { type ManifestProblem, seenByServer, validate } from '../validation.ts';
import { metadataRemarks } from './metadata.ts';
import { blockRemarks } from './provider.ts';
import type { Remark } from './remark.ts';
import type { Manifest } from './surroundings.ts';

/** An object on its way through the rules. `readable`: the schema has taken it, so that its type can be trusted. */
export type Draft = {
  readonly manifest: Manifest;
  readonly ref: Ref;
  /** Defaults applied, nulls dropped, all of the metadata there. */
  readonly object: object;
  readonly readable: boolean;
  readonly remarks: Remark[];
};

/** Its shape may be relied on as far as the schema has taken it. */
export const asProvider = ({ object }: Draft): AlertProvider => object as AlertProvider;

/** The first judgement: by the object alone. Objects without a namespace go to `preset`, as with `kubectl -n`. */
export function draftOf(manifest: Manifest, preset: string): Draft {
  const value = objectOf(seenByServer(manifest.kind, manifest.value)) ?? {};
  const metadata = objectOf(value.metadata) ?? {};
  const text = (name: string, otherwise: string): string =>
    typeof metadata[name] === 'string' ? metadata[name] : otherwise;
  const [name, namespace] = [text('name', ''), text('namespace', preset)];
  const problems = validate(manifest.kind, manifest.value, manifest.previous);
  const remarks: Remark[] = problems.map(refusal);
  const draft: Draft = {
    manifest,
    ref: refOf(manifest.kind, namespace, name),
    object: {
      ...value,
      ...(manifest.kind === 'AlertProvider' && { spec: objectOf(value.spec) ?? {} }),
      metadata: { generation: 0, uid: '', creationTimestamp: '', ...metadata, name, namespace },
    },
    readable: !problems.some(({ rule }) => rule === 'schema'),
    remarks,
  };
  const said = remarks.map(({ path }) => path);
  const covered = ({ path }: Remark): boolean =>
    said.some((other) => path === other || (other !== '' && path.startsWith(`${other}.`)));
  remarks.push(...[...metadataRemarks(metadata), ...ownBlock(draft)].filter((remark) => !covered(remark)));
  return draft;
}

/** Of an unknown type the schema has said all there is to say. */
function ownBlock(draft: Draft): readonly Remark[] {
  if (draft.manifest.kind !== 'AlertProvider') return [];
  const { spec } = asProvider(draft);
  return providerOf(String(spec.type)) ? blockRemarks(spec) : [];
}

/** CEL messages are the API server's own words, which it shows beside the field. */
function refusal({ rule, path, message }: ManifestProblem): Remark {
  const named = rule === 'schema' || path === '';
  return { rule: 'InvalidSpec', path, message: named ? message : `\`${path}\`: ${message}` };
}
