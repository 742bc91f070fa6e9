import { type Ref, refOf } from '../../../model/ref.ts';
import { type Fields, fieldsOf, given, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';
import type { ObjectLink } from '../../reading/object-links.ts';

/** core/v1 PersistentVolumeClaim. */
export type ClaimView = Meta & {
  readonly kind: 'PersistentVolumeClaim';
  readonly phase: 'Pending' | 'Bound' | 'Lost';
  /** Absent: it waits for a default class; `''`: it wants none, only a volume that somebody has made. */
  readonly className?: string;
  readonly volume?: string;
  readonly accessModes: readonly string[];
  /** What it asks for and what it has, as quantities. */
  readonly requested?: string;
  readonly capacity?: string;
  /** The Node that the scheduler has chosen, for which its volume is to be made. */
  readonly selectedNode?: string;
  readonly conditions: readonly Condition[];
  /** How resizing it stands: `ControllerResizeInfeasible`, `NodeResizePending`. */
  readonly resize?: string;
  /** How changing its attributes stands (`Infeasible`), and to which class. */
  readonly modify?: { readonly status: string; readonly className: string };
};

const phases = ['Bound', 'Lost'] as const;
const selectedNodeAnnotation = 'volume.kubernetes.io/selected-node';
const betaClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** The class asked for: the annotation that came before the field wins over it, as the volume controller has it. */
function classOf(spec: Fields, annotations: Fields): string | undefined {
  const named = annotations[betaClassAnnotation] ?? spec.storageClassName;
  return typeof named === 'string' ? named : undefined;
}

/** The texts of a list. */
export function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** The ref of the class of a name. */
export function storageClassRef(name: string): Ref {
  return refOf('StorageClass', '', name);
}

function links({ volume, className }: ClaimView): readonly ObjectLink[] {
  const links: ObjectLink[] = [];
  if (volume !== undefined) links.push({ type: 'binds', to: refOf('PersistentVolume', '', volume) });
  if (className) links.push({ type: 'of-class', to: storageClassRef(className) });
  return links;
}

/** What holds of a claim now without a time in the API. */
function facets({ phase, resize, modify }: ClaimView): readonly string[] {
  const facets = phase === 'Lost' ? ['lost'] : [];
  if (resize?.endsWith('Infeasible')) facets.push('resize/infeasible');
  if (modify?.status === 'Infeasible') facets.push('modify/infeasible');
  return facets;
}

/** core/v1 PersistentVolumeClaim. */
export const persistentVolumeClaims: WatchedKind<ClaimView> = watched({
  group: '',
  kind: 'PersistentVolumeClaim',
  namespaced: true,
  fields({ raw, spec, status, meta }) {
    const annotations = fieldsOf(fieldsOf(raw.metadata).annotations);
    const { status: modifyStatus, targetVolumeAttributesClassName } = fieldsOf(status.modifyVolumeStatus);
    const modified = textOf(modifyStatus);
    return {
      phase: phases.find((phase) => phase === status.phase) ?? 'Pending',
      accessModes: namesOf(spec.accessModes),
      conditions: conditionsOf(raw, meta.createdAt),
      ...given({
        className: classOf(spec, annotations),
        volume: textOf(spec.volumeName),
        requested: textOf(fieldsOf(fieldsOf(spec.resources).requests).storage),
        capacity: textOf(fieldsOf(status.capacity).storage),
        selectedNode: textOf(annotations[selectedNodeAnnotation]),
        resize: textOf(fieldsOf(status.allocatedResourceStatuses).storage),
        modify:
          modified === undefined
            ? undefined
            : { status: modified, className: textOf(targetVolumeAttributesClassName) ?? '' },
      }),
    };
  },
  links,
  facets,
  judgedBy: ['PersistentVolume'],
  fingerprintForDependents: ({ uid }) => [uid],
});
