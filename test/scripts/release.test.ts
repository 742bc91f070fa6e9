import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { releaseAssets } from '../../scripts/release/assets.ts';
import { krewManifest } from '../../scripts/release/krew.ts';
import { notesOf } from '../../scripts/release/notes.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tocsin-release-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

type Step = { readonly uses?: string; readonly run?: string; readonly name?: string };
type Workflow = {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly permissions?: object; readonly steps: readonly Step[] }>>;
};
const text = readFileSync(join(root, '.github/workflows/release.yaml'), 'utf8');
const workflow = parse(text) as Workflow;
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

test('the workflow names every action by its commit, with the version for people', () => {
  const used = [...text.matchAll(/uses: (.+)$/gm)].map(([, line = '']) => line);
  assert.ok(used.length >= 3);
  for (const line of used) assert.match(line, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('it may do nothing but read, save where it publishes', () => {
  assert.deepEqual(workflow.permissions, { contents: 'read' });
  const { check, build, sign } = workflow.jobs;
  assert.equal(check?.permissions, undefined);
  assert.deepEqual(build?.permissions, { contents: 'read', packages: 'write' });
  assert.deepEqual(sign?.permissions, { contents: 'write', packages: 'write', 'id-token': 'write' });
});

test('who may sign runs nothing of the repository and none of its packages: it signs what another job has built', () => {
  for (const [name, { permissions = {}, steps: own }] of Object.entries(workflow.jobs)) {
    if (!('id-token' in permissions)) continue;
    for (const { uses = '', run = '' } of own) {
      assert.doesNotMatch(uses, /checkout|setup-/, name);
      assert.doesNotMatch(run, /\b(?:make|node|npm|npx|buildx)\b|scripts\//, name);
    }
  }
});

test('its commands are sound shell, and every target, script and file that they name is there', () => {
  const makefile = readFileSync(join(root, 'Makefile'), 'utf8');
  let checked = 0;
  for (const command of commands) {
    const { status, stderr } = spawnSync('bash', ['-n'], {
      input: command.replaceAll(/\$\{\{[^}]*\}\}/g, 'x'),
      encoding: 'utf8',
    });
    assert.equal(status, 0, `${command}\n${stderr}`);
    for (const [, targets = ''] of command.matchAll(/\bmake ([a-z ]+)/g))
      for (const target of targets.trim().split(' ')) {
        assert.match(makefile, new RegExp(`^${target}:`, 'm'), target);
        checked += 1;
      }
    for (const [path] of command.matchAll(/\b(?:scripts|src|config|docs)\/[\w./-]+|\b[A-Z]+\.md\b/g)) {
      assert.ok(existsSync(join(root, path)), path);
      checked += 1;
    }
  }
  assert.ok(checked >= 6, String(checked));
});

test('it builds for both platforms, with a bill of materials and provenance, and signs what it pushed by its digest', () => {
  const all = commands.join('\n');
  for (const part of ['--platform linux/amd64,linux/arm64', '--sbom=true', '--provenance=mode=max', '--push'])
    assert.ok(all.includes(part), part);
  assert.match(all, /cosign sign --yes "\$\{IMAGE,,\}@\$DIGEST"/);
  assert.match(all, /cosign sign-blob .*SHA256SUMS/);
});

const image = `ghcr.io/example/tocsin@sha256:${'a'.repeat(64)}`;
const url = 'https://example.com/releases/download/v0.1.0';

/** A bundled program that answers like the real one, and a kubectl that prints what there is to print. */
function stand(): { readonly dist: string; readonly path: string } {
  const dist = join(folder, 'dist');
  mkdirSync(dist, { recursive: true });
  for (const name of ['state-worker.mjs', 'tocsin.mjs.LEGAL.txt', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json'])
    writeFileSync(join(dist, name), '{}\n');
  writeFileSync(join(dist, 'tocsin.mjs'), '#!/usr/bin/env node\nconsole.log("a plugin");\n');
  chmodSync(join(dist, 'tocsin.mjs'), 0o755);
  const kubectl = join(folder, 'kubectl');
  writeFileSync(
    kubectl,
    '#!/bin/sh\ncat "$2"/../manager/deployment.yaml | sed "s/image: tocsin$/image: tocsin:0.1.0/"\n',
  );
  chmodSync(kubectl, 0o755);
  return { dist, path: `${folder}${delimiter}${process.env.PATH ?? ''}` };
}

test('the assets name the image by its digest, are the same each time, and the plugin runs from its archive', () => {
  const { dist, path } = stand();
  const was = process.env.PATH;
  process.env.PATH = path;
  try {
    const target = join(folder, 'release');
    const executable = {
      os: 'linux',
      arch: 'amd64',
      program: join(dist, 'tocsin.mjs'),
      nodeLicense: join(root, 'LICENSE'),
    };
    const options = { root, dist, target, image, url, version: '0.1.0', description: 'x', executables: [executable] };
    const made = releaseAssets(options);
    const sums = readFileSync(join(target, 'SHA256SUMS'), 'utf8');
    releaseAssets(options);
    assert.equal(readFileSync(join(target, 'SHA256SUMS'), 'utf8'), sums);
    assert.deepEqual(made, [
      ...['LICENSE', 'NOTICE', 'THIRD-PARTY-NOTICES.txt', 'crds.yaml', 'install.yaml', 'kubectl-tocsin.tar.gz'],
      ...['notes.md', 'olm-bundle.tar.gz', 'sbom.cdx.json', 'settings.yaml', 'tocsin-0.1.0.tgz'],
      ...['tocsin-linux-amd64.tar.gz', 'tocsin.krew.yaml', 'SHA256SUMS'],
    ]);
    const installed = readFileSync(join(target, 'install.yaml'), 'utf8');
    assert.ok(installed.includes(`image: ${image}`));
    assert.ok(parseAllDocuments(installed).every(({ errors }) => errors.length === 0));
    const unpack = (name: string): string => {
      const into = join(folder, `unpacked-${name}`);
      mkdirSync(into);
      assert.equal(spawnSync('tar', ['-xzf', join(target, name), '-C', into]).status, 0, name);
      return into;
    };
    const bundle = readFileSync(
      join(unpack('olm-bundle.tar.gz'), 'olm/manifests/tocsin.clusterserviceversion.yaml'),
      'utf8',
    );
    assert.equal(bundle.split(image).length - 1, 3, 'the Deployment, the annotation, the related images');
    const values = readFileSync(join(unpack('tocsin-0.1.0.tgz'), 'tocsin/values.yaml'), 'utf8');
    assert.match(values, /repository: ghcr\.io\/example\/tocsin$/m);
    assert.ok(values.includes(`digest: ${image.split('@')[1]}\n`));
    const plugin = parse(readFileSync(join(target, 'tocsin.krew.yaml'), 'utf8')) as {
      readonly spec: {
        readonly platforms: readonly { readonly uri: string; readonly sha256: string; readonly bin: string }[];
      };
    };
    assert.deepEqual(
      plugin.spec.platforms.map(({ uri }) => uri),
      [`${url}/tocsin-linux-amd64.tar.gz`, `${url}/kubectl-tocsin.tar.gz`],
    );
    for (const { uri, sha256, bin } of plugin.spec.platforms) {
      const name = uri.slice(url.length + 1);
      assert.equal(
        sha256,
        createHash('sha256')
          .update(readFileSync(join(target, name)))
          .digest('hex'),
      );
      const ran = spawnSync(join(unpack(name), bin), { encoding: 'utf8' });
      assert.equal(ran.stdout, 'a plugin\n', ran.stderr);
    }
  } finally {
    process.env.PATH = was;
  }
});

test('the notes are what the changelog says of the version, and a version that it does not know is refused', () => {
  const changelog = '# Changelog\n\n## 0.2.0 (2027-01-01)\n\n- new\n\n## 0.1.0\n\n- first\n';
  assert.equal(notesOf(changelog, '0.2.0'), '- new\n');
  assert.equal(notesOf(changelog, '0.1.0'), '- first\n');
  assert.throws(() => notesOf(changelog, '0.3.0'), /CHANGELOG\.md says nothing of 0\.3\.0/);
});

test('the manifest for krew keeps to what its index asks for', () => {
  const manifest = parse(
    krewManifest('0.1.0', [
      { os: 'linux', arch: 'amd64', uri: `${url}/x.tar.gz`, sha256: 'b'.repeat(64), bin: 'tocsin' },
    ]),
  ) as {
    readonly apiVersion: string;
    readonly metadata: { readonly name: string };
    readonly spec: { readonly version: string; readonly shortDescription: string };
  };
  assert.equal(manifest.apiVersion, 'krew.googlecontainertools.github.com/v1alpha2');
  assert.match(manifest.metadata.name, /^[a-z0-9-]+$/);
  assert.match(manifest.spec.version, /^v\d+\.\d+\.\d+$/);
  assert.ok(manifest.spec.shortDescription.length <= 50);
  assert.doesNotMatch(manifest.spec.shortDescription, /kubectl|\.$/i);
});

test('the Dockerfile of a checkout names its base images by digest, and somebody renews them', () => {
  const from = readFileSync(join(root, 'Dockerfile'), 'utf8').match(/^FROM .*$/gm) ?? [];
  assert.equal(from.length, 2);
  for (const line of from) assert.match(line, /:[\w.-]+@sha256:[0-9a-f]{64}(?: AS \w+)?$/);
  assert.match(readFileSync(join(root, '.github/dependabot.yml'), 'utf8'), /package-ecosystem: docker\n/);
});

test('base images are pinned to what their tags are on the day, and a tag that is not there stops the build', () => {
  const docker = join(folder, 'docker');
  const pin = (script: string) => {
    writeFileSync(docker, `#!/bin/sh\n${script}\n`);
    chmodSync(docker, 0o755);
    return spawnSync(process.execPath, [join(root, 'scripts/pin-images.ts')], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH ?? ''}` },
    });
  };
  const { stdout } = pin(`echo sha256:${'c'.repeat(64)}`);
  const from = stdout.split('\n').filter((line) => line.startsWith('FROM '));
  assert.equal(from.length, 2);
  for (const line of from) assert.match(line, /@sha256:c{64}(?: AS build)?$/);
  const asked = join(folder, 'asked');
  pin(`echo "$4" >> ${asked}; echo sha256:${'c'.repeat(64)}`);
  assert.doesNotMatch(readFileSync(asked, 'utf8'), /@/, 'the tag is asked, not what it was');
  const failed = pin('echo "not found" >&2; exit 1');
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /cannot be had: not found/);
});
