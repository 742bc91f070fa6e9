import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldAt } from '../../sandbox/object.ts';
import { failingChecks } from '../../src/kube/api-server-health.ts';
import { kubernetesVersions } from './binaries.ts';
import type { Chapter } from './contract.ts';
import { itemsOf, nameOf, statusOf, versionOf, type Workbench } from './workbench.ts';

async function fill(bench: Workbench, count: number): Promise<string> {
  const namespace = await bench.namespace();
  for (let i = 0; i < count; i += 1)
    await bench.create(`/api/v1/namespaces/${namespace}/secrets`, {
      metadata: { name: `s${i}`, labels: { n: String(i) } },
    });
  return `/api/v1/namespaces/${namespace}/secrets`;
}

/** Discovery, lists, selectors, representations and refusals. */
export const listContract: Chapter = (bench) => {
  describe('discovery', () => {
    test('names groups, versions, resources and their verbs', async () => {
      const { get } = bench();
      assert.deepEqual(fieldAt(await get('/api'), 'versions'), ['v1']);
      const groups = fieldAt(await get('/apis'), 'groups') as { name: string; preferredVersion: object }[];
      const apps = groups.find((group) => group.name === 'apps');
      assert.deepEqual(apps?.preferredVersion, { groupVersion: 'apps/v1', version: 'v1' });
      const list = await get('/apis/apps/v1');
      assert.equal(list.kind, 'APIResourceList');
      const resources = list.resources as { name: string; kind: string; namespaced: boolean; verbs: string[] }[];
      const deployments = resources.find((resource) => resource.name === 'deployments');
      assert.deepEqual([deployments?.kind, deployments?.namespaced], ['Deployment', true]);
      assert.deepEqual(deployments?.verbs.toSorted(), [
        'create',
        'delete',
        'deletecollection',
        'get',
        'list',
        'patch',
        'update',
        'watch',
      ]);
      assert.ok(resources.some((resource) => resource.name === 'deployments/status'));
    });

    test('answers 404 for a group, a version and a resource that are not served', async () => {
      for (const path of ['/apis/nope.example.com/v1', '/apis/apps/v9', '/apis/apps/v1/nopes', '/nope'])
        assert.equal((await bench().ask('GET', path)).status, 404, path);
    });

    test('tells the version and that it is ready', async () => {
      const minor = await bench().minor();
      assert.ok(kubernetesVersions.includes(`1.${minor}`), `1.${minor} is one of ${kubernetesVersions}`);
      const { gitVersion } = await bench().get('/version');
      assert.ok(String(gitVersion).startsWith(`v1.${minor}.`), String(gitVersion));
      assert.deepEqual(
        await bench()
          .ask('GET', '/readyz')
          .then(({ status, body }) => [status, body]),
        [200, 'ok'],
      );
      const { body } = await bench().ask('GET', '/readyz?verbose');
      assert.deepEqual(failingChecks(String(body)), [], 'an answer of its own, by which no check fails');
    });
  });

  describe('lists', () => {
    test('pages show one version, the whole of it, and how much remains', async () => {
      const { get, ask } = bench();
      const path = await fill(bench(), 5);
      const first = await get(`${path}?limit=2`);
      assert.deepEqual(itemsOf(first).map(nameOf), ['s0', 's1']);
      assert.equal(fieldAt(first, 'metadata', 'remainingItemCount'), 3);
      await ask('DELETE', `${path}/s3`);
      const next = (page: unknown): string =>
        `${path}?limit=2&continue=${encodeURIComponent(String(fieldAt(page, 'metadata', 'continue')))}`;
      const second = await get(next(first));
      const third = await get(next(second));
      assert.deepEqual([...itemsOf(second), ...itemsOf(third)].map(nameOf), ['s2', 's3', 's4']);
      assert.deepEqual([versionOf(second), versionOf(third)], [versionOf(first), versionOf(first)]);
      assert.equal(fieldAt(third, 'metadata', 'continue'), undefined);
    });

    test('items of built-in kinds carry no kind, the list does', async () => {
      const list = await bench().get(await fill(bench(), 1));
      assert.deepEqual([list.kind, list.apiVersion], ['SecretList', 'v1']);
      assert.deepEqual([itemsOf(list)[0]?.kind, itemsOf(list)[0]?.apiVersion], [undefined, undefined]);
    });

    test('label and field selectors pick', async () => {
      const { get } = bench();
      const path = await fill(bench(), 4);
      const names = async (query: string): Promise<string[]> => itemsOf(await get(`${path}?${query}`)).map(nameOf);
      const label = (text: string): string => `labelSelector=${encodeURIComponent(text)}`;
      assert.deepEqual(await names(label('n=2')), ['s2']);
      assert.deepEqual(await names(label('n in (1,3)')), ['s1', 's3']);
      assert.deepEqual(await names(label('n notin (1,3),n!=0')), ['s2']);
      assert.deepEqual(await names(label('n,!m')), ['s0', 's1', 's2', 's3']);
      assert.deepEqual(await names(`fieldSelector=${encodeURIComponent('metadata.name!=s0')}`), ['s1', 's2', 's3']);
      assert.deepEqual(await names('fieldSelector=metadata.name=s1'), ['s1']);
    });

    test('a version that is not reached yet is refused with 504 and a cause', async () => {
      const path = await fill(bench(), 1);
      const answer = await bench().ask('GET', `${path}?resourceVersion=999999999&resourceVersionMatch=NotOlderThan`);
      assert.deepEqual([answer.status, fieldAt(answer.body, 'reason')], [504, 'Timeout']);
      assert.match(String(fieldAt(answer.body, 'message')), /Too large resource version: 999999999, current: \d+/);
      assert.equal(
        (fieldAt(answer.body, 'details', 'causes') as { reason: string }[])[0]?.reason,
        'ResourceVersionTooLarge',
      );
      assert.equal(fieldAt(answer.body, 'details', 'retryAfterSeconds'), 1);
    });

    test('a continue token that is not one is refused with 400', async () => {
      const path = await fill(bench(), 1);
      const answer = await bench().ask('GET', `${path}?limit=1&continue=nonsense`);
      assert.deepEqual([answer.status, fieldAt(answer.body, 'reason')], [400, 'BadRequest']);
    });

    test('metadata alone is served to those who ask for it', async () => {
      const path = await fill(bench(), 2);
      const of = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;
      const list = (await bench().ask('GET', path, { accept: of('PartialObjectMetadataList') })).body;
      assert.deepEqual(
        [fieldAt(list, 'kind'), fieldAt(list, 'apiVersion')],
        ['PartialObjectMetadataList', 'meta.k8s.io/v1'],
      );
      const [item] = itemsOf(list);
      assert.equal(nameOf(item), 's0');
      assert.ok(!Object.hasOwn(item ?? {}, 'type'), 'a field that is not metadata');
      const one = (await bench().ask('GET', `${path}/s1`, { accept: of('PartialObjectMetadata') })).body;
      assert.deepEqual([fieldAt(one, 'kind'), nameOf(one)], ['PartialObjectMetadata', 's1']);
      assert.ok(!Object.hasOwn(one as object, 'type'));
    });
  });

  describe('refusals', () => {
    test('404 names the resource and the object', async () => {
      const answer = await bench().ask('GET', '/apis/apps/v1/namespaces/default/deployments/nope');
      assert.deepEqual(statusOf(answer), {
        status: 404,
        kind: 'Status',
        code: 404,
        reason: 'NotFound',
        message: 'deployments.apps "nope" not found',
      });
      assert.deepEqual(fieldAt(answer.body, 'details'), { name: 'nope', group: 'apps', kind: 'deployments' });
    });

    test('access reviews say what is allowed', async () => {
      const spec = { resourceAttributes: { verb: 'list', resource: 'pods' } };
      const body = { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', spec };
      const review = await bench().create('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body);
      assert.equal(fieldAt(review, 'status', 'allowed'), true);
    });
  });
};
