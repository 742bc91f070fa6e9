import { errorMessage } from '../../model/error-message.ts';
import { createRecorder } from '../recording/recorder.ts';
import { Loop, type LoopOptions } from './loop.ts';
import type { ActiveOperatorOptions } from './options.ts';

/** Makes the loop of this process, recorded if that is asked for, and lets people know how it is: the log and the metrics. */
export function createLoop(
  { clock, crashed, log, metrics, record: path, version }: ActiveOperatorOptions,
  clusterId: string,
  parts: Pick<LoopOptions, 'turn' | 'carry'>,
): Loop {
  const failed = (error: unknown): void => log.error({ err: error }, 'cannot write the recording; going on without it');
  const record = path === undefined ? undefined : createRecorder({ path, header: { clusterId, version }, failed });
  return new Loop({
    ...parts,
    clock,
    ...(record && { record }),
    observe(seconds, inputs) {
      metrics.observe('tocsin_turn_duration_seconds', {}, seconds);
      metrics.observe('tocsin_turn_inputs', {}, inputs);
    },
    crashed(error) {
      log.error({ err: error }, 'a turn failed: this is a bug; please report it with this log line');
      const why = errorMessage(error);
      crashed(new Error(`a turn failed, which is a bug: ${why}`, { cause: error }));
    },
  });
}
