import { Heartbeat, type HeartbeatOptions } from '../sending/heartbeat.ts';
import type { ActiveOperatorOptions } from './options.ts';

/** Makes the heartbeat of this process, and lets people know how it is: the log, the metrics, the AlertConfig. */
export function createHeartbeat(
  { clock, random, hindrances, log, metrics, hostClock }: ActiveOperatorOptions,
  parts: Pick<HeartbeatOptions, 'send' | 'open'> & { readonly changed: () => void },
): Heartbeat {
  return new Heartbeat({
    clock,
    random,
    hindrances,
    send: parts.send,
    open: parts.open,
    count(outcome) {
      metrics.add('tocsin_heartbeat_requests_total', { outcome });
      if (outcome !== 'accepted') return;
      metrics.set('tocsin_heartbeat_last_success_timestamp_seconds', {}, Math.floor(hostClock.now() / 1000));
    },
    changed(view) {
      if (view.is === 'failing') log.warn({ why: view.why }, 'the heartbeat was not accepted');
      else log.info({ heartbeat: view }, 'the heartbeat');
      parts.changed();
    },
  });
}
