import { clockTime } from '../message/parts/times.ts';
import { count, list } from '../message/parts/words.ts';
import { humanDuration } from '../model/duration.ts';
import type { Confidence } from '../model/severity.ts';
import type { Broken, Diagnosis, Unseen } from './answer.ts';

/** What was looked at, when, and how much of it there is: one sentence. */
export function lookedInWords({ looked, at, watchedMs, objects, about }: Diagnosis): string {
  const total = objects.reduce((sum, one) => sum + one.count, 0);
  const version = looked.serverVersion === undefined ? '' : `, Kubernetes ${looked.serverVersion}`;
  const format = looked.format === undefined ? '' : ` (${looked.format})`;
  const how = watchedMs > 0 ? `, watched for ${humanDuration(watchedMs)}` : '';
  const only = about === undefined ? '' : ` Only ${about}.`;
  const when = `${new Date(at).toISOString().slice(0, 10)} ${clockTime(at, at)}`;
  return `${looked.name}${format}${version}: ${count(total, 'object')} as of ${when}${how}.${only}`;
}

/** The answer in one sentence. */
export function verdictInWords({ broken, omitted }: Diagnosis): string {
  const certain = broken.filter(({ isCertain }) => isCertain).length + omitted;
  const perhaps = broken.filter(({ isCertain }) => !isCertain).length;
  const more =
    perhaps === 0 ? '' : ` ${count(perhaps, 'more has', 'more have')} begun only now and may pass by itself.`;
  if (certain === 0 && perhaps > 0)
    return `Nothing is surely broken. ${count(perhaps, 'thing has', 'things have')} begun only now and may pass by itself.`;
  return certain === 0
    ? 'Nothing is broken, as far as can be seen.'
    : `${count(certain, 'thing is', 'things are')} broken.${more}`;
}

const sure: Readonly<Record<Confidence, string>> = {
  high: 'The cause is certain',
  likely: 'The cause is probable',
  unknown: 'The cause is not known',
};

/** How sure the cause is, and whether it is broken at all. */
export function sureInWords({ why, isCertain }: Pick<Broken, 'why' | 'isCertain'>): string {
  const begun = isCertain ? '' : ' It has begun only now, and may pass by itself.';
  return `${sure[why.confidence]}.${begun}`;
}

/** What was not seen, those that mean the same in one line. */
export function unseenInWords(unseen: readonly Unseen[]): readonly string[] {
  const alike = new Map<string, Unseen[]>();
  for (const one of unseen) {
    const key = `${one.why}|${one.means}`;
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  return [...alike.values()].map((group) => {
    const [first] = group;
    const names = list(
      group.map(({ resource }) => resource),
      12,
    );
    return `${names}: ${first?.why}. ${first?.means}`;
  });
}
