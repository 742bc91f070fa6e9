import { type Command, kubectl, listOf } from '../../../model/command.ts';
import type { TellingSign } from '../../../model/heard-sign.ts';
import { namespaceOf } from '../../../model/ref.ts';
import type { SignKind } from '../../../model/sign.ts';
import {
  mounts,
  podField,
  rights,
  secrets,
  serviceAccount,
  serviceAccountOf,
  variables,
  whatItMayDo,
  whoAnswers,
  whoIsCalledSo,
  whoMayPass,
} from './sign-next.ts';

/** What a program says of why it fails, in words. */
type SignPhrase = {
  /** A clause about the workload, with "it" or "its": follows a colon. `whom`: what it could not reach; `name` as in the sign. */
  readonly says: (whom: string | undefined, name: string | undefined) => string;
  /** A read-only line that helps with this cause; nothing where the log itself is the next thing to read. */
  readonly next?: (sign: TellingSign) => Command | undefined;
};

const inBrackets = (name: string | undefined): string => (name === undefined ? '' : ` (${name})`);
const something = 'something that it needs';

/** The words for every kind of sign; one row each. A kind without a row does not compile. */
export const signPhrases: { readonly [Kind in SignKind]: SignPhrase } = {
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
  CallFailed: { says: (whom = something) => `its calls to ${whom} fail`, next: whoAnswers },
  ServiceUnavailable: { says: (whom = something) => `${whom} answers that it is unavailable`, next: whoAnswers },
  RequestRefused: { says: (whom = something) => `${whom} refuses what it asks for`, next: whoAnswers },
  CertificateInvalid: {
    says: (whom) =>
      whom === undefined ? 'it fails over a TLS certificate' : `it does not accept the TLS certificate of ${whom}`,
    next: ({ to, pod }) =>
      kubectl(
        'get',
        listOf('secrets', (to && namespaceOf(to)) || namespaceOf(pod)),
        '--field-selector',
        'type=kubernetes.io/tls',
      ),
  },
  CredentialsRejected: {
    says: (whom, name) =>
      `its credentials${name === undefined ? '' : ` for user ${name}`} are rejected${whom === undefined ? '' : ` by ${whom}`}`,
    next: secrets,
  },
  SecretUnusable: {
    says: (_, name) => `a key, token, licence or address is not valid${inBrackets(name)}`,
    next: secrets,
  },
  CredentialsMissing: { says: () => 'it finds no credentials', next: serviceAccountOf },
  AccessForbidden: {
    says: (_, name) => {
      const [, namespace, account] = serviceAccount.exec(name ?? '') ?? [];
      return account === undefined
        ? `it lacks a permission${inBrackets(name)}`
        : `its service account ${namespace}/${account} lacks a permission`;
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
  FileSystemFailing: {
    says: (_, name) => `the file system that it uses fails${name === undefined ? '' : ` at ${name}`}`,
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
    says: (_, name) => `its program${inBrackets(name)} is not executable on this CPU architecture`,
    next: () => kubectl('get', listOf('nodes'), '-L', 'kubernetes.io/arch'),
  },
  VariableMissing: {
    says: (_, name) =>
      name === undefined
        ? 'an environment variable that it needs is not set'
        : `the environment variable ${name} is not set`,
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
  SettingsUnusable: {
    says: (_, name) => {
      if (name === undefined) return 'it cannot use its settings';
      return /\/|\.\w{2,5}$/.test(name)
        ? `it cannot use its settings in ${name}`
        : `it does not know the setting ${name}`;
    },
    next: mounts,
  },
  ModuleMissing: {
    says: (_, name) =>
      name === undefined ? 'its image lacks a module that it needs' : `its image lacks the module ${name}`,
    next: podField('.spec.containers[*].image', '.status.containerStatuses[*].imageID'),
  },
  OptionUnknown: {
    says: (_, name) =>
      name === undefined ? 'it is given an option that it does not know' : `it does not know the option ${name}`,
    next: podField('.spec.containers[*].args', '.spec.containers[*].image'),
  },
  KindMissing: {
    says: (_, name) =>
      name === undefined
        ? 'the cluster has no such kind of object as it needs'
        : `the cluster has no kind ${name}, which it needs`,
    next: () => kubectl('get', listOf('crds')),
  },
  CacheNotSynced: {
    says: (_, name) => `its caches do not sync in time${inBrackets(name)}`,
    next: whatItMayDo,
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
  RateLimited: {
    says: (whom) => (whom === undefined ? 'its requests are rate-limited' : `${whom} limits its requests`),
    next: whoAnswers,
  },
  TooManyOpenFiles: { says: () => 'it has too many files open' },
  TooManyProcesses: {
    says: () => 'it may not start another process or thread',
    next: ({ pod }) => kubectl('get', pod, '-o', 'wide'),
  },
  LockHeld: {
    says: (_, name) => `it waits for a lock that is held already${inBrackets(name)}`,
    next: ({ pod }) => kubectl('get', listOf('pods', namespaceOf(pod)), '-o', 'wide'),
  },
  SchemaMismatch: {
    says: (_, name) =>
      name === undefined ? 'its database does not have the schema it expects' : `its database schema lacks ${name}`,
    next: ({ pod }) => kubectl('get', listOf('jobs', namespaceOf(pod))),
  },
  DataUnusable: {
    says: (_, name) => `its data is broken, in the way, or of another version or cluster${inBrackets(name)}`,
    next: mounts,
  },
  HostSettingTooLow: {
    says: (_, name) =>
      name === undefined
        ? 'a kernel setting of its node is too low'
        : `the kernel setting ${name} of its node is too low`,
    next: ({ pod }) => kubectl('get', pod, '-o', 'wide'),
  },
  WorkerTimedOut: { says: () => 'its workers do not answer in time and are killed' },
  Panic: { says: (_, name) => (name === undefined ? 'its program panics' : `its program panics (${name})`) },
  UncaughtException: {
    says: (_, name) => (name === undefined ? 'an exception ends it' : `an uncaught ${name} ends it`),
  },
};
