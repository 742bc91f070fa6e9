import assert from 'node:assert/strict';
import { test } from 'node:test';
import { narrate } from '../../../../src/message/narrate.ts';
import type { TellingSign } from '../../../../src/model/heard-sign.ts';
import type { Notification } from '../../../../src/model/notification.ts';
import type { Sign, SignKind } from '../../../../src/model/sign.ts';
import { at, finding, opening, settings } from '../../announcements.ts';

const root = 'Deployment/shop/api';
const pod = 'Pod/shop/api-7d9c-1';
const crash = finding({ ref: pod, labels: {} }, 'CrashLoopBackOff', { container: 'api', exitCode: 1, restarts: 4 });
const run = { ref: pod, container: 'api', previous: true, attempt: 4, ended: true } as const;

type Heard = Omit<Sign, 'line'> & Partial<TellingSign>;
const heard = (sign: Heard): TellingSign => ({
  ...{ line: 'what it says', container: 'api', source: 'previousLog', closing: true, at: at('08:59:00'), pod },
  ...sign,
});

/** The opening of a crash with what its program said. */
function told(sign: Heard, story: Partial<Parameters<typeof opening>[0]> = {}): Notification {
  const announcement = opening({
    ...{ root, reason: 'CrashLoopBackOff', confidence: 'unknown', members: [crash], affected: [crash.subject] },
    ...{ workloads: [root], samplePod: run, sign: heard(sign) },
    ...story,
  });
  return narrate(announcement, { settings, now: at('09:00:00'), version: '1.2.3' });
}

const target = { host: 'db.shop', port: 5432 };
const to = 'Service/shop/db';
const get = (paths: string): string => `kubectl get pod api-7d9c-1 -n shop -o 'jsonpath=${paths}'`;
const previousLog = 'kubectl logs api-7d9c-1 -n shop -c api --previous';

/** Every kind: what the program said, what the lead says of it after the colon, what comes next. */
const words: { readonly [Kind in SignKind]: readonly (readonly [Omit<Heard, 'kind'>, string, string])[] } = {
  NameNotResolved: [
    [
      { target: { host: 'db' }, to: 'Service/shop/db' },
      'it cannot resolve the name db',
      'kubectl get services -n shop',
    ],
    [
      { target: { host: 'api.example.com', port: 443 }, to: 'ExternalEndpoint//api.example.com:443' },
      'it cannot resolve the name api.example.com',
      'kubectl get pods -n kube-system -l k8s-app=kube-dns',
    ],
    [{}, 'it cannot resolve a name that it needs', 'kubectl get pods -n kube-system -l k8s-app=kube-dns'],
  ],
  ConnectionRefused: [
    [
      { target, to },
      'it cannot connect to db.shop:5432 (connection refused)',
      'kubectl get endpointslices -n shop -l kubernetes.io/service-name=db',
    ],
    [
      { target: { host: '10.1.0.9', port: 80 }, to: 'Pod/shop/web-1' },
      'it cannot connect to 10.1.0.9:80 (connection refused)',
      'kubectl describe pod web-1 -n shop',
    ],
    [{ target: { host: 'fd00::9', port: 80 } }, 'it cannot connect to [fd00::9]:80 (connection refused)', previousLog],
  ],
  ConnectionTimedOut: [
    [{ target, to }, 'it gets no answer from db.shop:5432 in time', 'kubectl get networkpolicies -n shop'],
  ],
  ConnectionReset: [
    [
      { target, to },
      'it loses its connection to db.shop:5432',
      'kubectl get endpointslices -n shop -l kubernetes.io/service-name=db',
    ],
  ],
  CallFailed: [
    [
      { target, to },
      'its calls to db.shop:5432 fail',
      'kubectl get endpointslices -n shop -l kubernetes.io/service-name=db',
    ],
    [{}, 'its calls to something that it needs fail', previousLog],
  ],
  CredentialsMissing: [[{}, 'it finds no credentials', get('{.spec.serviceAccountName}{"\\n"}{.spec.nodeName}')]],
  HostUnreachable: [
    [{ target: { host: '10.0.0.4' }, to: 'Node//n4' }, 'it cannot reach 10.0.0.4', 'kubectl describe node n4'],
  ],
  RequestRefused: [
    [
      { target, to },
      'db.shop:5432 refuses what it asks for',
      'kubectl get endpointslices -n shop -l kubernetes.io/service-name=db',
    ],
  ],
  SecretUnusable: [
    [
      { name: 'Authorization' },
      'a key, token, licence or address is not valid (Authorization)',
      get('{.spec.containers[*].env[*].valueFrom.secretKeyRef}{"\\n"}{.spec.containers[*].envFrom[*].secretRef}'),
    ],
  ],
  ServiceUnavailable: [
    [
      { target, to },
      'db.shop:5432 answers that it is unavailable',
      'kubectl get endpointslices -n shop -l kubernetes.io/service-name=db',
    ],
  ],
  TooManyProcesses: [[{}, 'it may not start another process or thread', 'kubectl get pod api-7d9c-1 -n shop -o wide']],
  CertificateInvalid: [
    [
      { target, to },
      'it does not accept the TLS certificate of db.shop:5432',
      'kubectl get secrets -n shop --field-selector type=kubernetes.io/tls',
    ],
  ],
  CredentialsRejected: [
    [
      { target, to, name: 'app' },
      'its credentials for user app are rejected by db.shop:5432',
      get('{.spec.containers[*].env[*].valueFrom.secretKeyRef}{"\\n"}{.spec.containers[*].envFrom[*].secretRef}'),
    ],
  ],
  AccessForbidden: [
    [
      { name: 'system:serviceaccount:shop:api' },
      'its service account shop/api lacks a permission',
      'kubectl auth can-i --list --as=system:serviceaccount:shop:api -n shop',
    ],
    [{ name: 'orders' }, 'it lacks a permission (orders)', previousLog],
  ],
  PermissionDenied: [
    [
      { name: '/data/app.db' },
      'it is denied access to /data/app.db',
      get('{.spec.securityContext}{"\\n"}{.spec.containers[*].securityContext}'),
    ],
    [
      { name: ':443' },
      'it may not listen on :443 (permission denied)',
      get('{.spec.securityContext}{"\\n"}{.spec.containers[*].securityContext}'),
    ],
  ],
  ReadOnlyFileSystem: [
    [
      { name: '/app/tmp' },
      'it cannot write to /app/tmp because the file system is read-only',
      get('{.spec.containers[*].securityContext}{"\\n"}{.spec.containers[*].volumeMounts}'),
    ],
  ],
  NoSpaceLeft: [[{}, 'it has no disk space left', get('{.spec.volumes}{"\\n"}{.spec.containers[*].volumeMounts}')]],
  FileSystemFailing: [
    [
      { name: '/data/albums' },
      'the file system that it uses fails at /data/albums',
      get('{.spec.volumes}{"\\n"}{.spec.containers[*].volumeMounts}'),
    ],
  ],
  AddressInUse: [
    [
      { name: ':8080' },
      'it cannot listen on :8080, which is already in use',
      get('{.spec.hostNetwork}{"\\n"}{.spec.containers[*].ports}'),
    ],
  ],
  ExecFormat: [
    [
      { name: '/app/server' },
      'its program (/app/server) is not executable on this CPU architecture',
      'kubectl get nodes -L kubernetes.io/arch',
    ],
  ],
  VariableMissing: [
    [
      { name: 'STRIPE_KEY' },
      'the environment variable STRIPE_KEY is not set',
      get('{.spec.containers[*].env[*].name}{"\\n"}{.spec.containers[*].envFrom}'),
    ],
    [
      {},
      'an environment variable that it needs is not set',
      get('{.spec.containers[*].env[*].name}{"\\n"}{.spec.containers[*].envFrom}'),
    ],
  ],
  KeyMissing: [
    [
      { name: 'payments.url' },
      'its configuration lacks the key payments.url',
      get('{.spec.volumes}{"\\n"}{.spec.containers[*].volumeMounts}'),
    ],
  ],
  FileMissing: [
    [
      { name: '/etc/app/config.yaml' },
      'it needs /etc/app/config.yaml, which does not exist',
      get('{.spec.volumes}{"\\n"}{.spec.containers[*].volumeMounts}'),
    ],
  ],
  SettingsUnusable: [
    [
      { name: '/etc/nginx/nginx.conf' },
      'it cannot use its settings in /etc/nginx/nginx.conf',
      get('{.spec.volumes}{"\\n"}{.spec.containers[*].volumeMounts}'),
    ],
    [
      { name: 'vm-enabled' },
      'it does not know the setting vm-enabled',
      get('{.spec.volumes}{"\\n"}{.spec.containers[*].volumeMounts}'),
    ],
    [{}, 'it cannot use its settings', get('{.spec.volumes}{"\\n"}{.spec.containers[*].volumeMounts}')],
  ],
  OptionUnknown: [
    [
      { name: '--zap-level' },
      'it does not know the option --zap-level',
      get('{.spec.containers[*].args}{"\\n"}{.spec.containers[*].image}'),
    ],
  ],
  KindMissing: [[{ name: 'PodMonitor' }, 'the cluster has no kind PodMonitor, which it needs', 'kubectl get crds']],
  CacheNotSynced: [[{ name: 'node' }, 'its caches do not sync in time (node)', previousLog]],
  DataUnusable: [
    [
      { name: '13' },
      'its data is broken, in the way, or of another version or cluster (13)',
      get('{.spec.volumes}{"\\n"}{.spec.containers[*].volumeMounts}'),
    ],
  ],
  HostSettingTooLow: [
    [
      { name: 'vm.max_map_count' },
      'the kernel setting vm.max_map_count of its node is too low',
      'kubectl get pod api-7d9c-1 -n shop -o wide',
    ],
  ],
  WorkerTimedOut: [[{}, 'its workers do not answer in time and are killed', previousLog]],
  ModuleMissing: [
    [
      { name: 'psycopg2' },
      'its image lacks the module psycopg2',
      get('{.spec.containers[*].image}{"\\n"}{.status.containerStatuses[*].imageID}'),
    ],
  ],
  RuntimeOutOfMemory: [
    [{ name: 'OutOfMemoryError' }, 'its runtime runs out of memory', get('{.spec.containers[*].resources}')],
  ],
  TooManyConnections: [
    [
      { target, to },
      'db.shop:5432 accepts no more connections from it',
      'kubectl get endpointslices -n shop -l kubernetes.io/service-name=db',
    ],
  ],
  RateLimited: [
    [
      { target: { host: 'api.example.com' }, to: 'ExternalEndpoint//api.example.com' },
      'api.example.com limits its requests',
      previousLog,
    ],
  ],
  TooManyOpenFiles: [[{}, 'it has too many files open', previousLog]],
  LockHeld: [
    [
      { name: 'postmaster.pid' },
      'it waits for a lock that is held already (postmaster.pid)',
      'kubectl get pods -n shop -o wide',
    ],
  ],
  SchemaMismatch: [[{ name: 'users' }, 'its database schema lacks users', 'kubectl get jobs -n shop']],
  Panic: [
    [
      { name: 'runtime error: index out of range', line: 'panic: runtime error: index out of range' },
      'its program panics (runtime error: index out of range)',
      previousLog,
    ],
  ],
  UncaughtException: [[{ name: 'TypeError' }, 'an uncaught TypeError ends it', previousLog]],
};

/** In a title. */
const ends: Partial<Record<SignKind, string>> = {
  Panic: 'panic: index out of range',
  UncaughtException: 'uncaught TypeError',
};

for (const [kind, cases] of Object.entries(words) as [SignKind, (typeof words)[SignKind]][])
  for (const [sign, clause, next] of cases)
    test(`${kind} in words: ${clause}`, () => {
      const { title, lead, nextStep, evidence } = told({ kind, ...sign });
      // What only says how it ended is no cause, and says more than an exit code.
      const end = ends[kind];
      assert.equal(title, `shop/api crashes: ${end ?? clause}`);
      const said = `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
      assert.equal(lead, `It began at 08:59 UTC.${end ? ` ${said} The cause is not known.` : ''}`);
      assert.deepEqual(nextStep, { command: next, changesCluster: false });
      assert.deepEqual(evidence, [`The log of api-7d9c-1 says: ${sign.line ?? 'what it says'}`]);
    });

test('what a program ended with is quoted in a title, as far as whom it hits leaves room', () => {
  const end = (sign: Omit<Heard, 'kind'>, kind: SignKind = 'Panic'): string =>
    told({ kind, ...sign }).title.replace('shop/api crashes: ', '');
  const name = 'runtime error: slice bounds out of range [:5] with capacity 3';
  assert.equal(end({ name, line: `panic: ${name}` }), 'panic: slice bounds out of range…');
  assert.equal(end({ name: 'boom', line: 'panic: boom', source: 'log' }), 'its log says panic: boom');
  const line = "thread 'main' panicked at src/main.rs:9:5: no configuration";
  assert.equal(end({ name: 'src/main.rs:9:5: no configuration', line }), 'panic: no configuration');
  assert.equal(end({ name: 'org.example.store.DdlException' }, 'UncaughtException'), 'uncaught DdlException');
  // A signal is said by the exit code, and what has no name as well.
  assert.equal(end({ name: 'SIGSEGV', line: 'Received SIGSEGV' }), 'exit code 1');
  assert.equal(end({}), 'exit code 1');
});

test('what a program did not end with is stated as what its log says', () => {
  const missing: Heard = { kind: 'VariableMissing', name: 'SENTRY_DSN' };
  const fact = /: the environment variable SENTRY_DSN is not set$/;
  const quotation = /: its log says the environment variable SENTRY_DSN is not set$/;
  assert.match(told(missing).title, fact);
  assert.match(told({ ...missing, source: 'termination' }).title, fact);
  assert.match(told({ ...missing, source: 'log' }).title, quotation);
  const passing: TellingSign = heard(missing);
  const { closing: _, ...earlier } = passing;
  const announcement = opening({
    ...{ root, reason: 'CrashLoopBackOff', confidence: 'unknown', members: [crash], affected: [crash.subject] },
    ...{ workloads: [root], samplePod: run, sign: earlier },
  });
  assert.match(narrate(announcement, { settings, now: at('09:00:00'), version: '1.2.3' }).title, quotation);
});

test('what a program says stands behind the change that is blamed', () => {
  const change = { ref: root, field: 'image', at: at('08:58:40'), from: 'shop/api:1.4', to: 'shop/api:1.5' } as const;
  const { title, lead } = told({ kind: 'ModuleMissing', name: 'express' }, { confidence: 'high', change });
  assert.equal(title, 'shop/api crashes: image 1.4 → 1.5, its image lacks the module express');
  assert.equal(lead, 'It began at 08:59 UTC, because its image changed at 08:58 UTC.');
});

test('a line that the excerpt shows is not quoted a second time', () => {
  const announcement = opening({
    ...{ root, reason: 'CrashLoopBackOff', members: [crash], workloads: [root], samplePod: run },
    sign: heard({
      kind: 'ConnectionRefused',
      target,
      to,
      line: 'dial tcp 10.96.1.2:5432: connect: connection refused',
    }),
  });
  const evidence = { source: 'log', lines: ['ERROR dial tcp 10.96.1.2:5432: connect: connection refused'] };
  const told = narrate(announcement, {
    settings,
    now: at('09:00:00'),
    version: '1.2.3',
    evidence: { incident: 'inc-9f3c', ...evidence } as never,
  });
  assert.deepEqual(told.evidence, []);
});

test('what the programs of others say is proof against a root, and not what the root says', () => {
  const gone = finding({ ref: 'Service/shop/db', labels: {} }, 'ServiceNoEndpoints');
  const { lead, evidence } = told(
    { kind: 'ConnectionRefused', target, to: 'Service/shop/db', line: 'connection refused' },
    { root: 'Service/shop/db', reason: 'ServiceNoEndpoints', members: [gone, crash], confidence: 'high' },
  );
  assert.doesNotMatch(lead, /it cannot connect/);
  assert.ok(evidence.includes('The log of api-7d9c-1 says: connection refused'));
});

test('of several workloads only the root is said to say it', () => {
  const other = { ref: 'Pod/shop/web-1', labels: {} } as const;
  const parts = [
    { root: { ref: root, labels: {} }, reason: 'CrashLoopBackOff', severity: 'high', members: [crash] },
    {
      root: { ref: 'Deployment/shop/web', labels: {} },
      reason: 'CrashLoopBackOff',
      severity: 'high',
      members: [finding(other, 'CrashLoopBackOff')],
    },
  ] as const;
  const announcement = opening({
    root,
    reason: 'CrashLoopBackOff',
    confidence: 'unknown',
    members: [crash],
    workloads: [root],
  });
  const say = (from: string): string => {
    const explanation = {
      ...announcement.incident.explanation,
      parts,
      sign: heard({ kind: 'ConnectionRefused', pod: from as typeof pod }),
    };
    const incident = { ...announcement.incident, explanation };
    return narrate({ ...announcement, incident }, { settings, now: at('09:00:00'), version: '1.2.3' }).title;
  };
  assert.match(say(pod), /it cannot connect to something that it needs/);
  assert.doesNotMatch(say('Pod/shop/web-1'), /it cannot connect/);
});

test('who may only look at one namespace is sent nowhere else', () => {
  const elsewhere = told(
    { kind: 'ConnectionRefused', target: { host: 'db.data', port: 5432 }, to: 'Service/data/db' },
    { announcement: { audience: 'shop' } },
  );
  assert.equal(elsewhere.nextStep?.command, previousLog);
  const own = told({ kind: 'ConnectionRefused', target, to }, { announcement: { audience: 'shop' } });
  assert.equal(own.nextStep?.command, 'kubectl get endpointslices -n shop -l kubernetes.io/service-name=db');
});
