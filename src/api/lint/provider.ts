import type { Secret } from '../../model/secret.ts';
import { objectOf } from '../../providers/kit/block.ts';
import { splitConfig } from '../../providers/kit/config.ts';
import type { AnyProvider } from '../../providers/kit/define.ts';
import type { FieldDeclaration, Fields } from '../../providers/kit/fields.ts';
import type { AlertProvider } from '../alert-provider.ts';
import { addressAt, checkProvider, providerOf } from '../check-provider.ts';
import { checkOpened } from '../opened.ts';
import { fallbackProblem } from '../rules/fallback.ts';
import { secretKeyMissing, secretNotFound } from '../rules/secrets.ts';
import { selectorOf } from '../selector.ts';
import { didYouMean } from '../suggest.ts';
import { exampleHost } from './example-host.ts';
import type { Remark } from './remark.ts';
import { needlessSelectors, selectorRemarks } from './selectors.ts';
import type { Surroundings } from './surroundings.ts';

/** What is wrong with the block by plain code, also where the schema has refused another part of the object. */
export function blockRemarks(spec: AlertProvider['spec']): readonly Remark[] {
  return checkProvider(spec).map(({ path, message }) => ({
    rule: addressAt(spec.type, path) ? 'InvalidDestination' : 'InvalidSpec',
    path,
    message,
  }));
}

/** Remarks on an AlertProvider that the schema has taken. */
export function providerRemarks(object: AlertProvider, around: Surroundings): readonly Remark[] {
  const { spec } = object;
  const definition = providerOf(spec.type);
  const routes = (spec.routes ?? []).map(({ selector }) => selectorOf(selector));
  const own = definition ? [...secretRemarks(object, definition, around), ...uselessFields(definition, spec)] : [];
  return [
    ...own,
    ...fallbackRemarks(object, around),
    ...routes.flatMap((route, index) => selectorRemarks(route, `spec.routes[${index}].selector`)),
    ...needlessSelectors(routes, 'spec.routes', 'route'),
    ...(routes.length > 0 ? [unlicensedRoutes] : []),
  ];
}

const unlicensedRoutes: Remark = {
  rule: 'NotLicensed',
  path: 'spec.routes',
  message: '`spec.routes` needs a licence (Pro): without one they are ignored, and everything in scope goes here',
};

function fallbackRemarks(object: AlertProvider, around: Surroundings): readonly Remark[] {
  const problem = fallbackProblem(object, around.providers);
  if (!problem) return [];
  const { reason: rule, path, message } = problem;
  if (rule === 'FallbackCycle') return [{ rule, path, message }];
  const neighbours = [...around.providers.values()]
    .filter(
      ({ metadata }) => metadata.namespace === object.metadata.namespace && metadata.name !== object.metadata.name,
    )
    .map(({ metadata }) => metadata.name);
  return [{ rule, path, message: `${message}${didYouMean(object.spec.fallback ?? '', neighbours)}` }];
}

/** The path of a secret field as YAML has it: a header is found by its place in the list. */
export function pathOfSecret({ spec }: Pick<AlertProvider, 'spec'>, field: string): string {
  const block = `spec.${spec.type}`;
  const [list = '', ...name] = field.split('.');
  const entries = objectOf(spec[spec.type])?.[list];
  if (!Array.isArray(entries)) return `${block}.${field}`;
  return `${block}.${list}[${entries.findIndex((entry: unknown) => objectOf(entry)?.name === name.join('.'))}]`;
}

/** Names of headers whose value gives access; others (`X-Team`) are meant to be written down. */
const credentialHeader = /auth|token|key|secret|cookie|passw/i;

function secretRemarks(object: AlertProvider, definition: AnyProvider, around: Surroundings): readonly Remark[] {
  const { spec, metadata } = object;
  const opened = new Map<string, Secret>();
  const remarks = Object.entries(splitConfig(definition, spec[spec.type]).secrets).flatMap(
    ([field, location]): readonly Remark[] => {
      const path = pathOfSecret(object, field);
      if ('inline' in location) {
        const isHeader = path.endsWith(']');
        return isHeader && !credentialHeader.test(field.slice(field.indexOf('.') + 1)) ? [] : [inlineSecret(path)];
      }
      const { secret: name, key } = location;
      const given = around.secrets(metadata.namespace, name);
      if (given === 'unknown' || given === 'sealed') return [];
      if (given === 'missing') {
        const { reason, message } = secretNotFound(name);
        return [{ rule: reason, path: `${path}.secretKeyRef`, message: `\`${path}\`: ${message}` }];
      }
      const value = given.values.get(key);
      if (value === undefined) {
        const { reason, message } = secretKeyMissing(name, key);
        const meant = didYouMean(key, [...given.values.keys()]);
        return [{ rule: reason, path: `${path}.secretKeyRef`, message: `\`${path}\`: ${message}${meant}` }];
      }
      opened.set(field, value);
      return [];
    },
  );
  const wrong = checkOpened(object, opened).map((problem): Remark => ({ rule: 'InvalidDestination', ...problem }));
  return [...remarks, ...wrong, ...(wrong.length > 0 ? [] : exampleHosts(object, definition, opened))];
}

/** A credential in the object itself. `path`: of the field; its value is never shown. */
export function inlineSecret(path: string): Remark {
  const message = `\`${path}\` holds its value in this object, where whoever may read the object or this file sees it: keep the value in a Secret and name that with \`secretKeyRef\``;
  return { rule: 'InlineSecret', path: `${path}.value`, message };
}

/** Addresses, plain or behind a given Secret, at hosts that never answer. */
function exampleHosts(
  object: AlertProvider,
  { type, fields }: AnyProvider,
  opened: ReadonlyMap<string, Secret>,
): readonly Remark[] {
  const block = objectOf(object.spec[type]);
  return Object.entries(fields).flatMap(([name, field]): readonly Remark[] => {
    if (!holdsAddress(field)) return [];
    const given = block?.[name];
    const host = exampleHost(opened.get(name) ?? objectOf(given)?.value ?? given);
    const path = `spec.${type}.${name}`;
    const message = `\`${path}\` leads to ${host}, which is reserved for examples: nobody is reached; give the real address`;
    return host === undefined ? [] : [{ rule: 'ExampleHost', path, message }];
  });
}

function holdsAddress(field: FieldDeclaration): boolean {
  return field.is === 'url' || (field.is === 'secret' && field.holds === 'url');
}

/** Fields that do nothing without another one (`reopenStatus` without `closeStatus`), by their declarations. */
export function uselessFields(
  { type, fields }: { readonly type: string; readonly fields: Fields },
  spec: Readonly<Record<string, unknown>>,
): readonly Remark[] {
  const block = objectOf(spec[type]) ?? {};
  const given = (name: string): boolean => block[name] !== undefined && block[name] !== null;
  return Object.entries(fields).flatMap(([name, { needs }]): readonly Remark[] => {
    if (needs === undefined || !given(name) || given(needs)) return [];
    const path = `spec.${type}.${name}`;
    const message = `\`${path}\` has no effect without \`${needs}\`: set \`${needs}\` too, or remove this one`;
    return [{ rule: 'NoEffect', path, message }];
  });
}
