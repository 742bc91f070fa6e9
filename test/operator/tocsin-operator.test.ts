import assert from 'node:assert/strict';
import { test } from 'node:test';
import operatorModule, { type ResourceMeta } from '@dot-i/k8s-operator';
import { type ApiClient, ApiError, type ApiRequest } from '../../src/kube/api-client.ts';
import type { ObjectEvent } from '../../src/model/raw-object.ts';
import { refOf } from '../../src/model/ref.ts';
import { OwnKinds, type StartReflection } from '../../src/operator/own-kinds.ts';
import { TocsinOperator } from '../../src/operator/tocsin-operator.ts';
import { settled, virtualClock } from '../delivery/clock.ts';
import { provider, silence } from './objects.ts';

/** The operator class with everything that is protected open, and what it asked for and handed over. */
function stage(options: { readonly answer?: Error; readonly put?: (name: string) => Promise<void> } = {}) {
  const requests: ApiRequest[] = [];
  const client: ApiClient = {
    async json<T>(request: ApiRequest): Promise<T> {
      requests.push(request);
      if (options.answer) throw options.answer;
      return {} as T;
    },
    list: () => Promise.reject(new Error('not asked')),
    text: () => Promise.reject(new Error('not asked')),
    stream: () => Promise.reject(new Error('not asked')),
    close: () => Promise.resolve(),
  };
  const handed: string[] = [];
  const failures: string[] = [];
  const reflections = new Map<string, Parameters<StartReflection>[1]>();
  const clock = virtualClock();
  class Open extends TocsinOperator {
    readonly opened = {
      setStatus: (meta: ResourceMeta, status: unknown) => this.setResourceStatus(meta, status),
      patchStatus: (meta: ResourceMeta, status: unknown) => this.patchResourceStatus(meta, status),
      refused: [
        () => this.watchResource('tocsin.dev', 'v1alpha1', 'silences', async () => {}),
        async () => this.getCustomResourceApiUri('tocsin.dev', 'v1alpha1', 'silences'),
        () => this.setResourceFinalizers(meta, []),
        async () => this.registerCustomResourceDefinition('crd.yaml'),
        () => this.applyAxiosKubeConfigAuth({}),
        () => this.applyGaxiosKubeConfigAuth({}),
      ],
    };
  }
  const kinds = new OwnKinds({
    client,
    clock,
    reflect(resource, handlers) {
      reflections.set(resource.kind, handlers);
      return { stop: async () => void reflections.delete(resource.kind) };
    },
    handler: {
      async put(raw) {
        handed.push(`put ${raw.kind ?? ''} ${raw.metadata.name} ${raw.metadata.uid ?? ''}`);
        await options.put?.(raw.metadata.name);
      },
      async gone(raw) {
        handed.push(`gone ${raw.kind ?? ''} ${raw.metadata.name}`);
      },
      failed: (key) => failures.push(key),
      covered: () => {},
    },
  });
  const operator = new Open(kinds);
  const send = async (kind: string, ...events: readonly ObjectEvent[]): Promise<void> => {
    reflections.get(kind)?.onEvents(events);
    await settled();
  };
  return { operator, kinds, requests, handed, failures, reflections, clock, send };
}

const meta: ResourceMeta = {
  ...{ id: 'silences.tocsin.dev/v1alpha1', name: 'one', namespace: 'shop', resourceVersion: '7' },
  ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'Silence' },
};

test('it is the operator of the library, made without a kubeconfig of its own, and watches our four kinds', async (context) => {
  const { KUBECONFIG } = process.env;
  context.after(() => {
    if (KUBECONFIG === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = KUBECONFIG;
  });
  process.env.KUBECONFIG = '/nonexistent/kubeconfig';
  const { operator, reflections } = stage();
  assert.ok(operator instanceof operatorModule.default);
  assert.equal('kubeConfig' in operator, false);
  await operator.start();
  assert.deepEqual([...reflections.keys()], ['AlertProvider', 'Silence', 'MaintenanceWindow', 'AlertConfig']);
});

test('no method of the library that would reach the network or exit is left as it was', () => {
  // Private helpers of those that are overridden: nobody calls them any more.
  const harmless = new Set(['constructor', 'start', 'init', 'resourceStatusRequest', 'errorToJson']);
  const base = Object.getOwnPropertyNames(operatorModule.default.prototype).filter((name) => !harmless.has(name));
  const ours = new Set(Object.getOwnPropertyNames(TocsinOperator.prototype));
  assert.ok(base.length >= 10, `only ${base.length} methods found`);
  assert.deepEqual(
    base.filter((name) => !ours.has(name)),
    [],
  );
});

test('what we never do is refused, and sends nothing', async () => {
  const { operator, kinds, requests } = stage();
  for (const call of operator.opened.refused) await assert.rejects(call, /Tocsin/);
  await assert.rejects(kinds.writeStatus(refOf('Pod', 'shop', 'x'), {}), /not one of Tocsin's kinds/);
  await assert.rejects(operator.opened.setStatus(meta, 'text'), /must be an object/);
  assert.deepEqual(requests, []);
});

test('a status is applied with our field manager, by either call of the library', async () => {
  const { operator, requests } = stage();
  await operator.opened.setStatus(meta, { suppressed: 1 });
  await operator.opened.patchStatus(meta, { suppressed: 1 });
  assert.deepEqual(requests[0], requests[1]);
  assert.equal(requests[0]?.path, '/apis/tocsin.dev/v1alpha1/namespaces/shop/silences/one/status');
  assert.deepEqual(requests[0]?.query, { fieldManager: 'tocsin', force: true });
});

test('a status that the API server refuses is an error, not a silence', async () => {
  const { operator, kinds } = stage({ answer: new ApiError(403, 'Forbidden', 'no') });
  await assert.rejects(kinds.writeStatus(refOf('Silence', 'shop', 'one'), {}), { status: 403 });
  await assert.rejects(operator.opened.setStatus(meta, {}), { status: 403 });
});

test('objects get their kind, are known by what was last seen of them, and go', async () => {
  const { operator, handed, reflections, send } = stage();
  await operator.start();
  const { kind: _, ...listed } = silence('one');
  await send('Silence', { is: 'put', raw: listed }, { is: 'put', raw: silence('two') });
  await send('AlertProvider', { is: 'put', raw: provider('one') });
  const known = () => [...(reflections.get('Silence')?.known() ?? [])].map(({ name, uid }) => `${name} ${uid}`);
  assert.deepEqual(known(), ['one uid-one', 'two uid-two']);
  await send('Silence', { is: 'gone', raw: silence('one') });
  assert.deepEqual(known(), ['two uid-two']);
  assert.deepEqual(handed, [
    'put Silence one uid-one',
    'put Silence two uid-two',
    'put AlertProvider one uid-one',
    'gone Silence one',
  ]);
});

test('an object that could not be reconciled is still known, and is tried again', async () => {
  let refuses = true;
  const { operator, handed, failures, reflections, clock, send } = stage({
    put: () => (refuses ? Promise.reject(new Error('no')) : Promise.resolve()),
  });
  await operator.start();
  await send('Silence', { is: 'put', raw: silence('one') });
  assert.deepEqual(failures, ['Silence/tocsin/one']);
  assert.equal([...(reflections.get('Silence')?.known() ?? [])].length, 1);
  refuses = false;
  await clock.advance(500);
  assert.equal(handed.length, 2);
});

test('idle means that everything seen so far was handed over; a stop ends the watches', async () => {
  const end = Promise.withResolvers<void>();
  const { operator, kinds, reflections, send } = stage({ put: () => end.promise });
  await operator.start();
  await send('Silence', { is: 'put', raw: silence('one') });
  let idle = false;
  void kinds.idle().then(() => {
    idle = true;
  });
  await settled();
  assert.equal(idle, false);
  end.resolve();
  await settled();
  assert.equal(idle, true);
  operator.stop();
  await settled();
  assert.equal(reflections.size, 0);
});
