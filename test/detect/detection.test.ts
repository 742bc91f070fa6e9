import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noticedPages } from '../../scripts/generate/noticed-pages.ts';
import { declaredReasons, detectors } from '../../src/detect/catalogue.ts';
import { Detection } from '../../src/detect/detection.ts';
import type { Detector } from '../../src/detect/kit/detector.ts';
import { denialOf, missingForContainer, namedObstacles } from '../../src/detect/kit/missing.ts';
import { namedDetectors } from '../../src/detect/named.ts';
import { exitInWords } from '../../src/model/exit-code.ts';
import { earliest, latest } from '../../src/model/instants.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { reasons } from '../../src/model/reason.ts';
import { WatchedWorld } from '../../src/world/watched-world.ts';
import { namespace } from '../world/control-objects.ts';
import { at, condition, ended, node, pod, start, waiting } from '../world/objects.ts';
import { story } from '../world/story.ts';

test('every reason is stated by exactly one detector of a kind, and has one chapter on the pages of symptoms, without a row’s code', () => {
  const rows = [...detectors, ...namedDetectors];
  const ofKinds = rows.flatMap(({ judges, reasons: own }) => own.map(({ reason }) => `${judges} ${reason}`));
  assert.deepEqual(ofKinds.sort(), [...new Set(ofKinds)].sort());
  const stated = declaredReasons().map(({ reason }) => reason);
  const waitingForTheirRow = reasons.filter((reason) => !stated.includes(reason));
  assert.deepEqual(waitingForTheirRow, []);
  const pages = noticedPages().map(([, text]) => text);
  const headings = pages.flatMap((text) => [...text.matchAll(/^### (.*)$/gm)].map(([, heading = '']) => heading));
  assert.deepEqual(headings.flatMap((heading) => heading.split(', ')).sort(), [...new Set(stated)].sort());
  for (const text of pages) assert.doesNotMatch(text, /\b[PWASTNGEX]\d{1,2}\b(?!s)/);
});

test('what time alone can change is announced, and nothing else', () => {
  const world = new WatchedWorld();
  const detection = new Detection(world, { edition: 'Community' });
  assert.equal(detection.dueAt, undefined);
  const { wakeAt, changed } = detection.evaluate(
    world.apply('nodes', [{ is: 'put', raw: node('n1', { ready: 'False', since: start }) }], start),
    start,
  );
  assert.deepEqual([...changed], []);
  assert.equal(wakeAt, at(0, 30));
  assert.deepEqual([...detection.evaluate([], at(0, 30)).changed], ['Node//n1']);
  assert.equal(detection.dueAt, undefined);
});

test('what was found stays found when the clock is set back behind its patience, also by a restart', () => {
  const world = new WatchedWorld();
  const detection = new Detection(world, { edition: 'Community' });
  const put = (ready: 'True' | 'False', since: number, now: number) =>
    world.apply('nodes', [{ is: 'put', raw: node('n1', { ready, since }) }], now);
  detection.evaluate(put('False', start, at(1)), at(1));
  const found = [...detection.all()];
  assert.equal(found.length, 1);
  detection.evaluate(['Node//n1'], at(-120));
  assert.deepEqual([...detection.all()], found);

  const next = new Detection(world, { edition: 'Community' });
  next.restore(found, at(1));
  next.evaluate(['Node//n1'], at(-120));
  assert.equal([...next.all()].length, 1);
  // What is well is well by any clock.
  next.evaluate(put('False', at(-121), at(-120)), at(-120, 10));
  assert.equal([...next.all()].length, 1);
  next.evaluate(put('True', at(-119), at(-119)), at(-119));
  assert.deepEqual([...next.all()], []);
});

test('a finding that says the same stays the same object, and its subject is not told as changed', () => {
  const { world, detection, put } = story();
  const failing = pod('api-1', { statuses: [waiting('api', 'InvalidImageName')] });
  put(start, failing);
  const [before] = detection.findings('Pod/shop/api-1');
  assert.deepEqual([...detection.evaluate(['Pod/shop/api-1'], at(5)).changed], []);
  world.apply('pods', [{ is: 'put', raw: pod('other') }], at(5));
  assert.equal(detection.findings('Pod/shop/api-1')[0], before);
});

test('findings clear with their object', () => {
  const { put, gone, found } = story();
  const failing = pod('api-1', { statuses: [waiting('api', 'InvalidImageName')] });
  put(start, failing);
  gone(at(1), failing);
  assert.deepEqual(found(), []);
});

test('what goes out of sight is neither found nor cleared', () => {
  const { see, put, found } = story();
  put(start, pod('api-1', { statuses: [waiting('api', 'InvalidImageName')] }));
  see('Pod', 'Denied', at(1));
  put(at(2), pod('api-1'));
  put(at(2), pod('api-2', { statuses: [waiting('api', 'InvalidImageName')] }));
  assert.deepEqual(found(), ['Pod/shop/api-1 InvalidImageName']);
  see('Pod', 'Watching', at(3));
  assert.deepEqual(found(), ['Pod/shop/api-2 InvalidImageName']);
});

test('time asks for no turn about what cannot be seen, and what waited goes on once it is seen again', () => {
  const { detection, see, put, wait, found } = story();
  const says = condition('PodScheduled', 'False', start, 'SchedulerError', 'invalid affinity term');
  put(start, pod('api-1', { node: undefined, phase: 'Pending', statuses: [], conditions: [says] }));
  assert.equal(detection.dueAt, at(1));
  see('Pod', 'Denied', at(0, 30));
  wait(at(2));
  assert.equal(detection.dueAt, undefined);
  assert.deepEqual(detection.evaluate([], at(2)), { changed: new Set() });
  see('Pod', 'Watching', at(3));
  assert.deepEqual(found(), ['Pod/shop/api-1 SchedulerError']);
});

test('a list of any length has an earliest and a latest instant', () => {
  const many = Array.from({ length: 300_000 }, (_, index) => index);
  assert.deepEqual([earliest(many), latest(many)], [0, 299_999]);
  assert.deepEqual([earliest([]), latest([])], [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
});

test('all findings come in one order, whatever the order they were found in', () => {
  const bad = (name: string) =>
    pod(name, { statuses: [waiting('api', 'InvalidImageName'), waiting('b', 'InvalidImageName')] });
  const [one, two] = [story(), story()];
  one.put(start, bad('a'), bad('b'), bad('c'));
  two.put(start, bad('c'), bad('a'), bad('b'));
  assert.deepEqual([...one.detection.all()], [...two.detection.all()]);
});

test('the kubelet’s sentences name the missing object or key', () => {
  const cases = {
    'secret "db" not found': { ref: 'Secret/shop/db' },
    'configmap "app" not found': { ref: 'ConfigMap/shop/app' },
    "couldn't find key url in Secret shop/db": { ref: 'Secret/shop/db', key: 'url' },
    "couldn't find key app.yaml in ConfigMap shop/app": { ref: 'ConfigMap/shop/app', key: 'app.yaml' },
    'container has runAsNonRoot and image will run as root': undefined,
  };
  for (const [text, missing] of Object.entries(cases))
    assert.deepEqual(missingForContainer(text, 'shop'), missing, text);
});

test('refusals name the quota, the account, the class or the webhook', () => {
  const cases = {
    'pods "a" is forbidden: exceeded quota: compute, requested: cpu=1': 'ResourceQuota/shop/compute',
    'pods "a" is forbidden: error looking up service account shop/api: serviceaccount "api" not found':
      'ServiceAccount/shop/api',
    'pods "a" is forbidden: no PriorityClass with name urgent was found': 'PriorityClass//urgent',
    'Internal error occurred: failed calling webhook "validate.example.com": connection refused':
      'ValidatingWebhookConfiguration//validate.example.com',
  };
  for (const [text, ref] of Object.entries(cases)) assert.deepEqual(namedObstacles(text, 'shop'), [ref], text);
});

test('a policy that refuses is told apart from a webhook that fails, and is no obstacle for others', () => {
  const cases = {
    'admission webhook "validation.gatekeeper.sh" denied the request: [no-latest-tag] container <web> has no digest': {
      policy: 'validation.gatekeeper.sh',
      says: '[no-latest-tag] container <web> has no digest',
    },
    'admission webhook "v.example.com" denied the request without explanation': { policy: 'v.example.com', says: '' },
    "pods \"web-\" is forbidden: ValidatingAdmissionPolicy 'replicas' with binding 'all' denied request: failed expression: x":
      {
        policy: "ValidatingAdmissionPolicy 'replicas'",
        says: 'failed expression: x',
      },
    'pods "web-" is forbidden: violates PodSecurity "restricted:latest": hostPort (container "web" uses hostPort 80)': {
      policy: 'PodSecurity "restricted:latest"',
      says: 'hostPort (container "web" uses hostPort 80)',
    },
    'pods "web-" is forbidden: unable to validate against any security context constraint: [hostPath is not allowed]': {
      policy: 'security context constraint',
      says: '[hostPath is not allowed]',
    },
    'failed calling webhook "v.example.com": failed to call webhook: the server could not find the resource': undefined,
    'exceeded quota: compute, requested: cpu=1': undefined,
  };
  for (const [text, denial] of Object.entries(cases)) {
    assert.deepEqual(denialOf(text), denial, text);
    if (denial) assert.deepEqual(namedObstacles(text, 'shop'), [], text);
  }
});

test('a failing webhook is named as the configuration that its name or path tells of', () => {
  const cases = {
    'failed calling webhook "validate.kyverno.svc-fail": failed to call webhook: Post "https://kyverno-svc.kyverno.svc:443/validate/fail?timeout=10s": EOF':
      'ValidatingWebhookConfiguration//validate.kyverno.svc-fail',
    'failed calling webhook "mutate.kyverno.svc-fail": Post "https://kyverno-svc.kyverno.svc:443/mutate/fail?timeout=10s": EOF':
      'MutatingWebhookConfiguration//mutate.kyverno.svc-fail',
    'failed calling webhook "rev.namespace.istio.io": Post "https://istiod.istio-system.svc:443/inject?timeout=10s": EOF':
      'MutatingWebhookConfiguration//rev.namespace.istio.io',
  };
  for (const [text, ref] of Object.entries(cases)) assert.deepEqual(namedObstacles(text, 'shop'), [ref], text);
});

test('exit codes are told in words, and 137 is memory only where the runtime says so', () => {
  assert.equal(exitInWords(137, 'Error'), 'exit code 137 (SIGKILL, killed)');
  assert.equal(exitInWords(137, 'OOMKilled'), 'exit code 137 (OOMKilled, out of memory)');
  assert.equal(exitInWords(139), 'exit code 139 (SIGSEGV, segmentation fault)');
  const byProbe = 'exit code 137 (SIGKILL, killed, possibly for its liveness probe)';
  assert.equal(exitInWords(137, 'Error', 'liveness'), byProbe);
  assert.equal(exitInWords(1, 'Error', 'liveness'), 'exit code 1 (an application error)');
  assert.equal(exitInWords(137, 'OOMKilled', 'liveness'), 'exit code 137 (OOMKilled, out of memory)');
  assert.equal(exitInWords(143), 'exit code 143 (SIGTERM, asked to stop)');
  assert.equal(exitInWords(127), 'exit code 127 (the command was not found)');
  assert.equal(exitInWords(42), 'exit code 42');
});

test('what was first said is remembered while nothing is heard of it, and forgotten once it is not said', () => {
  const world = new WatchedWorld();
  const unlucky: Detector = {
    ...{ id: 'X', reasons: [{ reason: 'PodNotReady', family: 'consequence', sure: 'unknown' }], edition: 'Community' },
    ...{ severity: 'low', forSeconds: 60, settle: 'waits', judges: 'Pod', exemptions: ['staleNode'] },
    ...{ source: '', predicate: '', clears: '', symptom: 'ready', patience: '', isNot: '' },
    judge: ({ labels }) => labels.unlucky === 'yes' && { since: 'observed' },
  };
  const detection = new Detection(world, { edition: 'Community', rows: [unlucky] });
  for (const source of ['nodes', 'pods']) {
    const coverage = { source, kind: source === 'nodes' ? 'Node' : 'Pod', reason: 'Synced', since: start } as const;
    world.see({ ...coverage, state: 'Watching', required: true }, start);
  }
  const put = (now: number, source: string, raw: RawObject): void =>
    void detection.evaluate(world.apply(source, [{ is: 'put', raw }], now), now);
  const since = (): number | undefined => detection.findings('Pod/shop/api-1')[0]?.since;
  const is = (unluckyOne: string) => pod('api-1', { node: 'n1', labels: { unlucky: unluckyOne } });
  put(at(0), 'nodes', node('n1'));
  put(at(0), 'pods', is('yes'));
  put(at(0, 30), 'nodes', node('n1', { ready: 'Unknown', since: at(0, 30) }));
  put(at(2), 'nodes', node('n1', { since: at(2) }));
  assert.equal(since(), at(0));
  put(at(3), 'pods', is('no'));
  put(at(4), 'pods', is('yes'));
  assert.equal(since(), undefined);
  detection.evaluate([], at(5));
  assert.equal(since(), at(4));
});

test('what is in a namespace that is being deleted is not judged, what is elsewhere is', () => {
  const { put, found, wait } = story();
  const crashed = { restartCount: 6, lastState: ended(at(0), at(0, 30)) };
  const failing = (namespace: string) =>
    pod('api', { namespace, statuses: [waiting('api', 'CrashLoopBackOff', 'back-off', crashed)] });
  put(at(0), namespace('preview', { deletionAt: at(0) }), namespace('shop'));
  put(at(1), failing('preview'), failing('shop'));
  wait(at(3));
  assert.deepEqual(found(), ['Pod/shop/api CrashLoopBackOff']);
});
