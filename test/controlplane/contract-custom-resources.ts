import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Fields, fieldAt, type ManagedFields } from '../../sandbox/object.ts';
import type { Chapter } from './contract.ts';
import { type Answer, eventually } from './environment.ts';
import { conditionOf, itemsOf, statusOf, versionOf } from './workbench.ts';

const group = 'contract.example.com';
const text = { type: 'string' };
const condition = {
  type: 'object',
  required: ['type', 'status'],
  properties: {
    type: text,
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    reason: text,
    message: text,
    lastTransitionTime: { type: 'string', format: 'date-time' },
  },
};
const schema = {
  openAPIV3Schema: {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        required: ['size'],
        properties: {
          size: { type: 'string', enum: ['S', 'L'] },
          count: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
          name: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 5 },
          port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
          nested: { type: 'object', properties: { on: { type: 'boolean', default: true } } },
          tags: { type: 'array', maxItems: 2, items: text },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          labels: { type: 'object', additionalProperties: text },
        },
      },
      status: {
        type: 'object',
        properties: {
          phase: text,
          total: { type: 'integer' },
          conditions: {
            type: 'array',
            items: condition,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
          },
        },
      },
    },
  },
};
/** A small kind with one of everything that our own kinds use, in two versions. */
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `gadgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', shortNames: ['gd'] },
    versions: [
      { name: 'v1', served: true, storage: true, subresources: { status: {} }, schema },
      { name: 'v2beta1', served: true, storage: false, subresources: { status: {} }, schema },
    ],
  },
};

/** Custom resources: establishment, validation, defaults, pruning, and server-side apply of status. */
export const customResourceContract: Chapter = (bench) => {
  describe('custom resources', () => {
    let count = 0;
    const place = async (): Promise<string> => `/apis/${group}/v1/namespaces/${await bench().namespace()}/gadgets`;
    const gadget = (spec: object = { size: 'S' }): object => {
      count += 1;
      return { apiVersion: `${group}/v1`, kind: 'Gadget', metadata: { name: `g${count}` }, spec };
    };
    /** Causes of a refusal as `field: reason`. */
    const refusal = async (spec: object): Promise<string[]> => {
      const answer = await bench().ask('POST', await place(), { body: gadget(spec) });
      assert.deepEqual([answer.status, fieldAt(answer.body, 'reason')], [422, 'Invalid'], JSON.stringify(answer.body));
      const causes = fieldAt(answer.body, 'details', 'causes') as { field: string; reason: string }[];
      return causes.map((cause) => `${cause.field}: ${cause.reason}`);
    };

    before(async () => {
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      await bench().create(path, definition);
      await eventually('the definition is established', async () => {
        const live = await bench().get(`${path}/gadgets.${group}`);
        const served = (await bench().ask('GET', `/apis/${group}/v1/gadgets`)).status === 200;
        return conditionOf(live, 'Established')?.status === 'True' && served ? true : undefined;
      });
    });

    test('are discovered with their short names and status', async () => {
      const resources = fieldAt(await bench().get(`/apis/${group}/v1`), 'resources') as Fields[];
      assert.deepEqual(resources.map((row) => row.name).sort(), ['gadgets', 'gadgets/status']);
      assert.deepEqual(resources.find((row) => row.name === 'gadgets')?.shortNames, ['gd']);
    });

    test('are the same object in every version, and are made in the one that their path names', async () => {
      const old = await place();
      const newer = old.replace('/v1/', '/v2beta1/');
      const made = await bench().create(old, gadget());
      const name = String(fieldAt(made, 'metadata', 'name'));
      const seen = await bench().get(`${newer}/${name}`);
      assert.equal(seen.apiVersion, `${group}/v2beta1`);
      assert.deepEqual({ ...seen, apiVersion: made.apiVersion, metadata: {} }, { ...made, metadata: {} });
      const other = { ...gadget({ size: 'L' }), apiVersion: `${group}/v2beta1` };
      const listed = await bench().create(newer, other);
      assert.equal(listed.apiVersion, `${group}/v2beta1`);
      const versions = itemsOf(await bench().get(old)).map(({ apiVersion }) => apiVersion);
      assert.deepEqual(new Set(versions), new Set([`${group}/v1`]));
      const wrong = await bench().ask('POST', old, { body: { ...gadget(), apiVersion: `${group}/v2beta1` } });
      assert.equal(wrong.status, 400, JSON.stringify(wrong.body));
    });

    test('get their defaults and lose what the schema does not know', async () => {
      const spec = {
        size: 'S',
        bogus: 1,
        nested: { other: 2 },
        free: { kept: true },
        labels: { any: 'thing' },
        port: 'http',
      };
      const made = await bench().create(await place(), gadget(spec));
      assert.deepEqual(made.spec, {
        size: 'S',
        count: 2,
        nested: { on: true },
        free: { kept: true },
        labels: { any: 'thing' },
        port: 'http',
      });
      assert.equal(made.status, undefined);
      assert.equal(fieldAt(made, 'metadata', 'generation'), 1);
    });

    test('unknown fields are refused when validation is strict, and warned of otherwise', async () => {
      const path = await place();
      const strict = await bench().ask('POST', `${path}?fieldValidation=Strict`, {
        body: gadget({ size: 'S', bogus: 1 }),
      });
      assert.deepEqual([strict.status, fieldAt(strict.body, 'reason')], [400, 'BadRequest']);
      assert.match(String(fieldAt(strict.body, 'message')), /strict decoding error: unknown field "spec\.bogus"/);
      const warned = await bench().ask('POST', `${path}?fieldValidation=Warn`, {
        body: gadget({ size: 'S', bogus: 1 }),
      });
      assert.match(String(warned.headers.warning), /^299 - "unknown field \\"spec\.bogus\\""$/);
    });

    test('are refused with the field and the kind of mistake', async () => {
      assert.deepEqual(await refusal({}), ['spec.size: FieldValueRequired']);
      assert.deepEqual(await refusal({ size: 'M' }), ['spec.size: FieldValueNotSupported']);
      assert.deepEqual(await refusal({ size: 'S', count: 'many' }), ['spec.count: FieldValueTypeInvalid']);
      assert.deepEqual(await refusal({ size: 'S', count: 0 }), ['spec.count: FieldValueInvalid']);
      assert.deepEqual(await refusal({ size: 'S', name: 'Nö' }), ['spec.name: FieldValueInvalid']);
      assert.deepEqual(await refusal({ size: 'S', name: 'abcdef' }), ['spec.name: FieldValueTooLong']);
      assert.deepEqual(await refusal({ size: 'S', tags: ['a', 'b', 'c'] }), ['spec.tags: FieldValueTooMany']);
    });

    test('the text of a refusal names object, field, value and what would be right', async () => {
      const path = await place();
      const named = { ...gadget({ size: 'M', count: 0 }), metadata: { name: 'wrong' } };
      const answer = await bench().ask('POST', path, { body: named });
      const message = String(fieldAt(answer.body, 'message'));
      assert.match(message, /^Gadget\.contract\.example\.com "wrong" is invalid: \[/);
      assert.ok(message.includes('spec.size: Unsupported value: "M": supported values: "S", "L"'), message);
      assert.ok(
        message.includes('spec.count: Invalid value: 0: spec.count in body should be greater than or equal to 1'),
        message,
      );
    });

    test('items of a list carry their kind, and PUT must name a version', async () => {
      const path = await place();
      const made = await bench().create(path, gadget());
      const [item] = itemsOf(await bench().get(path));
      assert.deepEqual([item?.kind, item?.apiVersion], ['Gadget', `${group}/v1`]);
      const { name } = made.metadata as { name: string };
      const blind = await bench().ask('PUT', `${path}/${name}`, { body: { ...made, metadata: { name } } });
      assert.deepEqual([blind.status, fieldAt(blind.body, 'reason')], [422, 'Invalid']);
      assert.equal((await bench().patch(`${path}/${name}`, 'strategic', {})).status, 415);
    });

    test('a version that has been forgotten gives 410 Expired: a watch as an ERROR event, a list as its answer', async () => {
      const path = `/apis/${group}/v1/gadgets`;
      await bench().create(await place(), gadget());
      await bench().compact();
      const [event] = await bench().watch(`${path}?watch=true&resourceVersion=1`, (events) => events.length > 0);
      assert.equal(event?.type, 'ERROR');
      assert.deepEqual([fieldAt(event?.object, 'code'), fieldAt(event?.object, 'reason')], [410, 'Expired']);
      assert.match(String(fieldAt(event?.object, 'message')), /^too old resource version: 1 \(\d+\)$/);
      const list = await bench().ask('GET', `${path}?resourceVersion=1&resourceVersionMatch=Exact`);
      assert.deepEqual([list.status, fieldAt(list.body, 'reason')], [410, 'Expired'], JSON.stringify(list.body));
    });

    describe('server-side apply of status', () => {
      const time = '2026-01-02T03:04:05Z';
      const ready = (status: string): object => ({
        type: 'Ready',
        status,
        reason: 'R',
        message: 'm',
        lastTransitionTime: time,
      });
      const applied = (path: string, manager: string, status: object, force = true): Promise<Answer> => {
        const metadata = { name: path.split('/').at(-1) };
        const body = { apiVersion: `${group}/v1`, kind: 'Gadget', metadata, status };
        return bench().patch(`${path}/status?fieldManager=${manager}&force=${force}`, 'apply', body);
      };
      const fresh = async (): Promise<string> => {
        const path = await place();
        const made = await bench().create(path, gadget());
        return `${path}/${fieldAt(made, 'metadata', 'name')}`;
      };

      test('twice the same is written once, and spec and generation stay', async () => {
        const path = await fresh();
        const status = { phase: 'Up', conditions: [ready('True')] };
        const first = await applied(path, 'tocsin', status);
        assert.equal(first.status, 200, JSON.stringify(first.body));
        const second = await applied(path, 'tocsin', status);
        assert.equal(versionOf(second.body), versionOf(first.body));
        assert.deepEqual(fieldAt(second.body, 'status'), status);
        assert.deepEqual(
          [fieldAt(second.body, 'metadata', 'generation'), fieldAt(second.body, 'spec', 'size')],
          [1, 'S'],
        );
        const entries = fieldAt(second.body, 'metadata', 'managedFields') as ManagedFields[];
        const mine = entries.find((entry) => entry.manager === 'tocsin');
        assert.deepEqual([mine?.operation, mine?.subresource], ['Apply', 'status']);
      });

      test('what is no longer said goes, and the rest of the status stays', async () => {
        const path = await fresh();
        await applied(path, 'other', { total: 5 });
        await applied(path, 'tocsin', {
          phase: 'Up',
          conditions: [ready('True'), { ...ready('True'), type: 'Second' }],
        });
        const last = await applied(path, 'tocsin', { conditions: [ready('False')] });
        assert.deepEqual(fieldAt(last.body, 'status'), { total: 5, conditions: [ready('False')] });
      });

      test('a field of somebody else is a conflict unless forced', async () => {
        const path = await fresh();
        await applied(path, 'other', { phase: 'Theirs' });
        const refused = await applied(path, 'tocsin', { phase: 'Ours' }, false);
        assert.deepEqual([statusOf(refused).status, statusOf(refused).reason], [409, 'Conflict']);
        assert.match(
          String(statusOf(refused).message),
          /^Apply failed with 1 conflict: conflict with "other".*: \.status\.phase$/,
        );
        const forced = await applied(path, 'tocsin', { phase: 'Ours' });
        assert.equal(fieldAt(forced.body, 'status', 'phase'), 'Ours');
      });

      test('an object that is not there gives 404, a status that cannot be 422', async () => {
        const nowhere = `${await place()}/nope`;
        assert.equal((await applied(nowhere, 'tocsin', { phase: 'Up' })).status, 404);
        const wrong = await applied(await fresh(), 'tocsin', { conditions: [ready('Maybe')] });
        assert.equal(wrong.status, 422, JSON.stringify(wrong.body));
      });
    });
  });
};
