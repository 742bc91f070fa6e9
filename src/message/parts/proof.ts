import { humanDuration } from '../../model/duration.ts';
import type { Proof } from '../../model/explanation.ts';
import { describeRef, kindOf, type Ref } from '../../model/ref.ts';
import { amount } from './amount.ts';
import { describeChange } from './change.ts';
import { clockTime } from './times.ts';
import { list, objectOf, sentence } from './words.ts';

type ProofOf<Code extends Proof['code']> = Extract<Proof, { code: Code }>;

/** What each proof says, as one sentence. `root`: the object that the explanation is about; `now`: epoch milliseconds. */
const says: { readonly [Code in Proof['code']]: (proof: ProofOf<Code>, root: Ref, now: number) => string } = {
  ShareOfNode({ failing, all }) {
    if (failing === all) return all === 1 ? 'It is the only pod on the node.' : 'Every pod on the node is failing.';
    return `${failing} of the ${all} pods on the node ${failing === 1 ? 'is' : 'are'} failing.`;
  },
  HealthyElsewhere: ({ all }) => `${all ? 'Pods' : 'Most pods'} of the same workloads on other nodes are healthy.`,
  OnlyNewRevision: ({ all }) =>
    all
      ? 'Only pods of the new revision fail; pods of the old revision are healthy.'
      : 'Most of the failing pods are on the new revision.',
  AlikeKey: ({ of, key, alike, isInUse }) =>
    `${sentence(objectOf(of))} has no key ${key}; ${isInUse ? `pods that run use its key ${alike}` : `it has ${alike}`}.`,
  AlikeName: ({ missing, alike }) => `There is no ${describeRef(missing)}, but there is ${alike}.`,
  SameNameElsewhere: ({ missing, namespace }) =>
    `There is no ${describeRef(missing)}, but namespace ${namespace} has a ${kindOf(missing)} of that name.`,
  LargerThanNodes: ({ resource, asks, largest }) =>
    `The pod asks for ${amount(resource, asks)}; the largest node offers ${amount(resource, largest)}.`,
  AlikeLabel: ({ wants, has }) => `No node has the label ${wants}; there are nodes with ${has}.`,
  GrewBefore: ({ change }, root, now) =>
    `${sentence(describeChange(change, root, now))}, which may have taken the room.`,
  WrongPort: ({ service, port, offers }) =>
    `The program calls port ${port} of ${describeRef(service)}, which has ${offers.length === 1 ? `only port ${offers.join()}` : `the ports ${list(offers.map(String))}`}.`,
  ServedAfterEdit: ({ change, servedMs }, root, now) =>
    `${sentence(describeChange(change, root, now))}, but the new pods were ready for ${humanDuration(servedMs)} before they failed.`,
  EditedBeside: ({ change }, root, now) =>
    `${sentence(describeChange(change, root, now))}; its log does not say that this is why.`,
  DownBeside: ({ of, since }, _, now) =>
    `${sentence(objectOf(of))}, which it names, has been failing since ${clockTime(since, now)}; its log does not say that this is why.`,
};

/** A proof in words. */
export function proofInWords(proof: Proof, root: Ref, now: number): string {
  const speak = says[proof.code] as (proof: Proof, root: Ref, now: number) => string;
  return speak(proof, root, now);
}
