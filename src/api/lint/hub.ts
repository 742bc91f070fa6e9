import type { AlertConfigSpec } from '../alert-config.ts';
import type { Remark } from './remark.ts';

/** What of the settings for a hub does nothing although it looks as if it did. */
export function hubRemarks({ hub, statusEndpoint }: AlertConfigSpec): readonly Remark[] {
  if (hub === undefined || hub.url !== undefined) return [];
  if (hub.enabled !== true)
    return [
      {
        rule: 'NoEffect',
        path: 'spec.hub',
        message:
          '`spec.hub` is set, and this cluster is no hub and no member of one: set `hub.enabled: true` or `hub.url`, or remove it',
      },
    ];
  if (hub.allowPlainHTTP === true || statusEndpoint?.tls !== undefined) return [];
  return [
    {
      rule: 'NoEffect',
      path: 'spec.hub.enabled',
      message:
        'members are heard with TLS only, and there is no certificate: set `statusEndpoint.tls`, or `hub.allowPlainHTTP` where the network is trusted or something in front of it ends TLS',
    },
  ];
}
