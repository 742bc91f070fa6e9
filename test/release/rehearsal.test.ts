/** A release as a whole, on loopback: built, published, signed, pulled, verified, installed in each documented way on a real control plane. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import type { Executable, singleExecutables } from '../../scripts/build/single.ts';
import { releaseAssets } from '../../scripts/release/assets.ts';
import { load, machineWords, versionWords } from '../bench/machine.ts';
import { table, withFigures } from '../bench/table.ts';
import { findBinaries } from '../controlplane/binaries.ts';
import { eventually } from '../controlplane/environment.ts';
import { runAsPod } from '../e2e/install-pod.ts';
import { type InstallStage, startInstallStage } from '../e2e/install-stage.ts';
import { deployment } from '../e2e/stage.ts';
import { pullImage, pushImage, rebuilt } from './image.ts';
import { startTools, type Tools } from './tools.ts';

const project = resolve(import.meta.dirname, '../..');
const page = join(project, 'docs/contributing/releasing.md');
const { version, description } = packageJson;
const call = promisify(execFile);

let folder: string;
let tools: Tools;
let stage: InstallStage;
let downloads: Server;
let assets: string;
let url: string;
let image: string;
let executables: readonly Executable[];

const kubectl = (...args: string[]): Promise<string> => stage.plane.kubectl(args);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-release-'));
  tools = await startTools(folder);
  stage = await startInstallStage();
  assets = join(folder, 'assets');
  downloads = createServer((request, response) => {
    response.end(readFileSync(join(assets, basename(request.url ?? ''))));
  }).listen(0, '127.0.0.1');
  await once(downloads, 'listening');
  url = `http://127.0.0.1:${(downloads.address() as AddressInfo).port}`;
});
after(async () => {
  downloads?.close();
  await stage?.stop();
  await tools?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test('the image is for both platforms, and the same sources give the same digest', async () => {
  image = await pushImage(tools, stage.image, folder);
  assert.equal(await pushImage(tools, rebuilt(folder), folder), image);
  for (const arch of ['amd64', 'arm64']) {
    const pulled = await pullImage(tools, image, arch, folder);
    assert.equal(pulled.architecture, arch);
    assert.deepEqual([pulled.user, pulled.labels['org.opencontainers.image.licenses']], ['65532:65532', 'Apache-2.0']);
    for (const name of ['LICENSE', 'NOTICE', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json', 'tocsin.mjs'])
      assert.ok(readFileSync(join(pulled.root, 'app', name)).length > 1000, name);
  }
});

test('it is signed, with its bill of materials and where it comes from, and nothing else passes for it', async () => {
  const { cosign, crane, registry } = tools;
  await cosign('generate-key-pair');
  const sbom = join(stage.image.root, 'app/sbom.cdx.json');
  const provenance = join(folder, 'provenance.json');
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: project, encoding: 'utf8' }).trim();
  writeFileSync(provenance, JSON.stringify(provenanceOf(commit)));
  const sign = ['--key', 'cosign.key', '--tlog-upload=false', '--yes'];
  await cosign('sign', ...sign, image);
  await cosign('attest', ...sign, '--type', 'cyclonedx', '--predicate', sbom, image);
  await cosign('attest', ...sign, '--type', 'slsaprovenance1', '--predicate', provenance, image);
  const check = ['--key', 'cosign.pub', '--insecure-ignore-tlog=true'];
  await cosign('verify', ...check, image);
  const attested = async (type: string): Promise<string> => {
    const line = (await cosign('verify-attestation', ...check, '--type', type, image))
      .split('\n')
      .find((each) => each.startsWith('{'));
    return Buffer.from((JSON.parse(line ?? '{}') as { readonly payload: string }).payload, 'base64').toString('utf8');
  };
  assert.match(await attested('cyclonedx'), /pkg:npm\/express@/);
  assert.ok((await attested('slsaprovenance1')).includes(commit));
  // Another image under the same name, and another key.
  await crane('mutate', `${registry}/tocsin:amd64`, '--label', 'changed=yes', '--tag', `${registry}/tocsin:other`);
  await assert.rejects(
    cosign('verify', ...check, `${registry}/tocsin:other`),
    /no signatures found|no matching signatures/,
  );
  await cosign('generate-key-pair', '--output-key-prefix', 'other');
  await assert.rejects(
    cosign('verify', '--key', 'other.pub', '--insecure-ignore-tlog=true', image),
    /no matching signatures|invalid signature/,
  );
});

/** Where the image comes from, in the words of SLSA. */
const provenanceOf = (commit: string): object => ({
  buildDefinition: {
    buildType: 'https://tocsin.dev/rehearsal/v1',
    externalParameters: { dockerfile: 'Dockerfile' },
    resolvedDependencies: [
      { uri: 'git+file:tocsin', digest: { gitCommit: commit } },
      { uri: 'file:package-lock.json', digest: { sha256: sha256(join(project, 'package-lock.json')) } },
    ],
  },
  runDetails: { builder: { id: 'https://tocsin.dev/rehearsal' } },
});

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

test('the files of the release: the same each time, each with its digest in SHA256SUMS, which is signed', async () => {
  process.env.TOCSIN_RELEASED_IMAGE = image;
  // A process of its own: the name of the image is read once.
  const script = `import { singleExecutables } from ${JSON.stringify(join(project, 'scripts/build/single.ts'))};
    console.log(JSON.stringify(await singleExecutables(${JSON.stringify(project)}, ${JSON.stringify(join(folder, 'single'))})));`;
  const made = await call(process.execPath, ['--input-type=module-typescript', '-e', script]);
  executables = JSON.parse(made.stdout) as Awaited<ReturnType<typeof singleExecutables>>;
  const dist = join(stage.image.root, 'app');
  process.env.PATH = `${dirname(findBinaries()?.kubectl ?? 'kubectl')}:${process.env.PATH ?? ''}`;
  releaseAssets({ root: project, dist, target: assets, image, url, version, description, executables });
  const sums = readFileSync(join(assets, 'SHA256SUMS'), 'utf8');
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: assets });
  const again = join(folder, 'again');
  releaseAssets({ root: project, dist, target: again, image, url, version, description, executables });
  assert.equal(readFileSync(join(again, 'SHA256SUMS'), 'utf8'), sums);
  const { cosign } = tools;
  const file = join(assets, 'SHA256SUMS');
  await cosign(
    'sign-blob',
    '--key',
    'cosign.key',
    '--tlog-upload=false',
    '--yes',
    '--output-signature',
    `${file}.sig`,
    file,
  );
  const check = ['verify-blob', '--key', 'cosign.pub', '--insecure-ignore-tlog=true', '--signature', `${file}.sig`];
  await cosign(...check, file);
  writeFileSync(join(folder, 'changed'), `${sums}\n`);
  await assert.rejects(cosign(...check, join(folder, 'changed')), /invalid signature|failed to verify/);
});

test('krew: each archive is the one of the manifest, and the program in it runs where there is no Node', () => {
  const { spec } = parse(readFileSync(join(assets, 'tocsin.krew.yaml'), 'utf8')) as {
    readonly spec: {
      readonly platforms: readonly {
        readonly selector: { readonly matchLabels: { readonly os: string; readonly arch?: string } };
        readonly uri: string;
        readonly sha256: string;
        readonly bin: string;
      }[];
    };
  };
  for (const { uri, sha256: sum } of spec.platforms) assert.equal(sha256(join(assets, basename(uri))), sum, uri);
  const own = spec.platforms.find(({ selector }) => selector.matchLabels.arch === 'amd64');
  assert.ok(own);
  const into = join(folder, 'krew');
  mkdirSync(into);
  execFileSync('tar', ['-xzf', join(assets, basename(own.uri)), '-C', into]);
  cpSync(join(into, own.bin), join(into, 'kubectl-tocsin'));
  const run = (...args: string[]): string =>
    execFileSync(join(into, 'kubectl-tocsin'), args, { encoding: 'utf8', env: { PATH: '/nowhere' } });
  assert.equal(run('version').trim(), version);
  assert.match(run('--help'), /^Usage: kubectl tocsin /);
});

/** A command that a page prints, with what it names on loopback. */
function documented(first: string, page = 'README.md'): string {
  const text = readFileSync(join(project, page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  const block = blocks.find((lines) => lines.startsWith(first));
  assert.ok(block, `${page} prints no command that begins with ${first}`);
  return block
    .replaceAll('oci://ghcr.io/example', `oci://${tools.registry}`)
    .replaceAll(/https:\/\/github\.com\/example\/tocsin\/releases\/download\/v[\d.]+/g, url);
}

/** Runs shell lines as somebody at a terminal would, with the programs of the release in the PATH. */
async function shell(text: string): Promise<string> {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  cpSync(join(folder, 'single/tocsin-linux-amd64'), join(bin, 'tocsin'));
  const helm = join(
    process.env.XDG_CACHE_HOME ?? join(process.env.HOME ?? '', '.cache'),
    'tocsin/servers/helm-v3.19.0',
  );
  const env = {
    ...process.env,
    KUBECONFIG: stage.plane.admin.kubeconfigPath,
    PATH: `${bin}:${helm}:${process.env.PATH ?? ''}`,
    ...{ HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder },
  };
  const { stdout } = await call('bash', ['-euc', text], { env, cwd: folder });
  return stdout;
}

const secondsSince = (started: number): number => Math.round((performance.now() - started) / 1000);

/** A way in: what was done, and after how many seconds. */
type Way = { readonly way: string; readonly installed: number; readonly ready: number; readonly told: number };
const ways: Way[] = [];

/** What is installed works: something breaks, and one message says so. Resolves with the seconds since `started` until it is ready, and until that is there. */
async function breakSomething(started: number): Promise<Pick<Way, 'ready' | 'told'>> {
  const already = stage.receiver.messages.length;
  const container = await runAsPod({ ...stage, image: await pullImage(tools, image, 'amd64', folder) });
  const ready = secondsSince(started);
  try {
    const script = { exit: { afterSeconds: 2, code: 1 }, log: ['FATAL no'] };
    await stage.apply(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'oncall', namespace: 'tocsin' },
        stringData: { url: stage.receiver.url },
      },
      {
        ...{
          apiVersion: 'tocsin.dev/v1alpha1',
          kind: 'AlertProvider',
          metadata: { name: 'oncall', namespace: 'tocsin' },
        },
        spec: { type: 'webhook', webhook: { url: { secretKeyRef: { name: 'oncall', key: 'url' } } } },
      },
      deployment('api', { replicas: 1, image: 'registry.example/api:1', script }),
    );
    await stage.receiver.wait(
      'opening',
      (message) => message.type === 'incident.opened' && stage.receiver.messages.indexOf(message) >= already,
      120,
    );
    return { ready, told: secondsSince(started) };
  } finally {
    await container.stop();
    await kubectl('delete', 'namespace', 'shop');
  }
}

const installedImage = (): Promise<string> =>
  kubectl('-n', 'tocsin', 'get', 'deployment', 'tocsin', '-o=jsonpath={.spec.template.spec.containers[0].image}');

/** All objects there are, of every kind that can be listed: `pods default/api`. Not what comes and goes by itself: Events, and the Leases of Nodes. */
async function everything(): Promise<readonly string[]> {
  const kinds = (await kubectl('api-resources', '--verbs=list', '-o', 'name')).trim().split('\n');
  const lasting = kinds.filter((kind) => !/^(events|leases|componentstatuses)(\.|$)/.test(kind));
  const columns = 'custom-columns=KIND:.kind,IN:.metadata.namespace,NAME:.metadata.name';
  const listed = await kubectl(
    'get',
    lasting.join(','),
    '--all-namespaces',
    '-o',
    columns,
    '--no-headers',
    '--ignore-not-found',
  );
  return [
    ...new Set(
      listed
        .trim()
        .split('\n')
        .map((line) => line.trim().replace(/\s+/g, ' ')),
    ),
  ].sort();
}

/** What was there before is there again, and nothing else, once what is being deleted is gone. */
async function nothingIsLeft(before: readonly string[]): Promise<void> {
  let after: readonly string[] = [];
  const isAsBefore = async (): Promise<true | undefined> => {
    after = await everything();
    return after.length === before.length || undefined;
  };
  await eventually('nothing is left', isAsBefore, 30_000).catch(() => undefined);
  assert.deepEqual(after, before);
}

test('helm: the chart from the registry, by the command of the README, to a message, and gone again', async () => {
  const { helm, registry } = tools;
  const before = await everything();
  const archive = join(assets, `tocsin-${version}.tgz`);
  await helm('push', archive, `oci://${registry}/charts`, '--plain-http');
  const started = performance.now();
  await shell(`${documented('helm install').trim()} --plain-http --wait`);
  const installed = secondsSince(started);
  assert.equal(await installedImage(), image);
  ways.push({ way: '`helm install`', installed, ...(await breakSomething(started)) });
  await shell('helm uninstall tocsin --namespace tocsin --wait');
  // The definitions, which Helm never deletes, with what somebody has configured, and the namespace that it made.
  const left = (await everything()).filter((each) => !before.includes(each));
  const made = ['CustomResourceDefinition', 'Namespace', 'AlertProvider tocsin oncall', 'Secret tocsin oncall'];
  const follows = ['APIService', 'ConfigMap tocsin kube-root-ca.crt', 'ServiceAccount tocsin default'];
  assert.deepEqual(
    left.filter((each) => ![...made, ...follows].some((known) => each.startsWith(known))),
    [],
  );
  assert.equal(left.filter((each) => each.startsWith('CustomResourceDefinition')).length, 4);
  await shell(documented('kubectl delete crd', 'docs/install.md'));
  await nothingIsLeft(before);
});

test('kubectl: the manifest, by the commands of docs/install.md, to a message, and gone again', async () => {
  const before = await everything();
  const started = performance.now();
  await shell(documented('kubectl apply -f https', 'docs/install.md'));
  await kubectl('-n', 'tocsin', 'rollout', 'status', 'deployment/tocsin', '--timeout=60s');
  const installed = secondsSince(started);
  assert.equal(await installedImage(), image);
  ways.push({ way: 'the manifest, by `kubectl`', installed, ...(await breakSomething(started)) });
  await shell(`kubectl delete -f ${url}/install.yaml`);
  await nothingIsLeft(before);
});

test('the single executable: `tocsin install` knows its image, to a message, and gone again', async () => {
  const before = await everything();
  const started = performance.now();
  await shell(documented('tocsin install'));
  const installed = secondsSince(started);
  assert.equal(await installedImage(), image);
  ways.push({ way: '`tocsin install`', installed, ...(await breakSomething(started)) });
  await shell('tocsin uninstall --yes');
  await nothingIsLeft(before);
});

test('how long each way in takes is written down', () => {
  const minutes = (seconds: number): string => (seconds / 60).toFixed(1);
  const figures = [
    `${new Date().toISOString().slice(0, 10)}. ${versionWords()}. ${machineWords()}, load average ${load().toFixed(1)}.`,
    table(
      ['by', 'minutes until it is installed', 'until it runs and has listed everything', 'until the first message'],
      ways.map(({ way, installed, ready, told }) => [way, minutes(installed), minutes(ready), minutes(told)]),
    ),
  ].join('\n\n');
  console.log(figures);
  assert.equal(ways.length, 3);
  for (const { way, told } of ways) assert.ok(told <= 300, `${way}: ${told} s`);
  writeFileSync(page, withFigures(readFileSync(page, 'utf8'), figures, 'ways in', 'release-rehearsal'));
});
