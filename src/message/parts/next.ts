import { type Command, kubectl, listOf } from '../../model/command.ts';
import { isRef, kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import { settingsKinds } from '../../model/settings-kinds.ts';
import type { Case } from './case.ts';

/** A read-only line for the case. */
export type Next = (about: Case) => Command | undefined;

/** Events of failed pulls: a registry is no object of the cluster. */
export const failedPulls: Next = () => kubectl('get', listOf('events'), '-A', '--field-selector', 'reason=Failed');

/** The root as kubectl describes it. */
export const describeRoot: Next = (about) =>
  kindOf(about.root) === 'Registry' ? failedPulls(about) : kubectl('describe', about.root);

/** What runs on a Node. */
export const podsOnRoot: Next = ({ root }) =>
  kubectl('get', listOf('pods'), '-A', '-o', 'wide', '--field-selector', `spec.nodeName=${nameOf(root)}`);

/** The object that has the finding, where that is not the root people know. */
export const describeSubject: Next = ({ root, finding, ...rest }) => {
  const ref = finding?.subject.ref ?? root;
  return describeRoot({ ...rest, root: ref });
};

/** The Pod that shows it: its events and states. */
export const describePod: Next = (about) =>
  about.sample ? kubectl('describe', about.sample.ref) : describeRoot(about);

/** The log of the container, of its previous run where that is what ended. */
export const logs: Next = (about) => {
  const { sample } = about;
  if (!sample) return describeRoot(about);
  const container = sample.container === undefined ? [] : ['-c', sample.container];
  return kubectl('logs', sample.ref, ...container, ...(sample.previous ? ['--previous'] : []));
};

/** The log of what runs now. */
export const currentLogs: Next = (about) =>
  logs(about.sample ? { ...about, sample: { ...about.sample, previous: false } } : about);

/** One Pod in full or one field of it. */
export const getPod =
  (output: string): Next =>
  (about) =>
    about.sample ? kubectl('get', about.sample.ref, '-o', output) : describeRoot(about);

/** What there is of that kind beside the one that is missing: often a misspelt name. */
export const siblings =
  (kind: string, ...words: readonly string[]): Next =>
  ({ root }) =>
    kubectl('get', listOf(kind, namespaceOf(root)), ...words);

/** All Pods that the object selects, in that form of `-o`; the object itself where its selector is not known. */
export const podsBehindAs =
  (output: string): Next =>
  (about) => {
    const { selector } = about.facts;
    const ref = about.finding?.subject.ref ?? about.root;
    if (typeof selector !== 'string' || selector === '') return describeSubject(about);
    return kubectl('get', listOf('pods', namespaceOf(ref)), '-l', selector, '-o', output);
  };

/** The same with their states and Nodes. */
export const podsBehind = podsBehindAs('wide');

/** The Pod that shows it, else all of them; what was edited and runs nothing itself, where that is to blame. */
export const podOrPods: Next = (about) => {
  if (about.edited) return describeRoot(about);
  return about.sample ? describePod(about) : podsBehind(about);
};

/** One object in full or one field of it, by the name kubectl has for its kind. */
export const getObject = (ref: Ref, output: string): Command | undefined => kubectl('get', ref, '-o', output);

/** The root in full or one field of it. */
export const getRoot =
  (output: string): Next =>
  ({ root }) =>
    getObject(root, output);

/** The object whose ref is this fact, as kubectl describes it; else the root. */
export const describeFact =
  (key: string): Next =>
  (about) => {
    const ref = about.facts[key];
    return describeRoot(typeof ref === 'string' && isRef(ref) ? { ...about, root: ref } : about);
  };

/** The Node that the finding names: its conditions and what is left of it; else the Pod. */
export const describeNode: Next = (about) => {
  const { node } = about.facts;
  return typeof node === 'string' ? kubectl('describe', refOf('Node', '', node)) : describePod(about);
};

/** Who wrote the root last, and when; not what is in it: of a Secret that is shown to nobody. */
export const whoEdited: Next = ({ root }) =>
  kubectl(
    'get',
    root,
    '--show-managed-fields',
    '-o',
    'custom-columns=BY:.metadata.managedFields[*].manager,AT:.metadata.managedFields[*].time',
  );

/** What is in the settings whose edit is to blame; else the Pod. */
export const editedSettings: Next = (about) => {
  if (!about.edited || !settingsKinds.includes(kindOf(about.root))) return describePod(about);
  return kindOf(about.root) === 'Secret' ? whoEdited(about) : getRoot('yaml')(about);
};

/** The endpoints that Kubernetes has found for a Service. */
export const endpointsOf = (service: Ref): Command | undefined =>
  kubectl('get', listOf('endpointslices', namespaceOf(service)), '-l', `kubernetes.io/service-name=${nameOf(service)}`);

/** The Pods of its namespace with their labels, to compare with a selector. */
export const labelsOfPods: Next = ({ root }) => kubectl('get', listOf('pods', namespaceOf(root)), '--show-labels');
