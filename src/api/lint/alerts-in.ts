import type { AlertConfigSpec } from '../alert-config.ts';
import type { Remark } from './remark.ts';

/** What of the settings for alerts lets in nobody although it looks as if it did. */
export function alertsRemarks({ alertsIn, statusEndpoint }: AlertConfigSpec): readonly Remark[] {
  if (alertsIn === undefined) return [];
  if (alertsIn.enabled !== true)
    return [
      {
        rule: 'NoEffect',
        path: 'spec.alertsIn',
        message: '`spec.alertsIn` is set, and no alert is taken: set `alertsIn.enabled: true`, or remove it',
      },
    ];
  if (alertsIn.allowPlainHTTP === true || statusEndpoint?.tls !== undefined) return [];
  return [
    {
      rule: 'NoEffect',
      path: 'spec.alertsIn.enabled',
      message:
        'alerts are taken with TLS only, and there is no certificate: set `statusEndpoint.tls`, or `alertsIn.allowPlainHTTP` where the network is trusted',
    },
  ];
}
