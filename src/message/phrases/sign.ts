import type { Explanation } from '../../model/explanation.ts';
import type { TellingSign } from '../../model/heard-sign.ts';
import type { Reason } from '../../model/reason.ts';
import { kindOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import { isWorkload, kubectl, shellWord } from '../words.ts';

/** What a program says of why it fails, in words. */
type SignPhrase = {
  /** A clause about the workload, with "it" or "its": follows a colon. `whom`: what it could not reach; `name` as in the sign. */
  readonly says: (whom: string | undefined, name: string | undefined) => string;
  /** A read-only line that helps with this cause; nothing where the log itself is the next thing to read. */
  readonly next?: (sign: TellingSign) => string | undefined;
};

/** One field of the Pod that said it: names of variables, keys and mounts, never their values. */
const podField =
  (...paths: readonly string[]) =>
  ({ pod }: TellingSign): string =>
    kubectl('get pod', pod, '-o', `jsonpath=${paths.map((path) => `{${path}}`).join('{"\\n"}')}`);

/** What answers behind the Service that it means, or what it means by itself. */
function whoAnswers({ to }: TellingSign): string | undefined {
  switch (to && kindOf(to)) {
    case 'Service':
      return to && endpoints(to);
    case 'Pod':
    case 'Node':
      return to && kubectl(`describe ${kindOf(to).toLowerCase()}`, to);
    default:
      return undefined;
  }
}

const endpoints = (service: Ref): string =>
  `kubectl get endpointslices -n ${namespaceOf(service)} -l ${shellWord(`kubernetes.io/service-name=${nameOf(service)}`)}`;

/** Who may talk to whom: what is dropped on the way is not refused. For what is outside, where it comes from. */
function whoMayPass(sign: TellingSign): string {
  const namespace = sign.to && namespaceOf(sign.to) !== '' ? namespaceOf(sign.to) : namespaceOf(sign.pod);
  return `kubectl get networkpolicies -n ${namespace}`;
}

/** The Service of that name; of a name outside, whether the cluster's DNS runs. */
function whoIsCalledSo({ to }: TellingSign): string {
  return to && kindOf(to) === 'Service'
    ? `kubectl get services -n ${namespaceOf(to)}`
    : 'kubectl get pods -n kube-system -l k8s-app=kube-dns';
}

const serviceAccount = /^system:serviceaccount:([a-z0-9-]{1,63}):([a-z0-9.-]{1,253})$/;

/** What its service account may do; of other users Kubernetes knows nothing. */
function whatItMayDo({ name, pod }: TellingSign): string | undefined {
  return name !== undefined && serviceAccount.test(name)
    ? `kubectl auth can-i --list --as=${name} -n ${namespaceOf(pod)}`
    : undefined;
}

const variables = podField('.spec.containers[*].env[*].name', '.spec.containers[*].envFrom');
const mounts = podField('.spec.volumes', '.spec.containers[*].volumeMounts');
const rights = podField('.spec.securityContext', '.spec.containers[*].securityContext');
const secrets = podField(
  '.spec.containers[*].env[*].valueFrom.secretKeyRef',
  '.spec.containers[*].envFrom[*].secretRef',
);

const inBrackets = (name: string | undefined): string => (name === undefined ? '' : ` (${name})`);
const something = 'something that it needs';

const phrases: { readonly [Kind in SignKind]: SignPhrase } = {
  NameNotResolved: {
    says: (whom) =>
      whom === undefined ? 'it cannot resolve a name that it needs' : `it cannot resolve the name ${whom}`,
    next: whoIsCalledSo,
  },
  ConnectionRefused: {
    says: (whom = something) => `it cannot connect to ${whom} (connection refused)`,
    next: whoAnswers,
  },
  ConnectionTimedOut: { says: (whom = something) => `it gets no answer from ${whom} in time`, next: whoMayPass },
  ConnectionReset: {
    says: (whom) => (whom === undefined ? 'it loses a connection that it needs' : `it loses its connection to ${whom}`),
    next: whoAnswers,
  },
  HostUnreachable: { says: (whom = something) => `it cannot reach ${whom}`, next: whoAnswers },
  CertificateInvalid: {
    says: (whom) =>
      whom === undefined ? 'it fails over a TLS certificate' : `it does not accept the TLS certificate of ${whom}`,
    next: ({ to, pod }) =>
      `kubectl get secrets -n ${(to && namespaceOf(to)) || namespaceOf(pod)} --field-selector type=kubernetes.io/tls`,
  },
  CredentialsRejected: {
    says: (whom, name) =>
      `its credentials${name === undefined ? '' : ` for user ${name}`} are rejected${whom === undefined ? '' : ` by ${whom}`}`,
    next: secrets,
  },
  AccessForbidden: {
    says: (_, name) => {
      const [, namespace, account] = serviceAccount.exec(name ?? '') ?? [];
      return account === undefined
        ? `it lacks a permission that it needs${inBrackets(name)}`
        : `its service account ${namespace}/${account} lacks a permission that it needs`;
    },
    next: whatItMayDo,
  },
  PermissionDenied: {
    says: (_, name) =>
      name === undefined
        ? 'it is denied access to a file'
        : /:\d+$/.test(name)
          ? `it may not listen on ${name} (permission denied)`
          : `it is denied access to ${name}`,
    next: rights,
  },
  ReadOnlyFileSystem: {
    says: (_, name = 'a file') => `it cannot write to ${name} because the file system is read-only`,
    next: podField('.spec.containers[*].securityContext', '.spec.containers[*].volumeMounts'),
  },
  NoSpaceLeft: {
    says: (_, name) => `it has no disk space left${name === undefined ? '' : ` to write ${name}`}`,
    next: mounts,
  },
  AddressInUse: {
    says: (_, name) =>
      name === undefined
        ? 'the address that it listens on is already in use'
        : `it cannot listen on ${name}, which is already in use`,
    next: podField('.spec.hostNetwork', '.spec.containers[*].ports'),
  },
  ExecFormat: {
    says: (_, name) =>
      `its program${inBrackets(name)} is not made for the processor of its node, or is no program at all`,
    next: () => 'kubectl get nodes -L kubernetes.io/arch',
  },
  VariableMissing: {
    says: (_, name) =>
      name === undefined
        ? 'it needs an environment variable that is not set'
        : `it needs the environment variable ${name}, which is not set`,
    next: variables,
  },
  KeyMissing: {
    says: (_, name) => `its configuration lacks ${name === undefined ? 'a key that it needs' : `the key ${name}`}`,
    next: mounts,
  },
  FileMissing: {
    says: (_, name) =>
      name === undefined ? 'it needs a file that does not exist' : `it needs ${name}, which does not exist`,
    next: mounts,
  },
  ModuleMissing: {
    says: (_, name) =>
      name === undefined ? 'its image lacks a module that it needs' : `its image lacks the module ${name}`,
    next: podField('.spec.containers[*].image', '.status.containerStatuses[*].imageID'),
  },
  RuntimeOutOfMemory: {
    says: () => 'its runtime runs out of memory',
    next: podField('.spec.containers[*].resources'),
  },
  TooManyConnections: {
    says: (whom) =>
      whom === undefined
        ? 'it gets no connection because all are in use'
        : `${whom} accepts no more connections from it`,
    next: whoAnswers,
  },
  TooManyOpenFiles: { says: () => 'it has too many files open' },
  LockHeld: {
    says: (_, name) => `it waits for a lock that is held already${inBrackets(name)}`,
    next: ({ pod }) => `kubectl get pods -n ${namespaceOf(pod)} -o wide`,
  },
  SchemaMismatch: {
    says: (_, name) => `its database does not have the schema that it expects${inBrackets(name)}`,
    next: ({ pod }) => `kubectl get jobs -n ${namespaceOf(pod)}`,
  },
  Panic: { says: (_, name) => (name === undefined ? 'its program panics' : `its program panics (${name})`) },
  UncaughtException: {
    says: (_, name) => (name === undefined ? 'an exception ends it' : `an uncaught ${name} ends it`),
  },
};

/** They say how it ended, not what it lacks. */
const bare: ReadonlySet<SignKind> = new Set<SignKind>(['Panic', 'UncaughtException']);

/** Reasons that a program gives rise to by itself, so that what it says of its failure is why. */
const ofPrograms: ReadonlySet<Reason> = new Set<Reason>([
  'CrashLoopBackOff',
  'ContainerError',
  'InitContainerError',
  'InitContainerWaiting',
  'StartupProbeFailed',
  'LivenessProbeFailed',
  'ReadinessProbeFailed',
  'ReadinessFlapping',
  'PodNotReady',
  'PodFailed',
  'JobFailed',
  'DeadlineExceeded',
  'CronJobFailing',
  'WorkloadNeverReady',
  'DeploymentUnavailable',
  'StatefulSetUnavailable',
  'DaemonSetUnavailable',
  'ProgressDeadlineExceeded',
  'StatefulSetRolloutStuck',
  'DaemonSetRolloutStuck',
]);

/** `db.shop:5432`, `[::1]:5432`. */
function inWords({ target }: TellingSign): string | undefined {
  if (!target) return undefined;
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  return target.port === undefined ? host : `${host}:${target.port}`;
}

/** The sign of an explanation, where it is the root's own program that gave it. Others say what they suffer from. */
export function ownSign({ root, reason, parts, sign }: Explanation): TellingSign | undefined {
  if (!sign || !ofPrograms.has(reason) || !isWorkload(root.ref) || sign.to === root.ref) return undefined;
  if (kindOf(root.ref) === 'Pod') return sign.pod === root.ref ? sign : undefined;
  const own = parts?.find((part) => part.root.ref === root.ref)?.members;
  if (!parts || parts.length === 0) return sign;
  return own?.some(({ subject }) => subject.ref === sign.pod) ? sign : undefined;
}

/** `it cannot connect to db.shop:5432 (connection refused)`: what the program lacks, after a colon. */
export function signInWords(sign: TellingSign): string {
  const { says } = phrases[sign.kind];
  // A name is looked up without its port.
  const whom = sign.kind === 'NameNotResolved' ? sign.target?.host : inWords(sign);
  return says(whom, sign.name);
}

/** Whether a sign says what is missing, so that more need not be known. */
export function saysWhy({ kind }: TellingSign): boolean {
  return !bare.has(kind);
}

/** A read-only line for what a program says. */
export function nextOfSign(sign: TellingSign): string | undefined {
  return phrases[sign.kind].next?.(sign);
}

/** `The log of api-7d9c-1 says: dial tcp …`, for the evidence. */
export function signQuoted({ pod, source, line }: TellingSign): string {
  const where = source === 'termination' ? 'termination message' : 'log';
  return `The ${where} of ${nameOf(pod)} says: ${line}`;
}

/** Whose trouble the programs of others tell of: `Pod shop/api-1 says: it cannot connect to db:5432`. */
export function suffering({ root, sign }: Explanation): TellingSign | undefined {
  return sign && sign.to === root.ref ? sign : undefined;
}
