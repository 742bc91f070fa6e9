/** Texts that are no good manifests: what people type, paste, render and save by mistake, and what somebody might send us. */

const silence = `apiVersion: tocsin.dev/v1alpha1
kind: Silence
metadata:
  name: quiet
  namespace: tocsin
spec:
  selector:
    names: [checkout]
  durationSeconds: 3600
  comment: upgrades
`;
const metadata = 'metadata:\n  name: quiet\n  namespace: tocsin\n';

/** One text: what is wrong with it, at which line lint must point, and what it must say to do. */
export type BadText = {
  readonly name: string;
  readonly text: string | Uint8Array;
  readonly line: number;
  readonly remedy: RegExp;
};

/** The good Silence with one part of it replaced. */
const with_ = (part: string, by: string): string => silence.replace(part, () => by);
const bad = (name: string, text: string | Uint8Array, line: number, remedy: RegExp): BadText => ({
  ...{ name, text, line, remedy },
});
const comment = (name: string, value: string, line: number, remedy: RegExp): BadText =>
  bad(name, with_('upgrades', value), line, remedy);
const labelled = (name: string, more: string, remedy: RegExp): BadText =>
  bad(name, with_('  name: quiet', `  name: quiet\n  ${more}`), 5, remedy);
const named = (name: string, value: string, remedy: RegExp): BadText => bad(name, with_('quiet', value), 4, remedy);

const yaml: readonly BadText[] = [
  bad('a tab as indentation', with_('    names', '\tnames'), 8, /indent with spaces/),
  bad('a key twice', with_('  comment: upgrades', '  comment: a\n  comment: b'), 11, /remove or rename one/),
  comment('an alias of nothing', '*nobody', 10, /begins with \* or & in quotes/),
  bad('an anchor within itself', with_('[checkout]', '&a [checkout, *a]'), 8, /must be a text/),
  bad('a star without quotes', with_('[checkout]', '[*]'), 8, /begins with \* or & in quotes/),
  bad('an exclamation mark without quotes', with_('[checkout]', '[!checkout]'), 8, /begins with ! .* put it in quotes/),
  comment('a quote that stays open', '"upgrades', 11, /close the quote/),
  bad('a bracket that stays open', with_('[checkout]', '[checkout'), 9, /close the bracket/),
  bad('a brace that stays open', with_('[checkout]', '{checkout'), 9, /close the bracket/),
  comment('a colon without quotes', 'a: b', 10, /holds a colon in quotes/),
  bad('no colon', with_('comment: upgrades', 'comment upgrades'), 10, /write the colon/),
  bad('no space after the colon', with_('comment: upgrades', 'comment:upgrades'), 10, /colon with a space after it/),
  bad('a wrong indentation', with_('  selector', '   selector'), 9, /correct the indentation/),
  comment('a percent sign in front', '%a', 10, /in quotes/),
  comment('an at sign in front', '@home', 10, /in quotes/),
  comment('a backtick in front', '`x`', 10, /in quotes/),
  comment('a tag that stays open', '!<tag x', 10, /correct this line/),
  bad('a list as a key', with_('  comment: upgrades', '  ? [a, b]\n  : c'), 10, /a key must be a text/),
  bad('a merge of a text', with_('  comment: upgrades', '  <<: x'), 1, /give `<<` an object/),
  bad('a key of 5,000 letters', with_('comment', 'c'.repeat(5000)), 10, /correct this line/),
  comment('a template in a value', '{{ .Values.comment }}', 10, /lint what it renders/),
  bad('a template around a block', with_('spec:', '{{- if .Values.x }}\nspec:'), 6, /lint what it renders/),
  bad('a merge conflict', with_('spec:', '<<<<<<< HEAD\nspec:'), 6, /resolve it/),
  comment('a NUL', 'up\0grades', 10, /U\+0000; remove it/),
  comment('a bell', 'up\u0007grades', 10, /U\+0007; remove it/),
  bad('Latin-1', Buffer.from(with_('upgrades', 'für'), 'latin1'), 10, /save it as UTF-8/),
  bad('UTF-16, as PowerShell writes it', Buffer.from(`\ufeff${silence}`, 'utf16le'), 1, /save it as UTF-8/),
  bad('a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]), 1, /save it as UTF-8/),
  bad('JSON that ends early', '{"apiVersion": "tocsin.dev/v1alpha1", "kind": "Silence"', 1, /close the bracket/),
  bad('lists in lists without end', with_('upgrades', '['.repeat(10_000)), 10, /nest it less deeply/),
  bad('objects in objects without end', '{"a":'.repeat(5000), 1, /nest it less deeply/),
  bad(
    'a billion laughs',
    ['a: &a [x, x, x, x, x, x, x, x, x]', ...laughs('abcdefghij')].join('\n'),
    ...([1, /instead of repeating them by aliases/] as const),
  ),
  bad('a broken second document', `${silence}---\n${with_('[checkout]', '[checkout')}`, 20, /close the bracket/),
];

/** Each list holds the one before it nine times. */
function laughs(letters: string): readonly string[] {
  return [...letters].slice(1).map((letter, index) => `${letter}: &${letter} [${`*${letters[index]}, `.repeat(9)}]`);
}

const objects: readonly BadText[] = [
  bad('a list', '- a\n- b\n', 1, /begin a manifest with/),
  bad('a text', 'hello\n', 1, /begin a manifest with/),
  bad('a page of the web', '<html><body>Not found</body></html>\n', 1, /begin a manifest with/),
  bad('neither apiVersion nor kind', silence.slice(silence.indexOf('metadata')), 1, /begin a manifest with/),
  bad('no kind', with_('kind: Silence\n', ''), 1, /use one of: AlertProvider/),
  bad('Kind for kind', with_('kind:', 'Kind:'), 1, /write `Kind` as `kind`/),
  bad('no apiVersion', with_('apiVersion: tocsin.dev/v1alpha1\n', ''), 1, /write `apiVersion: tocsin\.dev/),
  bad('apiversion for apiVersion', with_('apiVersion', 'apiversion'), 1, /not spelled like that/),
  bad('a kind in small letters', with_('Silence', 'silence'), 2, /did you mean "Silence"/),
  bad('a kind in the plural', with_('Silence', 'Silences'), 2, /did you mean "Silence"/),
  bad('a kind that is a number', with_('kind: Silence', 'kind: 5'), 2, /use one of/),
  bad('a kind that is a list', with_('kind: Silence', 'kind: [Silence]'), 2, /use one of/),
  bad('a version that does not exist', with_('v1alpha1', 'v1'), 1, /write tocsin\.dev\/v1beta1/),
  bad('a group at another end', with_('tocsin.dev', 'tocsin.io'), 1, /write that/),
  bad('a misspelt group', with_('tocsin.dev', 'tocsn.dev'), 1, /write that/),
  bad('a misspelt group and kind', with_('tocsin.dev', 'tocsn.dev').replace('Silence', 'Silense'), 2, /did you mean/),
  bad('a version without its group', with_('tocsin.dev/', ''), 1, /write that/),
  bad('a group without its version', with_('/v1alpha1', ''), 1, /write that/),
  bad('an apiVersion that is a number', with_('tocsin.dev/v1alpha1', '5'), 1, /write that/),
  bad(
    'an apiVersion of three parts',
    with_('v1alpha1', 'v1alpha1/x'),
    1,
    /use one of: tocsin\.dev\/v1beta1, tocsin\.dev\/v1alpha1/,
  ),
  bad('the group of Deployments', with_('tocsin.dev/v1alpha1', 'apps/v1'), 1, /write that/),
  bad('a List whose items are none', 'apiVersion: v1\nkind: List\nitems: {}\n', 1, /give it some/),
  bad('a List of texts', 'apiVersion: v1\nkind: List\nitems: [a, 5]\n', 3, /begin a manifest with/),
  bad('no metadata', with_(metadata, ''), 1, /`metadata` is required/),
  bad('metadata that is a text', with_(metadata, 'metadata: quiet\n'), 3, /must be an object/),
  bad('metadata that is a list', with_(metadata, 'metadata: [a]\n'), 3, /must be an object/),
  named('a capital in the name', 'Quiet', /lower-case letters/),
  named('an underscore in the name', 'qui_et', /lower-case letters/),
  named('a space in the name', 'a b', /lower-case letters/),
  named('a name that is a number', '5', /must be a text \(in quotes\)/),
  named('a name of 300 letters', 'q'.repeat(300), /at most 253/),
  bad('a capital in the namespace', with_('namespace: tocsin', 'namespace: Tocsin'), 5, /lower-case letters/),
  labelled('a label that is a number', 'labels: { a: 5 }', /must be a text \(in quotes\)/),
  labelled('labels that are a list', 'labels: [a]', /must be an object/),
  labelled('a space in a label', 'labels: { a: "b c" }', /an annotation may hold any text/),
  labelled('a space in the key of a label', 'labels: { "a b": c }', /letters, digits, -/),
  labelled('an annotation that is a boolean', 'annotations: { a: true }', /must be a text \(in quotes\)/),
  labelled('a misspelt field of the metadata', 'nam: x', /did you mean `name`/),
  labelled('finalizers that are a text', 'finalizers: a', /must be a list of texts/),
  bad('specs for spec', with_('spec:', 'specs:'), 6, /did you mean `spec`/),
  bad('a field beside the spec', `${silence}extra: 1\n`, 11, /check its spelling and place/),
  bad('no spec', silence.slice(0, silence.indexOf('spec:')), 1, /`spec` is required/),
  bad('an empty spec', `${silence.slice(0, silence.indexOf('spec:'))}spec:\n`, 6, /`spec` is required/),
  bad('a status that is a number', `${silence}status: 5\n`, 11, /must be an object/),
  bad('a field that would change every object', `${silence}__proto__: { a: 1 }\n`, 11, /check its spelling/),
  bad('the same object twice', `${silence}---\n${silence}`, 15, /remove or rename one/),
  bad('a key that steers a terminal', with_('comment', '"\\e[31mcomment"'), 10, /check its spelling|did you mean/),
  bad('a key that turns the direction of writing', with_('comment', 'com\u202ement'), 10, /did you mean `comment`/),
];

const values: readonly BadText[] = [
  bad('a number that is none', with_('3600', '.inf'), 9, /must be a whole number/),
  bad('minutes and seconds', with_('3600', '1:00'), 9, /must be a whole number/),
  bad('a duration in words', with_('3600', '1h'), 9, /must be a whole number/),
  bad('more seconds than there are', with_('3600', '99999999999999999999'), 9, /from 1 to 31536000/),
  bad('a day for an instant', with_('durationSeconds: 3600', 'endsAt: 2099-12-01'), 9, /a time such as/),
  bad('a day that does not exist', with_('durationSeconds: 3600', 'endsAt: 2099-02-30T00:00:00Z'), 9, /a time such as/),
  bad('two ends', with_('3600', '3600\n  endsAt: 2099-12-01T20:00:00Z'), 6, /set exactly one of/),
  bad('no end', with_('  durationSeconds: 3600\n', ''), 6, /set exactly one of/),
  comment('a comment of a million letters', 'x'.repeat(1_000_000), 10, /shorten it/),
  bad('an empty list', with_('[checkout]', '[]'), 8, /add an entry, or leave the field out/),
];

/** Everything of it. */
export const badTexts: readonly BadText[] = [...yaml, ...objects, ...values, ...ofOtherKinds()];

/** What only plain code can judge: schedules, time zones, addresses, fallbacks. */
function ofOtherKinds(): readonly BadText[] {
  const head = (kind: string): string => `apiVersion: tocsin.dev/v1alpha1\nkind: ${kind}\n${metadata}spec:\n`;
  const window = (schedule: string, zone = 'UTC'): string =>
    `${head('MaintenanceWindow')}  selector: {}\n  schedule: "${schedule}"\n  timeZone: ${zone}\n  durationSeconds: 60\n`;
  const provider = (spec: string): string => `${head('AlertProvider')}  ${spec.replaceAll('\n', '\n  ')}\n`;
  const hook = (url: string): string => provider(`type: webhook\nwebhook:\n  url: { value: "${url}" }`);
  const schedules = ['61 * * * *', '* 24 * * *', '* * 32 * *', '* * * 13 *', '* * * * 8', '*/0 * * * *', '5-1 * * * *'];
  return [
    ...schedules.map((each) => bad(`schedule ${each}`, window(each), 8, /`spec\.schedule`/)),
    bad('a schedule of six fields', window('0 0 2 * * 6'), 8, /five fields/),
    bad('a schedule in words', window('every day at noon'), 8, /five fields/),
    bad('a schedule that never comes', window('0 0 31 2 *'), 8, /`spec\.schedule`/),
    bad('a time zone that does not exist', window('0 2 * * 6', 'Europe/Berln'), 9, /did you mean|IANA/),
    bad('an abbreviation for a time zone', window('0 2 * * 6', 'CESTX'), 9, /did you mean|IANA/),
    ...['ftp://h.acme.io/', 'h.acme.io', 'https://h.acme.io:99999/', 'https://h .acme.io/', 'https://'].map((url) =>
      bad(`the address ${url}`, hook(url), 9, /`spec\.webhook\.url/),
    ),
    bad(
      'another type than its block',
      provider('type: slack\nwebhook: { url: { value: "https://h.acme.io/" } }'),
      6,
      /set the block named by `type`/,
    ),
    bad('a type that does not exist', provider('type: slak\nslack: {}'), 7, /did you mean "slack"/),
    bad('itself as the fallback', `${hook('https://h.acme.io/')}  fallback: quiet\n`, 10, /fallback/),
  ];
}
