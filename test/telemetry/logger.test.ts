import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../src/model/redact.ts';
import { Secret } from '../../src/model/secret.ts';
import { createLogger, type LogLevel } from '../../src/telemetry/logger.ts';

function logged(
  write: (log: ReturnType<typeof createLogger>) => void,
  level: LogLevel = 'info',
  pretty = false,
): string[] {
  const lines: string[] = [];
  write(createLogger({ level, pretty, redact, stream: { write: (line: string) => lines.push(line) } }));
  return lines;
}

test('a line is one JSON object with time, level, fields and message', () => {
  const [line = ''] = logged((log) => log.child({ room: 'kube' }).info({ source: 'pods' }, 'watching'));
  const entry: unknown = JSON.parse(line);
  assert.ok(line.endsWith('\n'));
  assert.partialDeepStrictEqual(entry, { level: 'info', room: 'kube', source: 'pods', msg: 'watching' });
  assert.match(line, /"time":"\d{4}-\d\d-\d\dT/);
});

test('less important lines are left out', () => {
  const lines = logged((log) => {
    log.debug('no');
    log.info('no');
    log.warn('yes');
  }, 'warn');
  assert.equal(lines.length, 1);
});

test('no secret is written: wrapped, by its field, in a message, in an error or its cause', () => {
  const lines = logged((log) => {
    log.info({ url: new Secret('hunter2'), nested: { deep: { key: new Secret('hunter2') } } }, 'wrapped');
    log.info({ token: 'hunter2', provider: { password: 'hunter2' } }, 'fields');
    log.info('POST https://u:hunter2@host failed');
    log.info({ a: 1 }, 'password=hunter2');
    const cause = new Error('Authorization: Bearer hunter2hunter2');
    log.error({ err: new Error('token=hunter2', { cause }) }, 'failed');
    log.error({ err: 'password=hunter2' }, 'failed');
  });
  assert.equal(lines.length, 6);
  assert.ok(!lines.join('').includes('hunter2'), lines.join(''));
});

test('an error keeps its name, code and stack', () => {
  const error = Object.assign(new TypeError('broken'), { code: 'EPIPE' });
  const [line = ''] = logged((log) => log.error({ err: error }, 'x'));
  const { err }: { err: Record<string, string> } = JSON.parse(line);
  assert.partialDeepStrictEqual(err, { type: 'TypeError', message: 'broken', code: 'EPIPE' });
  assert.match(err.stack ?? '', /logger\.test\.ts/);
});

test('for people, a line has the time, the level, the message and the fields', () => {
  const [line = ''] = logged(
    (log) => log.warn({ source: 'pods', why: 'no route', err: new Error('down') }, 'retrying'),
    'info',
    true,
  );
  assert.match(line, /^\d\d:\d\d:\d\d warn {2}retrying {2}source=pods {2}why="no route"\n {2}down\n$/);
});
