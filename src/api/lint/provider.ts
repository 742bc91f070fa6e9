import { refOf } from '../../model/ref.ts';
import { openSecret, Secret } from '../../model/secret.ts';
import { didYouMean } from '../../model/suggest.ts';
import { isRead } from '../../model/traits.ts';
import { objectOf } from '../../providers/kit/block.ts';
import type { AnyProvider } from '../../providers/kit/define.ts';
import type { BlockFields, FieldDeclaration } from '../../providers/kit/fields.ts';
import { isPublic, isTls } from '../../providers/kit/tls.ts';
import type { AlertProvider } from '../alert-provider.ts';
import { addressAt, checkHome, checkProvider, providerOf } from '../check-provider.ts';
import { checkOpened, valuesInObject } from '../opened.ts';
import { fallbackProblem } from '../rules/fallback.ts';
import { routesOf } from '../settings.ts';
import { inlineRemark, providerSecrets } from './named-secrets.ts';
import { openGiven } from './opened.ts';
import type { Remark } from './remark.ts';
import { selectorRemarks } from './selectors.ts';
import type { Surroundings } from './surroundings.ts';
import { zoneRemarks } from './zone.ts';

/** What is wrong with the block by plain code, also where the schema has refused another part of the object. */
export function blockRemarks(spec: AlertProvider['spec']): readonly Remark[] {
  return checkProvider(spec).map(({ path, message }) => ({
    rule: addressAt(spec.type, path) ? 'InvalidDestination' : 'InvalidSpec',
    path,
    message,
  }));
}

/** What can be said of an AlertProvider that the schema has refused, so that one run names everything. */
export function earlyRemarks(object: AlertProvider, around: Surroundings): readonly Remark[] {
  const definition = providerOf(object.spec.type);
  return [
    ...(definition ? uselessFields(definition, object.spec) : []),
    ...(typeof object.spec.fallback === 'string' ? fallbackRemarks(object, around) : []),
  ];
}

/** Remarks on an AlertProvider that the schema has taken. */
export function providerRemarks(object: AlertProvider, around: Surroundings): readonly Remark[] {
  const { spec } = object;
  const definition = providerOf(spec.type);
  const own = definition
    ? [
        ...secretRemarks(object, definition, around),
        ...uselessFields(definition, spec),
        ...plainRemarks(definition, spec),
        ...checkHome(object, around.operatorNamespace).map((problem): Remark => ({ rule: 'InvalidSpec', ...problem })),
        ...flaws(definition, spec),
        ...ends(definition, spec),
      ]
    : [];
  return [
    ...own,
    ...(definition ? silentRemarks(definition, spec) : []),
    ...zoneRemarks('spec.message.timeZone', spec.message?.timeZone),
    ...actionRemarks(object, around),
    ...fallbackRemarks(object, around),
    ...routesOf(spec).flatMap((route, index) => selectorRemarks(route, `spec.routes[${index}].selector`)),
  ];
}

function fallbackRemarks(object: AlertProvider, around: Surroundings): readonly Remark[] {
  const problem = fallbackProblem(object, (ref) => around.providers.get(ref));
  if (!problem) return activeFallback(object, around);
  const { reason: rule, path, message } = problem;
  if (rule === 'FallbackCycle') return [{ rule, path, message }];
  const neighbours = [...around.providers.values()]
    .filter(
      ({ metadata }) => metadata.namespace === object.metadata.namespace && metadata.name !== object.metadata.name,
    )
    .map(({ metadata }) => metadata.name);
  return [{ rule, path, message: `${message}${didYouMean(object.spec.fallback ?? '', neighbours)}` }];
}

/** A fallback without routes has heard of everything already: it is no second pair of eyes. */
function activeFallback({ metadata, spec }: AlertProvider, around: Surroundings): readonly Remark[] {
  const name = spec.fallback ?? '';
  const target = around.providers.get(refOf('AlertProvider', metadata.namespace, name));
  if (!around.allActive || !target || target.spec.suspend || target.spec.routes?.length) return [];
  const message = `"${name}" receives everything itself: when "${metadata.name}" cannot be notified, "${name}" gets a remark, not a second alert; if somebody else should be woken, name a provider that is only a fallback, whose routes pick nothing of this`;
  return [{ rule: 'FallbackActive', path: 'spec.fallback', message }];
}

/** Names of headers whose value gives access; others (`X-Team`) are meant to be written down. */
const credentialHeader = /auth|token|key|secret|cookie|passw/i;

function secretRemarks(object: AlertProvider, definition: AnyProvider, around: Surroundings): readonly Remark[] {
  const fields = providerSecrets(object);
  const inline = fields
    .filter((secret) => 'inline' in secret)
    .filter(({ path, field }) => !path.endsWith(']') || credentialHeader.test(field.slice(field.indexOf('.') + 1)))
    .filter(({ field }) => !isPublic(field));
  const { remarks, values } = openGiven(fields, object.metadata.namespace, around.secrets);
  const written = [...valuesInObject(object)].filter(([field]) => isTls(field));
  const found = checkOpened(object, new Map([...written, ...values]), around.now);
  const wrong = found.map(({ reason: rule, path, message }): Remark => ({ rule, path, message }));
  const examples = wrong.length > 0 ? [] : exampleHosts(object, definition, values);
  return [...inline.map(({ path }) => inlineRemark(path)), ...remarks, ...wrong, ...examples];
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

/** BlockFields that do nothing without another one (`reopenStatus` without `closeStatus`), by their declarations. */
export function uselessFields(
  { type, fields }: { readonly type: string; readonly fields: BlockFields },
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

/** Certificates are for TLS, which some destinations do without. */
function plainRemarks(
  { type, fields }: AnyProvider,
  { tls, ...spec }: Readonly<Record<string, unknown>>,
): readonly Remark[] {
  const block = objectOf(spec[type]) ?? {};
  const plain = Object.entries(fields).find(([name, field]) => {
    const value = field.is === 'secret' ? objectOf(block[name])?.value : block[name];
    return holdsAddress(field) ? /^http:/i.test(String(value)) : name === 'tls' && value === 'none';
  });
  if (!plain || objectOf(tls) === undefined) return [];
  const message = `\`spec.tls\` has no effect, since \`spec.${type}.${plain[0]}\` asks for connections without TLS: change that, or remove this`;
  return [{ rule: 'NoEffect', path: 'spec.tls', message }];
}

/** Trackers, pagers and logs keep the state of a thing: they are told every update, which calls nobody. */
function silentRemarks({ product, family }: AnyProvider, { silentUpdates }: AlertProvider['spec']): readonly Remark[] {
  if (silentUpdates !== true || isRead({ family })) return [];
  const path = 'spec.silentUpdates';
  const message = `\`${path}\` has no effect at ${product}, which is neither a chat nor mail: remove it`;
  return [{ rule: 'NoEffect', path, message }];
}

/** What people do in products holds for the whole cluster: nobody hears of it by an AlertProvider that speaks for a namespace. */
function actionRemarks({ metadata, spec }: AlertProvider, { operatorNamespace }: Surroundings): readonly Remark[] {
  const actions = objectOf(objectOf(spec[spec.type])?.actions);
  const { listening, readBack } = providerOf(spec.type) ?? {};
  if (actions === undefined || (listening === undefined && readBack === undefined)) return [];
  const path = `spec.${spec.type}.actions`;
  if (metadata.namespace === operatorNamespace) {
    if (listening === undefined || (Array.isArray(actions.users) && actions.users.length > 0)) return [];
    return [
      {
        rule: 'NoEffect',
        path,
        message: `\`${path}.users\` names nobody, so that there are no buttons: name accounts`,
      },
    ];
  }
  const message = `\`${path}\` has no effect in the namespace "${metadata.namespace}": what is done there holds for the whole cluster, so that it is heard of AlertProviders in "${operatorNamespace}" alone`;
  return [{ rule: 'NoEffect', path, message }];
}

/** Fields that do not do what they say. */
function flaws({ type, flaws: found }: AnyProvider, spec: Readonly<Record<string, unknown>>): readonly Remark[] {
  return (found?.(objectOf(spec[type]) ?? {}) ?? []).map(({ field, says }) => {
    const path = `spec.${type}.${field}`;
    return { rule: 'NotUsed', path, message: `\`${path}\` ${says}` };
  });
}

/** What will not work for ever. */
export function ends(
  { type, ending }: Pick<AnyProvider, 'type' | 'ending'>,
  spec: Readonly<Record<string, unknown>>,
): readonly Remark[] {
  const end = ending?.(objectOf(spec[type]) ?? {});
  if (!end) return [];
  const message = `\`spec.${type}\` uses ${end.what}, whose last day is ${end.day}: ${end.instead}`;
  return [{ rule: 'EndOfLife', path: `spec.${type}`, message }];
}

/** Names that nobody can own (RFC 2606, RFC 6761), with everything below them. */
const reserved = /(?:^|\.)(?:example|invalid|test|example\.(?:com|net|org))\.?$/i;

/** The host of an address when it is reserved for examples, which may be shown; else `undefined`. */
function exampleHost(address: unknown): string | undefined {
  const text = address instanceof Secret ? openSecret(address).trimEnd() : address;
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { hostname } = new URL(text);
  return reserved.test(hostname) ? hostname : undefined;
}
