/** Recipes: every kind of message is what its receiver takes. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { lint } from '../../src/api/lint/lint.ts';
import { ownBody } from '../../src/providers/webhook/body.ts';
import { sampleEvents } from '../../src/providers/webhook/samples.ts';
import { receivers } from './recipe-schemas.ts';

const folder = join(import.meta.dirname, '../../config/recipes');

describe('recipes', () => {
  const ajv = new Ajv({ allErrors: true });
  addFormats.default(ajv);
  const names = readdirSync(folder).flatMap((file) => (file.endsWith('.yaml') ? [file.replace(/\.yaml$/, '')] : []));
  test('each has a schema of its receiver', () => {
    assert.deepEqual(names.toSorted(), Object.keys(receivers).toSorted());
  });
  test('no receiver takes just anything: not Tocsin’s own body, and not an empty one', () => {
    const own = sampleEvents().get('an opening');
    for (const [name, schema] of Object.entries(receivers))
      for (const body of [own, {}, [{}]]) assert.ok(!ajv.validate(schema, body), `${name}: ${JSON.stringify(body)}`);
  });
  for (const name of names)
    test(`${name}: every kind of message is what the receiver takes, and lint has nothing to say`, () => {
      const manifest = parse(readFileSync(join(folder, `${name}.yaml`), 'utf8'));
      const validate = ajv.compile(receivers[name] ?? assert.fail(name));
      const bodies = new Map<string, string>();
      for (const [kind, event] of sampleEvents()) {
        const result = ownBody(manifest.spec.webhook.body, event);
        assert.ok('body' in result, `${kind}: ${JSON.stringify(result)}`);
        assert.ok(validate(JSON.parse(result.body)), `${kind}: ${ajv.errorsText(validate.errors)}`);
        bodies.set(kind, result.body);
      }
      assert.notEqual(bodies.get('an opening'), bodies.get('an end'));
      const { judged } = lint([{ kind: 'AlertProvider', value: manifest, where: name }], {
        operatorNamespace: 'tocsin',
        now: 0,
        secrets: () => 'unknown',
      });
      assert.deepEqual(judged[0]?.remarks, []);
    });
  test('Alertmanager knows an incident by the same labels until its end', () => {
    const { body } = parse(readFileSync(join(folder, 'alertmanager.yaml'), 'utf8')).spec.webhook;
    const alert = (kind: string) => {
      const result = ownBody(body, sampleEvents().get(kind) ?? assert.fail());
      return 'body' in result ? JSON.parse(result.body)[0] : assert.fail(result.problem);
    };
    assert.deepEqual(alert('an update').labels, alert('an opening').labels);
    assert.deepEqual(alert('an end').labels, alert('an opening').labels);
    assert.ok(Date.parse(alert('an end').endsAt) < Date.parse(alert('an opening').endsAt));
  });
});
