import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoverageState } from '../../src/model/coverage.ts';
import { kindOf, type Ref } from '../../src/model/ref.ts';
import { everyKind, sourceOf, story } from '../world/story.ts';
import { toldStories } from './told-stories.ts';

/** A world after a story, in which everything can be judged again, whatever changed. */
function after({ steps }: (typeof toldStories)[number]) {
  const told = story('Pro');
  let now = 0;
  for (const step of steps) {
    now = Math.max(now, step.at);
    told.wait(now);
    for (const { is, raw } of step.events) (is === 'put' ? told.put : told.gone)(now, raw);
  }
  told.wait(now);
  const judgeAll = (): void => {
    const all = new Set<Ref>(told.world.everything());
    for (const { subject } of told.detection.all()) all.add(subject.ref);
    told.detection.evaluate(all, now);
  };
  judgeAll();
  return {
    /** A kind goes out of sight; then everything is judged again, as it may be for any reason. */
    lose: (kind: string, state: CoverageState): void => {
      told.see(kind, state, now);
      judgeAll();
    },
    giveBack: (kind: string): void => told.see(kind, 'Watching', now),
    judgeAll,
    /** Every object of a kind goes, which a list tells before its kind counts as seen again. */
    clear(kind: string): void {
      const source = everyKind.find((row) => row.kind === kind)?.source;
      const raws = steps.flatMap(({ events }) => events.map(({ raw }) => raw));
      told.gone(now, ...raws.filter((raw) => sourceOf(raw) === source));
    },
    held: (ref: Ref): boolean => told.world.uidOf(ref) !== undefined,
    subjects: (): Ref[] => [...told.detection.all()].map(({ subject }) => subject.ref),
    /** Which problems there are, and since when; what is counted of them may be counted anew. */
    problems: (): string[] =>
      [...told.detection.all()].map(({ subject, scope = '', reason, since, severity }) =>
        [subject.ref, scope, reason, since, severity].join(' '),
      ),
  };
}

/**
 * What is told of what can still be seen, where what said more of it cannot: a claim without a class has no volume, whether there is a
 * default class or not.
 */
const saidInstead: ReadonlySet<string> = new Set(['StorageClass PVCPending']);

const lost = ['Denied', 'NotServed', 'Failing', 'Syncing'] as const;

test('unknown never clears and never fires: any kind goes out of sight in the story of any reason, and comes back', () => {
  let [stories, found] = [0, 0];
  for (const told of toldStories) {
    const { lose, giveBack, judgeAll, problems } = after(told);
    const before = problems();
    stories += 1;
    found += before.length;
    for (const [index, { kind }] of everyKind.entries()) {
      const state = lost[(stories + index) % lost.length] ?? 'Denied';
      lose(kind, state);
      const isInstead = (each: string): boolean => saidInstead.has(`${kind} ${each.split(' ')[2]}`);
      const left = problems().filter((each) => before.includes(each) || !isInstead(each));
      assert.deepEqual(left, before, `${told.reason}: ${kind} is ${state}`);
      giveBack(kind);
      assert.deepEqual(problems(), before, `${told.reason}: ${kind} is seen again after ${state}`);
      judgeAll();
      assert.deepEqual(problems(), before, `${told.reason}: ${kind} is judged again after ${state}`);
    }
  }
  assert.ok(found > stories, 'nearly every story ends with what it is of');
});

test('what went while its kind was out of sight is found no longer than what was seen to go', () => {
  let cleared = 0;
  for (const told of toldStories) {
    const { subjects, held } = after(told);
    const before = subjects().filter(held);
    for (const kind of new Set(before.map(kindOf))) {
      const [unseen, seen] = [after(told), after(told)];
      unseen.lose(kind, 'Denied');
      unseen.clear(kind);
      unseen.giveBack(kind);
      seen.clear(kind);
      const left = seen.subjects();
      const ghosts = unseen.subjects().filter((ref) => before.includes(ref) && !left.includes(ref));
      assert.deepEqual(ghosts, [], `${told.reason}: every ${kind} went`);
      cleared += 1;
    }
  }
  assert.ok(cleared > 150, `only ${cleared} kinds went`);
});
