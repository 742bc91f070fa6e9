import type { Broken } from '../diagnose/answer.ts';
import { diagnosisOf, type Seen } from '../diagnose/diagnosis.ts';
import { sentenceOf } from '../message/phrases/phrases.ts';
import { statementOf } from '../message/sentences/statement.ts';
import type { Ref } from '../model/ref.ts';
import type { InWords } from '../server/past.ts';
import { changesIn } from './changes.ts';
import { fitting } from './marked.ts';
import { asked, pathOf } from './object.ts';
import { relationsOf } from './relations.ts';

/** What a tool is called with: texts, and a number. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A question that an agent may ask. Every one of them only reads. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, { readonly type: 'string' | 'number'; readonly description: string }>>;
  readonly required?: readonly string[];
  /** Offered only to whoever may read everything, or only where an operator remembers what is over. Absent: always. */
  readonly needs?: readonly ('everything' | 'memory')[];
  /** The answer: plain data, of which the texts are the cluster's. */
  answer(seen: Seen, given: Arguments): unknown;
};

const object = {
  type: 'string',
  description: 'the ID of an incident, or an object: deployment/shop/api, node/n1, "deploy api", or a bare name',
} as const;
const namespace = { type: 'string', description: 'only this namespace, or the namespace of the object' } as const;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const time = (at: number): string => new Date(at).toISOString();

/** One incident in short: enough to name the root and what to do. */
const inShort = ({ id, isCertain, severity, reason, root, since, words, why }: Broken): object => ({
  ...{ id, severity, reason, root: pathOf(root), since: time(since), certain: isCertain },
  ...{ cause: why.confidence, says: statementOf(words) },
  ...(words.nextStep && { next: words.nextStep.command }),
});

/** Incidents of the past that an answer can hold at most. */
const mostPast = 50;

const pastInShort = ({ incident, words }: InWords): object => ({
  ...{ id: incident.id, reason: incident.explanation.reason, root: pathOf(incident.explanation.root.ref) },
  ...{ severity: incident.explanation.severity, began: time(incident.startedAt) },
  ended: incident.resolvedAt === undefined ? null : time(incident.resolvedAt),
  ...{ says: words.lead, cause: words.incident?.cause ?? null },
});

/** The incident that an object or an ID stands for; `undefined`: it is part of none. */
function brokenFor(seen: Seen, given: Arguments): Broken | object {
  const answer = asked(seen, textOf(given.about) ?? '', textOf(given.namespace));
  if ('unclear' in answer) return answer;
  const [incident] = answer.incidents;
  const found = diagnosisOf(seen).broken.find(({ id }) => id === incident?.id);
  return found ?? { about: pathOf(answer.about), says: answer.says, incident: null };
}

const isBroken = (value: Broken | object): value is Broken => 'words' in value;

/** All questions, in the order in which one asks them. */
export const tools: readonly Tool[] = [
  {
    name: 'incidents',
    title: 'What is broken',
    description:
      'What is broken now, one entry for each root cause, the worst first: the root object, since when, what it does, how sure the cause is (high, likely, unknown), the next command. Begin here; as a rule it is enough.',
    properties: { namespace },
    answer(seen, given) {
      const within = textOf(given.namespace);
      const diagnosis = diagnosisOf(seen, within === undefined ? {} : { namespace: within });
      const { shown, more } = fitting(diagnosis.broken.map(inShort), 5_000);
      const unseen = diagnosis.unseen.slice(0, 6).map(({ resource, why }) => `${resource}: ${why}`);
      return {
        verdict: diagnosis.verdict,
        asOf: time(diagnosis.at),
        incidents: shown,
        more: more + diagnosis.omitted,
        notSeen: unseen,
      };
    },
  },
  {
    name: 'why',
    title: 'Why it is broken',
    description:
      'Why something is broken: what is taken for the cause and what proves it, what it hits, the next command. Takes the ID of an incident or an object.',
    properties: { about: object, namespace },
    required: ['about'],
    answer(seen, given) {
      const found = brokenFor(seen, given);
      if (!isBroken(found)) return found;
      const { words, why, affected } = found;
      return {
        ...inShort(found),
        because: fitting([...words.evidence, ...why.because], 2_500).shown,
        ...(words.impact !== undefined && { impact: words.impact }),
        affected: { count: affected.count, some: affected.sample.map(pathOf) },
        facts: words.facts.slice(0, 10),
      };
    },
  },
  {
    name: 'evidence',
    title: 'What was found, and what the program says',
    description:
      'What an incident rests on: the findings on each object, and the last lines of the log that explains it best. Takes the ID of an incident or an object.',
    properties: { about: object, namespace },
    required: ['about'],
    answer(seen, given) {
      const found = brokenFor(seen, given);
      if (!isBroken(found)) return found;
      const incident = Iterator.from(seen.view.incidents()).find(({ id }) => id === found.id);
      const findings = (incident?.explanation.members ?? []).map((finding) => ({
        ...{
          on: pathOf(finding.subject.ref),
          reason: finding.reason,
          since: time(finding.since),
          says: sentenceOf(finding),
        },
        ...(finding.detail !== undefined && { detail: finding.detail.slice(0, 300) }),
      }));
      const { shown, more } = fitting(findings, 3_500);
      const { excerpt } = found.words;
      const log = excerpt && {
        source: excerpt.source,
        lines: excerpt.lines.slice(-15).map((line) => line.slice(0, 200)),
      };
      return { id: found.id, root: pathOf(found.root), findings: shown, more, log: log ?? null };
    },
  },
  {
    name: 'what_changed',
    needs: ['everything'],
    title: 'What changed lately',
    description:
      'What was edited in the last half hour, the newest first: which field, when, by whom, from and to where anybody may read that. Of one object, a namespace, or everything.',
    properties: { about: object, namespace },
    answer(seen, given) {
      const about = textOf(given.about);
      let only: Ref | undefined;
      if (about !== undefined) {
        const answer = asked(seen, about, textOf(given.namespace));
        if ('unclear' in answer) return answer;
        only = answer.about;
      }
      const { shown, more } = fitting(changesIn(seen, only, textOf(given.namespace)), 6_000);
      return { asOf: time(seen.now), changes: shown, more };
    },
  },
  {
    name: 'dependencies',
    needs: ['everything'],
    title: 'What depends on what',
    description: 'What an object needs (its Node, Secrets, volumes, the Services that it calls) and what needs it.',
    properties: { about: object, namespace },
    required: ['about'],
    answer(seen, given) {
      const answer = asked(seen, textOf(given.about) ?? '', textOf(given.namespace));
      return 'unclear' in answer ? answer : { object: pathOf(answer.about), ...relationsOf(seen, answer.about) };
    },
  },
  {
    name: 'would_be_told',
    needs: ['everything'],
    title: 'Who would be told',
    description:
      'Who was or would be told of a failure of an object and what would hold it back (filters, Silences, maintenance, routes), as far as the settings of an operator are known here.',
    properties: {
      about: object,
      namespace,
      at: { type: 'string', description: 'at this time (RFC 3339) instead of now' },
    },
    required: ['about'],
    answer(seen, given) {
      const at = Date.parse(textOf(given.at) ?? '');
      const answer = asked(
        seen,
        textOf(given.about) ?? '',
        textOf(given.namespace),
        Number.isFinite(at) ? at : seen.now,
      );
      if ('unclear' in answer) return answer;
      if (seen.view.settings().providers.length === 0)
        return {
          object: pathOf(answer.about),
          known: false,
          says: 'No AlertProviders, filters or Silences are known here: this is one look, without an operator. Ask the operator: tocsin why.',
        };
      const told = [...answer.incidents.flatMap(({ audiences }) => audiences), ...answer.otherwise];
      const rows = told.map(({ audience, says, providers }) => ({
        ...{ namespace: audience === '' ? 'the whole cluster' : audience, says },
        providers: providers.slice(0, 10).map(({ provider, ...rest }) => ({ provider: pathOf(provider), ...rest })),
      }));
      return { object: pathOf(answer.about), known: true, audiences: fitting(rows, 5_500).shown };
    },
  },
  {
    name: 'history',
    title: 'What was broken',
    needs: ['memory'],
    description:
      'Incidents of the last 30 days, open ones first, then those that ended last: what broke, its cause, how long it lasted. Search by words that must all be found, anywhere or where they say: object:, reason:, cause:, namespace:, severity:, id:.',
    properties: {
      search: { type: 'string', description: 'words, such as "reason:OOMKilled payments"' },
      since: { type: 'string', description: 'only what was open at this time (RFC 3339) or after' },
      namespace,
    },
    answer(seen, given) {
      const [search, within] = [textOf(given.search), textOf(given.namespace)];
      const since = Date.parse(textOf(given.since) ?? '');
      const asked = {
        ...(search !== undefined && { search }),
        ...(within !== undefined && { namespace: within }),
        ...(Number.isFinite(since) && { since }),
      };
      const { total = 0, shown: found = [] } = seen.past?.(asked, mostPast) ?? {};
      const { shown } = fitting(found.map(pastInShort), 5_500);
      return { total, incidents: shown, more: total - shown.length };
    },
  },
];
