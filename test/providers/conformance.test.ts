/**
 * Every provider type against a product on loopback, through the real sender or mailer. A type adds a folder of fixtures and
 * nothing here. UPDATE_GOLDEN=1 writes what is compared: read the difference before it is committed.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { abilityOf } from '../../src/providers/kit/supports.ts';
import { providers } from '../../src/providers/registry.ts';
import { groups, readCaseFile } from './conformance/case-file.ts';
import { startHttpProduct } from './conformance/http-product.ts';
import { planOf } from './conformance/plan.ts';
import { startSmtpProduct } from './conformance/smtp-product.ts';
import { claimsOf } from './conformance/supports.ts';
import { tableOf } from './conformance/table.ts';
import { buildNetwork, type Wire } from './conformance/wire.ts';

buildNetwork();

const rows = providers.flatMap((definition) => {
  const { type, plain, supports, family } = definition;
  const { wire, modes } = readCaseFile(type);
  return [...modes].map(([name, mode]) => ({
    definition,
    name,
    mode,
    wire,
    plan: planOf({ type, wire, name, mode, plain, supports, family }),
  }));
});

for (const { definition, name, mode, wire: speaks, plan } of rows)
  describe(`${definition.type}${name === 'default' ? '' : ` (${name})`}`, () => {
    let wire: Wire;
    before(async () => {
      wire = speaks === 'smtp' ? await startSmtpProduct() : await startHttpProduct(mode.well);
    });
    after(() => wire[Symbol.asyncDispose]());
    for (const { group, title, run } of plan) test(`${group}: ${title}`, () => run({ definition, mode, wire }));
  });

test('no type leaves a column empty without saying why', () => {
  for (const { definition, name, mode, plan } of rows)
    for (const group of groups) {
      const there = plan.some((each) => each.group === group);
      assert.ok(there || mode.without[group], `${definition.type} (${name}) has nothing in ${group}, and no reason`);
    }
});

test('whatever a type claims is shown in one of its modes', () => {
  for (const { type, supports } of providers)
    for (const ability of supports.map(abilityOf)) {
      const modes = rows.filter(({ definition }) => definition.type === type);
      const shown = modes.some(({ mode }) => claimsOf(supports, mode).has(ability) && mode.supports[ability]);
      assert.ok(shown, `${type} claims ${ability}, and no mode of its fixtures shows it`);
    }
});

test('docs/contributing/conformance.md is the table of what is run', () => {
  const file = join(import.meta.dirname, '../../docs/contributing/conformance.md');
  const text = tableOf(rows.map(({ definition, name, mode, plan }) => ({ type: definition.type, name, mode, plan })));
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
  assert.equal(readFileSync(file, 'utf8'), text, 'stale: run this test with UPDATE_GOLDEN=1');
});
