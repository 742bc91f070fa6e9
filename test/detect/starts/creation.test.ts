import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  at,
  condition,
  configMap,
  eventOf,
  node,
  type PodParts,
  pod,
  start,
  status,
  waiting,
  workload,
} from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const ref = 'Pod/shop/api-1';
const conditions = ['Ready', 'PodReadyToStartContainers'].map((type) => condition(type, 'False', start));
const creating: PodParts = { phase: 'Pending', conditions, statuses: [waiting('api', 'ContainerCreating')] };
const held = (parts: PodParts = {}) => pod('api-1', { ...creating, ...parts });
const told = (reason: string, note: string, time = at(0, 5), own = {}) => eventOf(held(), reason, note, time, own);
const noDriver =
  'MountVolume.MountDevice failed for volume "pvc-8d21" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name efs.csi.aws.com not found in the list of registered CSI drivers';
const noAddress =
  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "c1f0": plugin type="aws-cni" name="aws-cni" failed (add): add cmd: failed to assign an IP address to container';

test('P10 fires: a volume that cannot be mounted is found after 60 s, in the kubelet’s words', () => {
  const { put, found, finding, wait, says } = story();
  put(start, node('n1'), held());
  put(at(0, 5), told('FailedMount', noDriver));
  wait(at(1, 4));
  assert.deepEqual(found(), []);
  wait(at(1, 5));
  assert.deepEqual(found(), [`${ref} FailedMount`]);
  assert.equal(finding(ref, 'FailedMount').since, at(0, 5));
  assert.equal(
    says(ref, 'FailedMount'),
    'Volume pvc-8d21 of the pod cannot be mounted: kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name efs.csi.aws.com not found in the list of registered CSI drivers.',
  );
});

test('P10 fires: a damaged file system is conclusive after 30 s: no attempt mends it', () => {
  const mount = 'MountVolume.MountDevice failed for volume "pvc-8d21" : rpc error: code = Internal desc = ';
  for (const says of [
    "'fsck' found errors on device /dev/nvme1n1 but could not correct them: UNEXPECTED INCONSISTENCY; RUN fsck MANUALLY.",
    'could not format "/dev/nvme2n1" and mount it at "/m": mount failed: exit status 32\nOutput: mount: wrong fs type, bad option, bad superblock on /dev/nvme2n1, missing codepage or helper program',
    "mount: /m: can't read superblock on /dev/nvme2n1.",
  ]) {
    const { put, found, finding, wait } = story();
    put(start, node('n1'), held());
    put(at(0, 5), told('FailedMount', mount + says));
    wait(at(0, 34));
    assert.deepEqual(found(), []);
    wait(at(0, 35));
    assert.deepEqual(found(), [`${ref} FailedMount`], says);
    assert.equal(finding(ref, 'FailedMount').conclusive, true);
  }
});

test('P10 fires: a Secret, key or service account that does not exist is conclusive after 30 s, and is named', () => {
  const texts: readonly (readonly [note: string, name: string | undefined, says: string])[] = [
    [
      'MountVolume.SetUp failed for volume "tls" : secret "db-tls" not found',
      'Secret/shop/db-tls',
      'Volume tls of the pod cannot be mounted: Secret shop/db-tls does not exist.',
    ],
    [
      'MountVolume.SetUp failed for volume "app" : configmap "app" not found',
      'ConfigMap/shop/app',
      'Volume app of the pod cannot be mounted: ConfigMap shop/app does not exist.',
    ],
    [
      'MountVolume.SetUp failed for volume "kube-api-access-x" : failed to fetch token: serviceaccounts "robot" not found',
      'ServiceAccount/shop/robot',
      'Volume kube-api-access-x of the pod cannot be mounted: ServiceAccount shop/robot does not exist.',
    ],
    [
      'MountVolume.SetUp failed for volume "tls" : references non-existent secret key: tls.crt',
      undefined,
      'Volume tls of the pod cannot be mounted: references non-existent secret key: tls.crt.',
    ],
  ];
  for (const [note, name, sentence] of texts) {
    const { put, finding, found, wait, says } = story();
    put(start, node('n1'), held());
    put(at(0, 1), told('FailedMount', note, at(0, 1)));
    wait(at(0, 30));
    assert.deepEqual(found(), [], note);
    wait(at(0, 31));
    assert.deepEqual(finding(ref, 'FailedMount').names, name === undefined ? [] : [name]);
    assert.equal(finding(ref, 'FailedMount').conclusive, true);
    assert.equal(says(ref, 'FailedMount'), sentence);
  }
});

test('P10 is quiet: a volume that comes at the next attempt, one that another Node still has, drivers that boot', () => {
  const next = story();
  next.put(start, node('n1'), held());
  next.put(
    at(0, 5),
    told(
      'FailedMount',
      'MountVolume.SetUp failed for volume "app" : failed to sync secret cache: timed out waiting for the condition',
    ),
  );
  next.put(at(0, 20), pod('api-1'));
  next.wait(at(30));
  assert.deepEqual(next.found(), []);
  const moves = story();
  moves.put(start, node('n1'), held());
  moves.put(
    at(0, 5),
    told(
      'FailedAttachVolume',
      'Multi-Attach error for volume "pvc-8d21" Volume is already exclusively attached to one node and can\'t be attached to another',
    ),
  );
  moves.wait(at(3, 4));
  assert.deepEqual(moves.found(), []);
  moves.wait(at(3, 5));
  assert.deepEqual(moves.found(), [`${ref} FailedAttachVolume`]);
  const boots = story();
  boots.put(start, node('n1', { createdAt: start - 30_000 }), held());
  boots.put(at(0, 5), told('FailedMount', noDriver));
  boots.wait(at(5, 4));
  assert.deepEqual(boots.found(), []);
  // A Node that is young until the fourth minute was young when it began: the wait stays as long as it was.
  const grows = story();
  grows.put(start, node('n1', { createdAt: at(-6) }), held());
  grows.put(at(0, 5), told('FailedMount', noDriver));
  grows.put(at(4, 30), held({ labels: { looked: 'again' } }));
  assert.deepEqual(grows.found(), []);
  grows.wait(at(5, 5));
  assert.deepEqual(grows.found(), [`${ref} FailedMount`]);
});

const nfs = (host: string, says: string) =>
  `MountVolume.SetUp failed for volume "media" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs -o vers=4.1 ${host}:/exports/media /var/lib/kubelet/pods/7e1/volumes/kubernetes.io~nfs/media\nOutput: mount.nfs: ${says}`;

test('P10 fires: a file server that does not answer is named, outside the cluster or in it; one that refuses a path is not', () => {
  const texts: readonly (readonly [note: string, name: string | undefined])[] = [
    [nfs('nas.corp.example', 'Connection timed out'), 'ExternalEndpoint//nas.corp.example'],
    [nfs('192.0.2.9', 'Connection refused'), 'ExternalEndpoint//192.0.2.9'],
    [
      'MountVolume.SetUp failed for volume "share" : mount failed: exit status 32\nMounting arguments: -t cifs -o <masked> //files.corp.example/share /var/lib/kubelet/x\nOutput: mount error(113): could not connect to 192.0.2.7Unable to find suitable address.',
      'ExternalEndpoint//files.corp.example',
    ],
    [nfs('nas.corp.example', 'access denied by server while mounting nas.corp.example:/exports/media'), undefined],
    [nfs('nfs.storage.svc.cluster.local', 'Connection timed out'), 'Service/storage/nfs'],
    [
      'MountVolume.SetUp failed for volume "files" : rpc error: code = Internal desc = Could not mount juicefs: mount redis://:***@meta.storage.svc.cluster.local:6379/1 at /jfs/x failed, failed log: parse info: dial tcp 10.110.1.49:6379: connect: connection refused',
      'Service/storage/meta',
    ],
    [
      'MountVolume.SetUp failed for volume "share" : rpc error: code = Internal desc = Could not mount "fs-0d1:/" at "/var/lib/kubelet/x": mount failed: exit status 1\nOutput: Failed to resolve "fs-0d1.efs.eu-central-1.amazonaws.com" - check that your file system ID is correct',
      'ExternalEndpoint//fs-0d1.efs.eu-central-1.amazonaws.com',
    ],
    // Whom a driver asks on its own machine is the driver itself, and who is given too little time names nobody.
    [
      'MountVolume.MountDevice failed for volume "disk" : rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /var/lib/kubelet/plugins/csi.sock: connect: connection refused"',
      undefined,
    ],
    [
      'MountVolume.SetUp failed for volume "disk" : rpc error: code = DeadlineExceeded desc = context deadline exceeded',
      undefined,
    ],
  ];
  for (const [note, name] of texts) {
    const { put, finding, wait } = story();
    put(start, node('n1'), held());
    put(at(0, 5), told('FailedMount', note));
    wait(at(1, 5));
    assert.equal(finding(ref, 'FailedMount').names[0], name, note);
  }
});

test('P10 fires: a volume that another Pod which does not end keeps on another Node is told after 60 s', () => {
  const claim = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
  const owner = { kind: 'StatefulSet', name: 'api' };
  const multi = 'Multi-Attach error for volume "pvc-8d21" Volume is already used by pod(s) api-0';
  const seen = (parts: PodParts): readonly string[] => {
    const { put, found, wait } = story();
    put(start, node('n1'), node('n2'), workload('StatefulSet', 'api', { replicas: 2 }));
    put(start, pod('api-0', { owner, node: 'n2', spec: claim, ...parts }));
    put(start, held({ owner, spec: claim }));
    put(at(0, 5), told('FailedAttachVolume', multi));
    wait(at(1, 5));
    return found().filter((line) => line.includes('FailedAttachVolume'));
  };
  assert.deepEqual(seen({}), [`${ref} FailedAttachVolume`]);
  assert.deepEqual(seen({ deletionAt: at(0) }), [], 'it is about to let go of it');
  assert.deepEqual(seen({ owner: { kind: 'StatefulSet', name: 'web' } }), [`${ref} FailedAttachVolume`]);
  assert.deepEqual(seen({ owner: { kind: 'Job', name: 'import' } }), [], 'it ends by itself');
});

test('P10 clears: a container was made, whatever Events still tell', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), held());
  put(
    at(0, 5),
    told(
      'FailedMapVolume',
      'MapVolume.SetUpDevice failed for volume "pvc-1" : rpc error: code = Internal desc = no device',
    ),
  );
  wait(at(2));
  assert.deepEqual(found(), [`${ref} FailedMapVolume`]);
  put(at(2, 1), pod('api-1'));
  assert.deepEqual(found(), []);
});

test('P10 stands as long as the last that was told of the Pod is this; once something else was, it is evidence for 15 min', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), held());
  put(at(0, 5), told('FailedMount', noDriver));
  wait(at(50));
  assert.deepEqual(found(), [`${ref} FailedMount`]);
  put(at(50), { ...told('Pulling', 'Pulling image "registry.example/api:1.0"', at(50)), type: 'Normal' });
  assert.deepEqual(found(), [`${ref} ContainerCreating`]);
});

test('P11 fires: a sandbox that cannot be made is found after 60 s, and what it lacks is said in plain words', () => {
  const { put, found, wait, says } = story();
  put(start, node('n1'), held());
  put(at(0, 5), told('FailedCreatePodSandBox', noAddress));
  wait(at(1, 4));
  assert.deepEqual(found(), []);
  wait(at(1, 5));
  assert.deepEqual(found(), [`${ref} FailedCreatePodSandBox`]);
  assert.equal(says(ref, 'FailedCreatePodSandBox'), 'The sandbox of the pod cannot be created: no IP address is left.');
});

test('P11 fires: a RuntimeClass whose handler the Node does not have is conclusive after 15 s', () => {
  const { put, finding, wait, says } = story();
  put(start, node('n1'), held({ spec: { runtimeClassName: 'gvisor' } }));
  put(
    at(0, 2),
    told(
      'FailedCreatePodSandBox',
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "runsc" is configured',
      at(0, 2),
    ),
  );
  wait(at(0, 17));
  assert.equal(finding(ref, 'FailedCreatePodSandBox').conclusive, true);
  assert.equal(
    says(ref, 'FailedCreatePodSandBox'),
    'The sandbox of the pod cannot be created: the node does not have the runtime of RuntimeClass gvisor.',
  );
});

test('P11 fires: a runtime that does not answer is said in plain words, and names the Node', () => {
  const { put, finding, wait, says } = story();
  put(start, node('n1'), held());
  put(
    at(0, 2),
    told(
      'FailedCreatePodSandBox',
      'Failed to create pod sandbox: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: connection refused"',
      at(0, 2),
    ),
  );
  wait(at(1, 5));
  assert.deepEqual(finding(ref, 'FailedCreatePodSandBox').names, ['Node//n1']);
  assert.equal(
    says(ref, 'FailedCreatePodSandBox'),
    'The sandbox of the pod cannot be created: the container runtime of its node does not answer.',
  );
});

test('P11 is quiet: the second attempt made it, the network of a new Node still starts, the condition says it is there', () => {
  const second = story();
  second.put(start, node('n1'), held());
  second.put(at(0, 5), told('FailedCreatePodSandBox', noAddress));
  second.put(at(0, 30), pod('api-1'));
  second.wait(at(20));
  assert.deepEqual(second.found(), []);
  const boots = story();
  boots.put(start, node('n1', { createdAt: start - 60_000 }), held());
  boots.put(
    at(0, 5),
    told('NetworkNotReady', 'network is not ready: container runtime network not ready: NetworkReady=false'),
  );
  boots.wait(at(5, 4));
  assert.deepEqual(boots.found(), []);
  const made = story();
  made.put(start, node('n1'), held({ conditions: [condition('PodReadyToStartContainers', 'True', start)] }));
  made.put(at(0, 5), told('FailedCreatePodSandBox', noAddress));
  made.wait(at(5));
  assert.deepEqual(made.found(), []);
});

test('P11 clears: the sandbox is there', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), held());
  put(at(0, 5), told('FailedCreatePodSandBox', noAddress));
  wait(at(3));
  put(at(3, 1), held({ conditions: [condition('PodReadyToStartContainers', 'True', at(3))] }));
  assert.deepEqual(found(), []);
});

test('P12 is quiet: an image that is being pulled has 30 min, and it is said that it is being pulled', () => {
  const { put, found, wait, says } = story();
  put(start, node('n1'), held());
  put(at(0, 2), told('Pulling', 'Pulling image "shop/model:1"', at(0, 2), { type: 'Normal', container: 'api' }));
  wait(at(29));
  assert.deepEqual(found(), []);
  wait(at(30));
  assert.deepEqual(found(), [`${ref} ContainerCreating`]);
  assert.equal(says(ref, 'ContainerCreating'), 'Container api is still waiting for its image, which is being pulled.');
});

test('P12 fires: an image that is there and a container that is not made have 10 min', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), held());
  put(at(0, 2), told('Pulling', 'Pulling image', at(0, 2), { type: 'Normal', container: 'api' }));
  put(at(0, 9), told('Pulled', 'Successfully pulled image', at(0, 9), { type: 'Normal', container: 'api' }));
  wait(at(9, 59));
  assert.deepEqual(found(), []);
  wait(at(10));
  assert.deepEqual(found(), [`${ref} ContainerCreating`]);
});

const reading = { volumes: [{ name: 'c', projected: { sources: [{ configMap: { name: 'app' } }] } }] };

test('P39 fires: a Pod that runs needs a ConfigMap that is gone for 60 s, and only then', () => {
  const { put, gone, found, wait, says } = story();
  put(start, node('n1'), configMap('app'), pod('api-1', { spec: reading }));
  wait(at(10));
  gone(at(10), configMap('app'));
  wait(at(10, 59));
  assert.deepEqual(found(), []);
  wait(at(11));
  assert.deepEqual(found(), [`${ref} ProjectedReferenceMissing`]);
  assert.equal(
    says(ref, 'ProjectedReferenceMissing'),
    'The pod runs, but could not be started again: ConfigMap shop/app does not exist any more.',
  );
});

test('P39 is quiet: an optional reference, a ConfigMap that is made anew, ConfigMaps that nobody may see', () => {
  const optional = story();
  const sources = [{ configMap: { name: 'app', optional: true } }];
  optional.put(start, node('n1'), pod('api-1', { spec: { volumes: [{ name: 'c', projected: { sources } }] } }));
  optional.wait(at(10));
  assert.deepEqual(optional.found(), []);
  const anew = story();
  anew.put(start, node('n1'), configMap('app'), pod('api-1', { spec: reading }));
  anew.gone(at(10), configMap('app'));
  anew.put(at(10, 40), configMap('app', { uid: 'another' }));
  anew.wait(at(20));
  assert.deepEqual(anew.found(), []);
  const unseen = story();
  unseen.see('ConfigMap', 'Denied', start);
  unseen.put(start, node('n1'), pod('api-1', { spec: reading }));
  unseen.wait(at(10));
  assert.deepEqual(unseen.found(), []);
});

test('P39 clears: the ConfigMap is back', () => {
  const { put, gone, found, wait } = story();
  put(start, node('n1'), configMap('app'), pod('api-1', { spec: reading }));
  gone(at(10), configMap('app'));
  wait(at(12));
  assert.equal(found().length, 1);
  put(at(12, 1), configMap('app', { uid: 'another' }));
  assert.deepEqual(found(), []);
});

test('X18 a Pod on one of many Nodes that came at once is waited for until they are 10 min old', () => {
  const { put, found, wait } = story();
  const fresh = (name: string) => node(name, { createdAt: start });
  put(start, fresh('n1'), fresh('n2'), fresh('n3'), held({ createdAt: at(-2) }));
  put(start, pod('web', { node: 'n2', createdAt: at(-20), statuses: [status('api', { ready: false })] }));
  wait(at(9, 59));
  assert.deepEqual(found(), []);
  wait(at(10, 1));
  assert.deepEqual(found(), [`${ref} ContainerCreating`, 'Pod/shop/web PodNotReady']);
});
