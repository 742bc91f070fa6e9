import type { Streams } from '../command.ts';
import { type Output, structured } from '../output.ts';
import { type AudienceAnswer, isWhyAnswer, type WhyAnswer } from './answers.ts';
import { askOperator, type OperatorOptions } from './operator.ts';
import { objectName, type Paint, paintFor, severityColours } from './text.ts';

/** What the user asked of `tocsin why`. */
export type WhyArguments = OperatorOptions & {
  /** `deployment/shop/api`, `deployment/api` or `api` with a namespace or without, the ID of an incident. */
  readonly object: string;
  /** Of the object. */
  readonly namespace?: string;
  /** RFC 3339. */
  readonly at?: string;
  readonly output: Output;
};

/** Prints what became of an object's incidents and why, or what would. Exit code 0. */
export async function runWhy(asked: WhyArguments, streams: Pick<Streams, 'stdout'>): Promise<number> {
  const { object, namespace, at } = asked;
  const query = { object, ...(namespace !== undefined && { namespace }), ...(at !== undefined && { at }) };
  const answer = await askOperator('/status/why', query, asked);
  if (!isWhyAnswer(answer)) throw new Error('what answers there is not Tocsin, or one of another version');
  streams.stdout.write(
    asked.output === 'text'
      ? `${[...lines(answer, paintFor(streams))].join('\n')}\n`
      : structured(answer, asked.output),
  );
  return 0;
}

function* lines(answer: WhyAnswer, paint: Paint): Generator<string> {
  yield paint('bold', objectName(answer.about));
  for (const each of answer.says) yield `  ${each}`;
  for (const incident of answer.incidents) {
    const { severity, reason, root, lead, part, because, life, audiences, confidence } = incident;
    yield '';
    yield `${paint(severityColours[severity] ?? 'reset', severity)} ${reason} · ${objectName(root)}  ${paint('dim', incident.id)}`;
    yield `  ${lead}`;
    if (part !== null) yield `  ${part}`;
    yield `  ${life}`;
    // Its cause is told by the incident that it is part of.
    if (!audiences.every(({ disposition }) => disposition === 'Folded')) {
      yield '';
      yield `  ${whyTitle[confidence] ?? 'Why:'}`;
      for (const each of because) yield `  - ${each}`;
      if (because.length === 0) yield '  - Nothing else that Tocsin can see explains it.';
    }
    yield '';
    yield '  Notified:';
    for (const audience of audiences) yield* audienceLines(audience, paint);
  }
  if (answer.otherwise.length > 0) {
    yield '';
    yield answer.incidents.length === 0 ? '  If it failed:' : '  If it failed again:';
    for (const audience of answer.otherwise) yield* audienceLines(audience, paint);
  }
}

const whyTitle: Readonly<Record<string, string>> = {
  high: 'Why this is the cause:',
  likely: 'Why this is probably the cause:',
  unknown: 'The cause is not known:',
};

function* audienceLines({ audience, disposition, says, providers }: AudienceAnswer, paint: Paint): Generator<string> {
  yield `  - ${audience === '' ? 'For the whole cluster' : `For the namespace ${audience}`}: ${says}`;
  for (const { provider, told, says: why } of providers)
    yield `    ${told ? paint('green', '✓') : paint('yellow', '✗')} ${provider.namespace}/${provider.name}: ${why}`;
  if (providers.length === 0 && disposition === 'Delivered')
    yield `    ${paint('yellow', '✗')} There is no AlertProvider to tell.`;
}
