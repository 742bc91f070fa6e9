import { kindOf, nameOf, namespaceOf } from '../model/ref.ts';
import type { Case } from './case.ts';
import { kubectl, shellWord } from './words.ts';

/** A read-only line for the case. */
type Next = (about: Case) => string;

/** Events of failed pulls: a registry is no object of the cluster. */
export const failedPulls: Next = () => 'kubectl get events -A --field-selector reason=Failed';

/** The root as kubectl describes it. */
export const describeRoot: Next = (about) =>
  kindOf(about.root) === 'Registry'
    ? failedPulls(about)
    : kubectl(`describe ${kindOf(about.root).toLowerCase()}`, about.root);

/** What runs on a Node. */
export const podsOnRoot: Next = ({ root }) =>
  `kubectl get pods -A -o wide --field-selector ${shellWord(`spec.nodeName=${nameOf(root)}`)}`;

/** The object that has the finding, where that is not the root people know. */
export const describeSubject: Next = ({ root, finding, ...rest }) => {
  const ref = finding?.subject.ref ?? root;
  return describeRoot({ ...rest, root: ref });
};

/** The Pod that shows it: its events and states. */
export const describePod: Next = (about) =>
  about.sample ? kubectl('describe pod', about.sample.ref) : describeRoot(about);

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
    about.sample ? kubectl('get pod', about.sample.ref, '-o', output) : describeRoot(about);

/** What there is of that kind beside the one that is missing: often a misspelt name. */
export const siblings =
  (kind: string): Next =>
  ({ root }) =>
    ['kubectl', 'get', kind, ...(namespaceOf(root) === '' ? [] : ['-n', namespaceOf(root)])].join(' ');
